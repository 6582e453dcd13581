/**
 * The summary of a batch: its totals, and the rows that a person has to look at, the most pressing first.
 */

import { type Batch, type BatchStatus, batchStatus, type StatusCounts } from '../../domain/batches/batch.ts';
import type { Place, Step } from '../../domain/next-steps/command.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import {
  type Commands,
  commandsFor,
  type IncidentOfRow,
  incidentOfRow,
  incidentStep,
  stepsOf,
} from '../../domain/next-steps/next-step.ts';
import { type ConcernKind, kindsToName } from '../../domain/payouts/concern.ts';
import { type FamilyMember, standsInstead } from '../../domain/payouts/family.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { hasEndedUnpaid, isIn, type Payout, type Status } from '../../domain/payouts/payout.ts';
import type { TriesByPayout } from '../../domain/payouts/turned-away.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { Policy } from '../../domain/policy.ts';
import { TO_LOOK_AT } from '../../domain/reporting/exceptions.ts';
import { isLoud, marksOf } from '../../domain/reporting/marks.ts';
import { reasonOf } from '../../domain/reporting/reason.ts';
import { paidAgainText } from '../../domain/reporting/report-line.ts';
import { flagsOf, type RowFlags } from '../../domain/reporting/row-label.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OpenDoubts } from '../../ports/ledger/batches.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { OpenReportSink, ReportTarget } from '../../ports/outputs.ts';
import { planOf } from '../approve/plan-of-batch.ts';
import { findBatch } from '../find-batch.ts';
import { triesOf } from '../turned-away-tries.ts';
import { openDoubt } from './open-doubt.ts';
import { isEndedElsewhere, type PaidAgain } from './paid-again.ts';
import { type Reported, reportBatch, reportHeader } from './report-batch.ts';

export interface ReportingPorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly policy: Policy;
  /** For the commands in reports. */
  readonly place?: Place | undefined;
  /** The passkey that whoever asks came in with; undefined: came in with none. */
  readonly cameWith?: string | undefined;
  readonly openSink: OpenReportSink;
}

export interface BatchSummary extends Reported, ToLookAt {
  readonly batch: Batch;
  /** About the rows in doubt, all of them at once; undefined when there are none. */
  readonly doubt: DoubtGuide | undefined;
  readonly environment: 'live' | 'sandbox';
}

export interface ToLookAt {
  readonly attention: readonly Attention[];
  /** Rows that need a look but are not listed. */
  readonly attentionLeft: number;
  /** For all held rows at once, where they are alike. */
  readonly releaseAll: Step | undefined;
}

export interface Attention extends RowFlags {
  readonly row: number;
  readonly status: Status;
  readonly reason: string;
  readonly steps: readonly Step[];
}

interface SummaryOptions {
  /** Where the report is written; undefined: only the totals are made. */
  readonly target?: ReportTarget | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function summaryOf(
  batch: Batch,
  ports: ReportingPorts,
  { target, signal }: SummaryOptions = {},
): Promise<BatchSummary> {
  const reported = await reportBatch(await reportHeader(batch, ports), ports, { target, signal });
  return withAttention(batch, reported, ports);
}

export async function withAttention(
  batch: Batch,
  reported: Reported,
  ports: ReportingPorts,
): Promise<BatchSummary> {
  const { environment } = ports.ledger.identity;
  const doubt = await openDoubt(batch, ports);
  const { counts } = reported.totals;
  const look = await toLookAt(batch, { ...reported, counts }, ports);
  return { ...reported, ...look, batch, doubt, environment };
}

/** What was found in a batch, beside how many rows there are of each status. */
export type Noticed = Pick<
  Reported,
  'incidents' | 'stuck' | 'discrepant' | 'besideStatus' | 'paidAgain' | 'endedElsewhere'
> & { readonly counts: StatusCounts };

const SHOWN_MAX = 20;

/** The first rows that a person has to look at, and how many more there are. */
export async function toLookAt(
  batch: Batch,
  seen: Noticed,
  ports: Omit<ReportingPorts, 'openSink'>,
): Promise<ToLookAt> {
  const commands = commandsFor(await reportHeader(batch, ports));
  const triesOfIncidents = await triesOf(
    seen.incidents.map(({ payout }) => payout),
    ports,
  );
  const found: Attention[] = [];
  for (const { rowNumber: row, payout, noted, isOver } of seen.incidents) {
    const loud = noted === undefined ? '' : `INCIDENT: ${printable(noted)}. `;
    const reason = loud + reasonOf(payout, [], triesOfIncidents);
    const paidAgain = seen.paidAgain.get(payout.id) ?? (isOver ? await otherNow(payout, ports) : undefined);
    const steps = isOver
      ? stepsOf(payout, { incident: 'came_back', paidAgain }, commands)
      : incidentStep(row, commands);
    found.push({ row, status: payout.state.status, reason, steps });
  }
  const withIncident = new Set<PayoutId>(seen.incidents.map(({ payout }) => payout.id));
  const incidentOf = (row: number) =>
    incidentOfRow(seen.incidents.filter(({ rowNumber }) => rowNumber === row).map(({ isOver }) => isOver));
  // Called failed, stuck, or paid but not as asked: nobody would look at a row on its way or settled otherwise.
  const isGrave = (payout: Payout) => isLoud(marksOf(payout));
  const besideStatus = [...new Set([...seen.stuck, ...seen.discrepant])]
    .filter(({ id, state }) => !TO_LOOK_AT.includes(state.status) && !withIncident.has(id))
    .sort((one, other) => Number(isGrave(other)) - Number(isGrave(one)));
  const look = async (payouts: readonly Payout[]) => {
    const tries = await triesOf(payouts, ports);
    return payouts.map((payout) => lookAt(payout, { known: seen.paidAgain, incidentOf, tries }, commands));
  };
  const held: Payout[] = [];
  let most = SHOWN_MAX;
  for (const status of TO_LOOK_AT) {
    const room = most - found.length;
    // By gravity: behind what may have been paid, before what was not.
    if (status === 'failed') found.push(...(await look(besideStatus.slice(0, room))));
    if (found.length >= most) break;
    const first = await firstOpen(batch.id, status, { room: most - found.length, ...seen }, ports);
    found.push(...(await look(first.filter(({ id }) => !withIncident.has(id)))));
    if (status === 'held') held.push(...first);
    // They are told all at once, so they take no other row's place.
    if (status === 'in_doubt') most += first.length;
  }
  const all = sumOf(seen.counts, TO_LOOK_AT) - seen.endedElsewhere + seen.besideStatus;
  const releaseAll = held.length === seen.counts.held ? releaseAllOf(held, commands) : undefined;
  return { attention: found, attentionLeft: Math.max(0, all - found.length), releaseAll };
}

/** The other payment that stands for the row; undefined if it ended unpaid as well. */
async function otherNow(
  { id }: Payout,
  { ledger }: Pick<ReportingPorts, 'ledger'>,
): Promise<FamilyMember | undefined> {
  const other = standsInstead(id, await ledger.family(id));
  return other === undefined || hasEndedUnpaid(other.status) ? undefined : other;
}

/** What a person can find out for many rows with one question. */
const RELEASED_TOGETHER: ReadonlySet<ConcernKind> = new Set(['name', 'fee', 'over_limit']);

function releaseAllOf(held: readonly Payout[], { forBatch, readFirst }: Commands): Step | undefined {
  const states = held.flatMap((payout) => (isIn(payout, 'held') ? [payout.state] : []));
  const reasons = states.flatMap((state) => state.reasons);
  if (states.some((state) => kindsToName(state).length > 0)) return undefined;
  if (held.length < 2 || readFirst !== undefined) return undefined;
  if (!reasons.every(({ concern }) => RELEASED_TOGETHER.has(concern.kind))) return undefined;
  const text = `All ${held.length} held rows at once, once each of them is known to be right`;
  return { text, command: forBatch('release', ['--all'], ['--reason', { fillIn: 'TEXT' }]) };
}

/** The first payouts in a status that nobody pays again in another batch. */
export async function firstOpen(
  id: BatchId,
  status: Status,
  { room, paidAgain }: { readonly room: number; readonly paidAgain: PaidAgain },
  { ledger }: Pick<ReportingPorts, 'ledger'>,
): Promise<readonly Payout[]> {
  const found: Payout[] = [];
  for (let after: number | undefined, isMore = true; isMore && found.length < room; ) {
    const page = await ledger.page(id, { statuses: [status], after, limit: room });
    found.push(...page.payouts.filter((payout) => !isEndedElsewhere(payout, paidAgain)));
    after = page.next;
    isMore = page.next !== undefined;
  }
  return found.slice(0, room);
}

interface LookFacts {
  readonly known: PaidAgain;
  readonly incidentOf: (row: number) => IncidentOfRow;
  readonly tries: TriesByPayout;
}

function lookAt(payout: Payout, { known, incidentOf, tries }: LookFacts, commands: Commands): Attention {
  const { rowNumber: row } = payout;
  const { status } = payout.state;
  const paidAgain = known.get(payout.id);
  const again = paidAgainText(payout, paidAgain);
  return {
    row,
    status,
    ...flagsOf(marksOf(payout)),
    reason: [again, reasonOf(payout, [], tries)].filter((text) => text !== '').join(' '),
    steps: stepsOf(payout, { incident: incidentOf(row), paidAgain }, commands),
  };
}

function sumOf(counts: StatusCounts, statuses: readonly Status[]): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0);
}

/** The same for `payfile status`, with the plan. Changes nothing; may be asked while a run is going. */
export interface BatchState extends BatchSummary {
  readonly status: BatchStatus;
  /** What waits for approval; undefined when nothing does. */
  readonly plan: Plan | undefined;
  /** Of all batches. */
  readonly doubts: readonly OpenDoubts[];
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
  return { ...summary, status: batchStatus(batch, counts), plan, doubts, onItsWay };
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
