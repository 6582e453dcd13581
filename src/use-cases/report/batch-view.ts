/**
 * One value from which every face shows a batch: how it stands, the rows to look at, and what to do about those in doubt.
 * Changes nothing; may be asked while a run is going.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { OpenDoubts } from '../../ports/ledger/batches.ts';
import type { Note } from '../../ports/ledger/notes.ts';
import type { OpenReportSink, ReportTarget } from '../../ports/outputs.ts';
import { planOf } from '../approve/plan-of-batch.ts';
import { findBatch } from '../find-batch.ts';
import type { LookingPorts } from '../ports.ts';
import { type ToLookAt, toLookAt } from './attention.ts';
import { type Standing, standingOf } from './batch-standing.ts';
import { openDoubt } from './open-doubt.ts';
import { type Reported, reportBatch, reportHeader } from './report-batch.ts';

export interface ReportingPorts extends LookingPorts {
  readonly openSink: OpenReportSink;
}

export interface BatchView extends Omit<Standing, 'incidents' | 'beside' | 'besideStatus'>, ToLookAt {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** About the rows in doubt, all of them at once; undefined when there are none. */
  readonly doubt: DoubtGuide | undefined;
}

export async function viewOf(batch: Batch, standing: Standing, ports: LookingPorts): Promise<BatchView> {
  const { counts, status, outcome, need, atWork, paidAgain } = standing;
  return {
    ...{
      batch,
      counts,
      status,
      outcome,
      need,
      atWork,
      paidAgain,
      environment: ports.ledger.identity.environment,
    },
    ...(await toLookAt(batch, standing, ports)),
    doubt: await openDoubt(batch, ports, counts),
  };
}

/** With the proof of a report: all rows are counted. */
export type BatchSummary = BatchView & Reported;

interface SummaryOptions {
  /** Where the report is written; undefined: only the totals are made. */
  readonly target?: ReportTarget | undefined;
  /** A column of the file by which the totals are also given. */
  readonly groupBy?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function summaryOf(
  batch: Batch,
  ports: ReportingPorts,
  { target, groupBy, signal }: SummaryOptions = {},
): Promise<BatchSummary> {
  const reported = await reportBatch(await reportHeader(batch, ports), ports, { target, groupBy, signal });
  return provenView(batch, reported, ports);
}

export async function provenView(
  batch: Batch,
  reported: Reported,
  ports: LookingPorts,
): Promise<BatchSummary> {
  const { counts } = reported.totals;
  const standing = await standingOf(batch, ports.ledger, { counts });
  return { ...(await viewOf(batch, standing, ports)), ...reported };
}

/** For `payfile status`, with the plan. */
export interface BatchState extends BatchSummary {
  /** What waits for approval; undefined when nothing does. */
  readonly plan: Plan | undefined;
  /** Of all batches. */
  readonly doubts: readonly OpenDoubts[];
  /** The last comparison with a statement; undefined: there was none. */
  readonly compared: Note<'statement_compared'> | undefined;
  /** undefined: no row is on its way. */
  readonly onItsWay: OnItsWay | undefined;
}

/** Rows on their way. payfile asks only while a command runs, so their status is as old as the last look. */
export interface OnItsWay {
  readonly rows: number;
  readonly firstSentAt: Timestamp | undefined;
  readonly lastAskedAt: Timestamp | undefined;
  /** Rows that payfile never asked about. */
  readonly neverAsked: number;
}

/** `text`: id, name or a unique beginning. Errors: BatchNotFound. */
export async function statusOf(text: string, ports: ReportingPorts): Promise<BatchState> {
  const found = await findBatch(text, ports.ledger);
  return atOneMoment([found], ports, async (still) =>
    stateOf((await still.ledger.batch(found.id)) ?? found, still),
  );
}

/** The log grows with whatever a run writes while they are read; more rows are read as they move. */
const ROWS_AT_ONE_MOMENT = 100_000;

/** What is read beside a run is of one moment, so that the run shows in no comparison. */
export async function atOneMoment<T>(
  batches: readonly Batch[],
  ports: ReportingPorts,
  work: (still: ReportingPorts) => Promise<T>,
): Promise<T> {
  let rows = 0;
  for (const { id } of batches)
    for (const count of Object.values(await ports.ledger.counts(id))) rows += count;
  if (rows > ROWS_AT_ONE_MOMENT) return work(ports);
  return ports.ledger.atOneMoment((ledger) => work({ ...ports, ledger }));
}

export async function stateOf(batch: Batch, ports: ReportingPorts): Promise<BatchState> {
  const summary = await summaryOf(batch, ports);
  const { counts } = summary.totals;
  const hasPlan = counts.quoted > 0 && batch.halfRead === undefined;
  const plan = hasPlan ? await planOf(batch.id, ports) : undefined;
  const doubts = await ports.ledger.openDoubts();
  const onItsWay = counts.accepted === 0 ? undefined : await onItsWayIn(batch, ports);
  const compared = (await ports.ledger.notes(batch.id, 'statement_compared')).at(-1);
  return { ...summary, plan, doubts, compared, onItsWay };
}

async function onItsWayIn({ id }: Batch, { ledger }: Pick<ReportingPorts, 'ledger'>): Promise<OnItsWay> {
  let [rows, neverAsked] = [0, 0];
  let [firstSentAt, lastAskedAt]: (Timestamp | undefined)[] = [];
  for await (const page of ledger.payouts(id, { statuses: ['accepted'] }))
    for (const { state, look } of page) {
      const sentAt = state.status === 'accepted' ? state.sentAt : undefined;
      rows += 1;
      if (sentAt !== undefined && sentAt < (firstSentAt ?? Number.POSITIVE_INFINITY)) firstSentAt = sentAt;
      if (look === undefined || look.times === 0) neverAsked += 1;
      else if (look.at > (lastAskedAt ?? 0)) lastAskedAt = look.at;
    }
  return { rows, firstSentAt, lastAskedAt, neverAsked };
}
