/**
 * Reports: every row of a batch exactly once, in file order, with control totals checked on the way.
 *
 * Errors:  ReportUnwritable from the sink; the sink is aborted first, so that no half report is left.
 */

import {
  type Batch,
  type BatchFile,
  type BatchOutcome,
  batchOutcome,
  halfReadText,
} from '../../domain/batches/batch.ts';
import { type Decisions, decisionsOf } from '../../domain/batches/decisions.ts';
import { freeRedoName } from '../../domain/next-steps/pay-again.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Status } from '../../domain/payouts/payout.ts';
import { hoursMs } from '../../domain/policy.ts';
import type { BookedEvent, SentPayout } from '../../domain/reporting/booking.ts';
import { type ControlTotals, LineCounter } from '../../domain/reporting/control-totals.ts';
import { CurrencyCounter, type LedgerTotal } from '../../domain/reporting/currency-totals.ts';
import { GroupCounter, type GroupTotals } from '../../domain/reporting/group-totals.ts';
import { type CorrectedRow, type Redo, redoHeaders, redoOf } from '../../domain/reporting/redo.ts';
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import { type LineSource, lineContext, reportLineOf } from '../../domain/reporting/report-line.ts';
import { isSameHeader } from '../../domain/rows/column-names.ts';
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
import { bankFiguresOf } from '../reconcile/bank-figures.ts';
import { incidentTimes, notedIncidents } from '../settle/noted-incidents.ts';
import { pagesWithTries } from '../turned-away-tries.ts';
import { type BesideStatus, besideStatusOf } from './batch-standing.ts';
import { paidAgainCounts, paidAgainIn } from './paid-again.ts';

/** What all rows of a batch came to, and whether they are the ledger's. */
export interface Reported {
  readonly totals: ControlTotals;
  readonly grouped?: GroupTotals | undefined;
  readonly outcome: BatchOutcome;
}

export async function reportHeader(
  batch: Batch,
  ports: Pick<Ports, 'clock' | 'policy' | 'place'> & {
    readonly ledger: Pick<Ledger, 'identity' | 'batchLike'>;
  },
): Promise<ReportHeader> {
  const redoName = await freeRedoName(batch, isTakenIn(ports.ledger));
  return { ...headerOfAll(ports), batch, redoName };
}

/** What the header of every report says: whose it is, when it is made, and by which rules. */
export function headerOfAll({
  ledger: { identity },
  clock,
  policy,
  place,
}: Pick<Ports, 'clock' | 'policy' | 'place'> & { readonly ledger: Pick<Ledger, 'identity'> }) {
  const { environment, timeZone: ledgerZone } = identity;
  const { organization, timeZone = ledgerZone, failConfirmMs, journalAccounts: accounts } = policy;
  const about = { environment, place, organization, timeZone, ledgerZone, accounts, failConfirmMs };
  return { ...about, madeAt: clock.now(), reissueAfterMs: hoursMs(policy.reissueAfterHours) };
}

export interface ReportPorts {
  readonly ledger: Pick<
    ReportLedger,
    'reportRows' | 'totals' | 'besideStatus' | 'familiesAcross' | 'sentPayouts' | 'decisions'
  > &
    Pick<Ledger, 'notes' | 'lastEntry' | 'journalOf'>;
  readonly openSink: OpenReportSink;
}

interface WriteReportOptions extends Pick<ReportSummary, 'decisions' | 'sent'> {
  /** undefined: only the totals are made. */
  readonly sink: ReportSink | undefined;
  /** What the ledger counts by itself; asked before the first line and after the last. */
  readonly ledgerTotals: () => Promise<readonly LedgerTotal[]>;
  /** Rows whose amounts differ; asked before the first line. */
  readonly beside?: (() => Promise<Pick<BesideStatus, 'differing' | 'moves'>>) | undefined;
  /** Where the batch's journal ends: when it grew meanwhile, rows and sums are not of one moment. */
  readonly head?: (() => Promise<number>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Opens the target and writes the batch's report to it. Without a target the totals alone are made. */
export async function reportBatch(
  header: ReportHeader,
  ports: ReportPorts,
  options: {
    readonly target: ReportTarget | undefined;
    readonly groupBy?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Reported> {
  const { ledger } = ports;
  const { id } = header.batch;
  const incidents = await notedIncidents(id, { ledger });
  const paidAgain = await paidAgainIn(id, ledger);
  const keptColumns = options.target?.keptColumns;
  const linesLeftOut = (await ledger.notes(id, 'lines_left_out')).at(-1)?.body;
  // Last, so that whatever fails from here on also aborts it.
  const sink = options.target === undefined ? undefined : await ports.openSink(options.target);
  return writeReport(
    pagesWithTries(ledger.reportRows(id), { ledger }),
    { ...header, incidents, paidAgain, linesLeftOut, keptColumns, groupBy: options.groupBy },
    {
      sink,
      ledgerTotals: () => ledger.totals(id),
      beside: () => besideStatusOf(id, { ledger }),
      head: () => ledger.lastEntry(id),
      decisions: () => decisionsAbout(id, ledger),
      sent: () => sentPayouts(header.batch, ledger, keptCells(header.batch.file, keptColumns)),
      signal: options.signal,
    },
  );
}

export async function writeReport(
  source: AsyncIterable<readonly LineSource[]>,
  header: ReportHeader,
  options: WriteReportOptions,
): Promise<Reported> {
  const { sink, ledgerTotals, beside, head, decisions, sent, signal } = options;
  try {
    const begun = await head?.();
    const asked = await ledgerTotals();
    const { differing = 0, moves = new CurrencyCounter() } = (sink && (await beside?.())) ?? {};
    const moved = moves.shown();
    const isAsAsked = differing === 0 && moved.length === 0;
    const counter = new LineCounter();
    const grouping = groupCounter(header.groupBy, header.batch.file.headers);
    await sink?.begin({ ...header, before: { asked, shown: [...asked, ...moved], isAsAsked } });
    const context = lineContext(header);
    for await (const page of source) {
      signal?.throwIfAborted();
      const lines = page.map((row) => reportLineOf(row, context));
      for (const { replaced } of page) for (const earlier of replaced) counter.addEarlier(earlier);
      for (const line of lines) {
        counter.add(line);
        grouping?.add(line);
      }
      await sink?.write(lines);
    }
    const counted = counter.result(await ledgerTotals());
    const totals = ofOneFile(header.batch, whileMoving(counted, begun !== (await head?.())));
    const { paidAgain = new Map() } = header;
    const outcome = batchOutcome(totals.counts, totals, paidAgainCounts(paidAgain));
    const grouped = grouping?.finish();
    await sink?.end({ totals, grouped, outcome, decisions, sent });
    return { totals, grouped, outcome };
  } catch (error) {
    await sink?.abort();
    throw error;
  }
}

export const groupCounter = (column: string | undefined, headers: readonly string[]) =>
  column === undefined ? undefined : new GroupCounter(column, headers);

const DECISIONS_MAX = 5_000;

/** The first of very many, and how many there are more. */
export async function decisionsAbout(
  id: BatchId,
  ledger: Pick<ReportLedger, 'decisions'>,
  most = DECISIONS_MAX,
): Promise<Decisions> {
  const { entries, more, head } = await ledger.decisions(id, most);
  return { list: decisionsOf(entries), more, head };
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
    readonly only?: CorrectedRow | undefined;
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
  const { withCanceled, only } = options;
  const context = { file, asOf, reissueAfterMs, incidents, paidAgain, withCanceled, only };
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
      const rows = only === undefined ? page : page.filter(({ payout }) => payout.rowNumber === only.row);
      await writeUnpaid(
        rows.map((row) => redoOf(row, context)),
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
 * All payments of a batch that a report books: the ledger's, each with its events, with the day on which only a statement
 * or a late answer showed that it was paid after all, and with what statements showed of it.
 */
export async function* sentPayouts(
  { id, name }: Pick<Batch, 'id' | 'name'>,
  ledger: Pick<Ledger, 'notes' | 'sentPayouts'>,
  kept?: KeptCells | undefined,
): AsyncGenerator<readonly SentPayout[]> {
  const incidents = await incidentTimes(id, { ledger });
  const figures = await bankFiguresOf(id, ledger);
  for await (const page of ledger.sentPayouts(id, { withCells: kept !== undefined }))
    yield page.map((sent) => ({
      ...sent,
      batch: { id, name },
      events: withIncident(sent, incidents),
      bank: figures.get(sent.payout.id),
      cells: kept?.(sent.cells ?? []),
    }));
}

/** What of the cells of a row is given on. */
export type KeptCells = (cells: readonly string[]) => readonly string[];

/**
 * What a row has in the columns of the file that are kept, in their order; empty where the file has no such column, and in
 * rows of an older file with other columns. undefined: no column is kept.
 */
export function keptCells(
  { headers }: Pick<BatchFile, 'headers'>,
  columns: readonly string[] | undefined,
): KeptCells | undefined {
  if (columns === undefined || columns.length === 0) return undefined;
  const places = columns.map((column) => headers.findIndex((header) => isSameHeader(header, column)));
  return (cells) => places.map((at) => (cells.length === headers.length && at >= 0 ? (cells[at] ?? '') : ''));
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
