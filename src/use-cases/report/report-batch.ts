/**
 * Reports: every row of a batch exactly once, in file order, with control totals checked on the way.
 *
 * Errors:  ReportUnwritable from the sink; the sink is aborted first, so that no half report is left.
 */

import { type Batch, type BatchOutcome, batchOutcome, halfReadText } from '../../domain/batches/batch.ts';
import { type Decisions, decisionsOf } from '../../domain/batches/decisions.ts';
import { freeRedoName } from '../../domain/next-steps/pay-again.ts';
import { cameBackAfter } from '../../domain/payouts/incident.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { hoursMs } from '../../domain/policy.ts';
import type { BookedEvent, SentPayout } from '../../domain/reporting/booking.ts';
import { type ControlTotals, LineCounter } from '../../domain/reporting/control-totals.ts';
import { type LedgerTotal, movedTotals } from '../../domain/reporting/currency-totals.ts';
import { DebitTotals } from '../../domain/reporting/debits.ts';
import { TO_LOOK_AT } from '../../domain/reporting/exceptions.ts';
import { isToLookAt, marksOf } from '../../domain/reporting/marks.ts';
import { type Redo, redoHeaders, redoOf } from '../../domain/reporting/redo.ts';
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import {
  incidentsOf,
  type LineSource,
  lineContext,
  notedOf,
  type ReportLine,
  reportLineOf,
} from '../../domain/reporting/report-line.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { ReportLedger } from '../../ports/ledger/reports.ts';
import type {
  OpenRedoSink,
  OpenReportSink,
  RedoSink,
  ReportSink,
  ReportTarget,
} from '../../ports/outputs.ts';
import { isTakenIn } from '../intake/batch-name.ts';
import { requireSameFile } from '../intake/half-read.ts';
import type { Ports } from '../ports.ts';
import { incidentTimes, notedIncidents } from '../settle/noted-incidents.ts';
import { pagesWithTries } from '../turned-away-tries.ts';
import { type Beside, type BesideStatus, besideStatusOf, KeptRows } from './beside-status.ts';
import { isEndedElsewhere, type PaidAgain, paidAgainCounts, paidAgainIn } from './paid-again.ts';

export interface Reported extends Beside {
  readonly lines: number;
  readonly totals: ControlTotals;
  readonly outcome: BatchOutcome;
  readonly ties: boolean;
  /** One sentence per place where lines and ledger part. */
  readonly parts: readonly string[];
  /** Payments that were called failed, or ruled not paid, and are paid; the first few. */
  readonly incidents: readonly IncidentRow[];
  /** How many there are of these three whose status alone would show them to nobody. */
  readonly besideStatus: number;
  readonly paidAgain: PaidAgain;
  /** Rows that failed or came back and that another batch stands for. */
  readonly endedElsewhere: number;
}

interface IncidentRow {
  readonly rowNumber: number;
  readonly payout: Payout;
  /** What was noted of it; undefined when its own state says so. */
  readonly noted: string | undefined;
  /** It came back after that. */
  readonly isOver: boolean;
}

export async function reportHeader(
  batch: Batch,
  ports: Pick<Ports, 'clock' | 'policy' | 'place'> & {
    readonly ledger: Pick<Ledger, 'identity' | 'batchLike'>;
  },
): Promise<ReportHeader> {
  const { ledger, clock, policy, place } = ports;
  const { environment } = ledger.identity;
  const { organization, timeZone, failConfirmMs } = policy;
  const reissueAfterMs = hoursMs(policy.reissueAfterHours);
  const redoName = await freeRedoName(batch, isTakenIn(ledger));
  const madeAt = clock.now();
  const about = { batch, environment, place, organization, timeZone };
  return { ...about, madeAt, reissueAfterMs, failConfirmMs, redoName };
}

export interface ReportPorts {
  readonly ledger: Pick<
    ReportLedger,
    'reportRows' | 'totals' | 'besideStatus' | 'familiesAcross' | 'sentPayouts' | 'decisions'
  > &
    Pick<Ledger, 'payouts' | 'notes' | 'lastEntry' | 'journalOf'>;
  readonly openSink: OpenReportSink;
}

interface WriteReportOptions {
  /** undefined: only the totals are made. */
  readonly sink: ReportSink | undefined;
  /** What the ledger counts by itself; asked before the first line and after the last. */
  readonly ledgerTotals: () => Promise<readonly LedgerTotal[]>;
  /** Rows whose amounts differ; asked before the first line. */
  readonly beside?: (() => Promise<Pick<BesideStatus, 'differing' | 'moves'>>) | undefined;
  /** Where the batch's journal ends: when it grew meanwhile, rows and sums are not of one moment. */
  readonly head?: (() => Promise<number>) | undefined;
  /** See ReportSummary. */
  readonly decisions?: (() => Promise<Decisions>) | undefined;
  readonly debits?: ReportSummary['debits'];
  readonly sent?: ReportSummary['sent'];
  readonly signal?: AbortSignal | undefined;
}

/** Opens the target and writes the batch's report to it. Without a target the totals alone are made. */
export async function reportBatch(
  header: ReportHeader,
  ports: ReportPorts,
  options: { readonly target: ReportTarget | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Reported> {
  const { ledger } = ports;
  const { id } = header.batch;
  const incidents = await notedIncidents(id, { ledger });
  const paidAgain = await paidAgainIn(id, ledger);
  // Last, so that whatever fails from here on also aborts it.
  const sink = options.target === undefined ? undefined : await ports.openSink(options.target);
  return writeReport(
    pagesWithTries(ledger.reportRows(id), { ledger }),
    { ...header, incidents, paidAgain },
    {
      sink,
      ledgerTotals: () => ledger.totals(id),
      beside: () => besideStatusOf(id, { ledger }),
      head: () => ledger.lastEntry(id),
      decisions: () => decisionsAbout(id, ledger),
      debits: () => debitsAbout(id, ledger),
      sent: () => sentPayouts(header.batch, ledger),
      signal: options.signal,
    },
  );
}

export async function writeReport(
  source: AsyncIterable<readonly LineSource[]>,
  header: ReportHeader,
  options: WriteReportOptions,
): Promise<Reported> {
  const { sink, ledgerTotals, beside, head, decisions, debits, sent, signal } = options;
  try {
    const begun = await head?.();
    const asked = await ledgerTotals();
    const { differing = 0, moves = [] } = (sink && (await beside?.())) ?? {};
    const isAsAsked = differing === 0 && moves.length === 0;
    const counter = new LineCounter();
    await sink?.begin({ ...header, before: { asked, shown: movedTotals(asked, moves), isAsAsked } });
    const kept: Noted = { beside: new KeptRows(), incidents: [], besideStatus: 0, endedElsewhere: 0 };
    for await (const lines of reportLines(noting(source, header, { kept, counter }), header)) {
      signal?.throwIfAborted();
      for (const line of lines) counter.add(line);
      await sink?.write(lines);
    }
    const counted = counter.result(await ledgerTotals());
    const totals = ofOneFile(header.batch, whileMoving(counted, begun !== (await head?.())));
    const { paidAgain = new Map() } = header;
    const outcome = batchOutcome(totals.counts, totals, paidAgainCounts(paidAgain));
    await sink?.end({ totals, outcome, decisions, debits, sent });
    const { linesOut: lines, ties, parts } = totals;
    const { beside: rows, ...noted } = kept;
    return { lines, totals, outcome, ties, parts, ...noted, ...rows.rows(), paidAgain };
  } catch (error) {
    await sink?.abort();
    throw error;
  }
}

const INCIDENTS_MAX = 20;

interface Noted {
  readonly incidents: IncidentRow[];
  readonly beside: KeptRows;
  besideStatus: number;
  endedElsewhere: number;
}

/** Passes pages on and keeps the first rows of each kind that a person has to look at whatever their status. */
async function* noting(
  source: AsyncIterable<readonly LineSource[]>,
  { incidents: noted, paidAgain = new Map() }: ReportHeader,
  { kept, counter }: { readonly kept: Noted; readonly counter: LineCounter },
) {
  for await (const page of source) {
    for (const row of page) {
      noteRow(row, noted, kept);
      for (const earlier of row.replaced) counter.addEarlier(earlier);
      if (isEndedElsewhere(row.payout, paidAgain)) kept.endedElsewhere += 1;
    }
    yield page;
  }
}

function noteRow(row: LineSource, noted: ReportHeader['incidents'], kept: Noted): void {
  const { rowNumber } = row.payout;
  const incidents = incidentsOf(row, noted);
  for (const payout of incidents)
    if (kept.incidents.length < INCIDENTS_MAX) kept.incidents.push(incidentRow(rowNumber, payout, noted));
  const marks = marksOf(row.payout);
  kept.beside.add(row.payout, marks);
  const found = new Set(isToLookAt(marks) ? [...incidents, row.payout] : incidents);
  kept.besideStatus += [...found].filter((payout) => !TO_LOOK_AT.includes(payout.state.status)).length;
}

export function incidentRow(
  rowNumber: number,
  payout: Payout,
  incidents: ReportHeader['incidents'],
): IncidentRow {
  const isOver = cameBackAfter(payout, incidents?.get(payout.id));
  return { rowNumber, payout, noted: notedOf(payout, incidents), isOver };
}

/** The lines of a report, page by page; for a face that shows them itself. */
export async function* reportLines(
  source: AsyncIterable<readonly LineSource[]>,
  header: ReportHeader,
): AsyncGenerator<readonly ReportLine[]> {
  const context = lineContext(header);
  for await (const page of source) yield page.map((row) => reportLineOf(row, context));
}

const DECISIONS_MAX = 5_000;

async function decisionsAbout(id: BatchId, ledger: ReportPorts['ledger']): Promise<Decisions> {
  const { entries, more, head } = await ledger.decisions(id, DECISIONS_MAX);
  return { list: decisionsOf(entries), more, head };
}

async function debitsAbout(id: BatchId, ledger: ReportPorts['ledger']) {
  const sums = new DebitTotals();
  for await (const page of ledger.payouts(id)) for (const payout of page) sums.addPayout(payout);
  return sums.finish();
}

export interface RedoWritten {
  readonly rows: number;
  readonly unpaid: Readonly<Partial<Record<Status, number>>>;
  /** Why rows were left out, with how many. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Writes a file that loads again as input: only rows proven unpaid, in the user's own columns. */
export async function writeRedo(
  header: ReportHeader,
  ports: {
    readonly ledger: Pick<Ledger, 'reportRows' | 'batch' | 'notes' | 'familiesAcross'>;
    readonly openSink: OpenRedoSink;
  },
  options: {
    readonly target: Omit<ReportTarget, 'fullAccounts'>;
    /** Rows that a person withdrew go in as well. */
    readonly withCanceled: boolean;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<RedoWritten> {
  const { ledger } = ports;
  const { file, id } = header.batch;
  // Its columns name the cells of all rows.
  const requireThisFile = async () => requireSameFile(header.batch, await ledger.batch(id));
  await requireThisFile();
  const { madeAt: asOf, reissueAfterMs } = header;
  const [incidents, paidAgain] = [await notedIncidents(id, { ledger }), await paidAgainIn(id, ledger)];
  const { withCanceled } = options;
  const context = { file, asOf, reissueAfterMs, incidents, paidAgain, withCanceled };
  const sink = await ports.openSink(options.target);
  const tally = {
    rows: 0,
    unpaid: {} as Partial<Record<Status, number>>,
    leftOut: new Map<string, number>(),
  };
  try {
    await sink.begin(redoHeaders(file));
    for await (const page of ledger.reportRows(id)) {
      options.signal?.throwIfAborted();
      await writeUnpaid(
        page.map((row) => redoOf(row, context)),
        sink,
        tally,
      );
    }
    await requireThisFile();
    await sink.end();
    return tally;
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

async function writeUnpaid(
  redos: readonly Redo[],
  sink: RedoSink,
  tally: { rows: number; unpaid: Partial<Record<Status, number>>; leftOut: Map<string, number> },
): Promise<void> {
  const rows = redos.flatMap((redo) => (redo.kind === 'unpaid' ? [redo.row] : []));
  for (const redo of redos) {
    if (redo.kind === 'unpaid') tally.unpaid[redo.status] = (tally.unpaid[redo.status] ?? 0) + 1;
    else tally.leftOut.set(redo.why, (tally.leftOut.get(redo.why) ?? 0) + 1);
  }
  tally.rows += rows.length;
  await sink.write(rows);
}

const MOVED =
  'The batch moved while this was read, so its rows and its sums are of different moments. Make it again when the work has ended.';

/** Where rows and sums are not of one moment, what parts them says nothing about either. */
export function whileMoving(totals: ControlTotals, hasMoved: boolean): ControlTotals {
  return totals.ties || !hasMoved ? totals : { ...totals, isMoving: true, parts: [MOVED] };
}

/** A row may stand there twice, as it was and as it was corrected, and sums of both prove nothing. */
function ofOneFile(batch: Batch, totals: ControlTotals): ControlTotals {
  const text = halfReadText(batch);
  return text === undefined ? totals : { ...totals, ties: false, parts: [text, ...totals.parts] };
}

/**
 * All payments of a batch that a report books: the ledger's, each with its events, and with the day on which only a
 * statement or a late answer showed that it was paid after all.
 */

export async function* sentPayouts(
  { id, name }: Pick<Batch, 'id' | 'name'>,
  ledger: Pick<Ledger, 'notes' | 'sentPayouts'>,
): AsyncGenerator<readonly SentPayout[]> {
  const incidents = await incidentTimes(id, { ledger });
  for await (const page of ledger.sentPayouts(id))
    yield page.map((sent) => ({ ...sent, batch: { id, name }, events: withIncident(sent, incidents) }));
}

function withIncident(
  { payout, events }: SentPayout,
  incidents: ReadonlyMap<PayoutId, Timestamp>,
): readonly BookedEvent[] {
  const at = incidents.get(payout.id);
  if (at === undefined) return events;
  const [before, after] = [events.filter((event) => event.at <= at), events.filter((event) => event.at > at)];
  return [...before, { kind: 'incident', at }, ...after];
}
