/**
 * The report over a span of days: every payment that was sent, settled, failed or came back in it, batch by batch, oldest
 * first. Each payment stands as it stood at the end of the last day, whenever the report is made. So reports of months
 * add up: what one closes with, the next one opens with.
 *
 * Proof:   all rows of a batch are counted against what the ledger counts by itself, whether they belong to the span or
 *          not, so a row that got lost shows as totals that do not tie.
 */
import { type Batch, type BatchFile, type BatchOutcome, batchOutcome } from '../../domain/batches/batch.ts';
import { asBatchId } from '../../domain/payouts/instruction.ts';
import { isUnknown } from '../../domain/payouts/payout.ts';
import { AccountsOverDays, type OpenItems } from '../../domain/reporting/accounts-over-days.ts';
import { lineAsAt } from '../../domain/reporting/as-at.ts';
import { bookingsOf, type SentPayout, standingAt } from '../../domain/reporting/booking.ts';
import { type ControlTotals, LineCounter } from '../../domain/reporting/control-totals.ts';
import type { GroupTotals } from '../../domain/reporting/group-totals.ts';
import { JournalAccounts } from '../../domain/reporting/journal-accounts.ts';
import {
  type BatchShare,
  LeftOutRows,
  NEVER_SENT,
  type WhyLeftOut,
} from '../../domain/reporting/left-out.ts';
import type { Period } from '../../domain/reporting/period.ts';
import type { ReportHeader } from '../../domain/reporting/report.ts';
import { lineContext, type ReportLine, reportLineOf } from '../../domain/reporting/report-line.ts';
import type { Field } from '../../domain/rows/row.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { ReportLedger } from '../../ports/ledger/reports.ts';
import type { ReportSink } from '../../ports/outputs.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { triesOf } from '../turned-away-tries.ts';
import { paidAgainIn } from './paid-again.ts';
import { decisionsAbout, groupCounter, keptCells, sentPayouts, whileMoving } from './report-batch.ts';

export interface PeriodReported {
  readonly totals: ControlTotals;
  readonly outcome: BatchOutcome;
  /** Batches with a payment in the span, oldest first. */
  readonly batches: readonly BatchShare[];
  readonly openItems: OpenItems;
  readonly grouped?: GroupTotals | undefined;
}

interface PeriodOptions {
  readonly period: Period;
  /** undefined: only the totals are made. */
  readonly sink: ReportSink | undefined;
  readonly header: Omit<ReportHeader, 'batch' | 'period' | 'before'>;
  readonly signal?: AbortSignal | undefined;
}

type PeriodLedger = Pick<ReportLedger, 'sentPayouts' | 'decisions'> &
  Pick<Ledger, 'batches' | 'payouts' | 'counts' | 'familiesAcross' | 'notes' | 'lastEntry' | 'journalOf'>;

/** The user's columns differ from file to file, so the lines carry these instead. */
const COLUMNS: readonly (readonly [header: string, field: Field | undefined])[] = [
  ['Batch', undefined],
  ['Batch name', undefined],
  ['File', undefined],
  ['Reference', 'reference'],
  ['Country', 'country'],
  ['Institution', 'institution'],
  ['Account', 'account'],
  ['Name', 'name'],
];

export async function reportPeriod(ledger: PeriodLedger, options: PeriodOptions): Promise<PeriodReported> {
  const { period, sink, header, signal } = options;
  // Nothing of a batch can have been sent before it was made.
  const candidates = (await ledger.batches()).filter(({ createdAt }) => createdAt < period.endsAt).reverse();
  const counter = new LineCounter();
  const accounts = new AccountsOverDays(period, new JournalAccounts(header.accounts));
  const checked: BatchChecked[] = [];
  try {
    const shown = columnsOf(period, candidates.length, header.keptColumns);
    const grouping = groupCounter(header.groupBy, shown.file.headers);
    await sink?.begin({ ...header, batch: shown, period });
    for (const batch of candidates) {
      const take = async (lines: readonly ReportLine[]) => {
        signal?.throwIfAborted();
        const placed = lines.map((line, at) => ({ ...line, position: counter.lines + at + 1 }));
        for (const line of placed) {
          counter.add(line);
          grouping?.add(line);
        }
        if (placed.length > 0) await sink?.write(placed);
      };
      checked.push(await walkBatch({ ...header, batch, period }, { ledger, accounts, take }));
    }
    const totals = totalsOf(counter, checked, accounts);
    const batches = checked.filter(({ isOfDays }) => isOfDays).map(({ share }) => share);
    const outcome = batchOutcome(totals.counts, totals);
    const openItems = accounts.openItems();
    const sent = () => sentOf(candidates, ledger, header.keptColumns);
    const decided = () => decisionsIn(batches, ledger);
    const grouped = grouping?.finish();
    await sink?.end({ totals, grouped, outcome, sent, openItems, shares: batches, batches: decided });
    return { totals, grouped, outcome, batches, openItems };
  } catch (error) {
    await sink?.abort();
    throw error;
  }
}

interface BatchChecked {
  readonly share: BatchShare;
  readonly isOfDays: boolean;
  /** How its rows compare with the ledger's own count. */
  readonly parts: readonly string[];
  /** It moved while it was read, so nothing can be compared. */
  readonly isMoving: boolean;
}

interface Walk {
  readonly ledger: PeriodLedger;
  readonly accounts: AccountsOverDays;
  readonly take: (lines: readonly ReportLine[]) => Promise<void>;
}

/** Takes the lines of one batch that belong to the span, page by page. */
async function walkBatch(
  header: ReportHeader & { readonly period: Period },
  { ledger, accounts, take }: Walk,
): Promise<BatchChecked> {
  const { batch, period } = header;
  const incidents = await notedIncidents(batch.id, { ledger });
  const context = lineContext({ ...header, incidents });
  const paidAgain = await paidAgainIn(batch.id, ledger);
  const kept = keptCells(batch.file, header.keptColumns);
  const begun = await ledger.lastEntry(batch.id);
  const leftOut = new LeftOutRows();
  // A row is in the report with any of its payments, whichever is the newest now.
  const [inDays, others] = [new Set<number>(), [] as { row: number; why: WhyLeftOut }[]];
  let seen = 0;
  for await (const page of ledger.payouts(batch.id, { statuses: NEVER_SENT }))
    for (const { rowNumber: row, state } of page) {
      seen += 1;
      others.push({ row, why: state.status });
    }
  for await (const page of sentPayouts(batch, ledger, (cells) => cells)) {
    const lines: ReportLine[] = [];
    const tries = await triesOf(
      page.map(({ payout }) => payout),
      { ledger },
    );
    for (const sent of page) {
      const { payout, cells = [], isCurrent } = sent;
      const standing = standingAt(sent, period);
      if (standing !== undefined) accounts.add(sent, bookingsOf(sent), standing);
      if (isCurrent) seen += 1;
      if (standing?.isOfDays !== true) {
        if (isCurrent) others.push({ row: payout.rowNumber, why: 'other_days' });
        continue;
      }
      inDays.add(payout.rowNumber);
      const line = reportLineOf({ position: 0, payout, cells, replaced: [], tries }, context);
      const other = paidAgain.get(payout.id);
      const isReplaced = !isCurrent || (other !== undefined && !isUnknown(other));
      const ofBatch = { ...line, isReplaced, ...shownOf(line, batch, kept?.(cells)) };
      lines.push(lineAsAt(ofBatch, sent, standing));
    }
    await take(lines);
  }
  for (const other of others) if (!inDays.has(other.row)) leftOut.add(other);
  const allRows = Object.values(await ledger.counts(batch.id)).reduce((sum, count) => sum + count, 0);
  const part = `Batch ${batch.name}: The ledger has ${rowsText(allRows)}, the report ${rowsText(seen)}.`;
  return {
    share: { batch, allRows, rows: inDays.size, leftOut: leftOut.list() },
    isOfDays: inDays.size > 0,
    parts: allRows === seen ? [] : [part],
    isMoving: begun !== (await ledger.lastEntry(batch.id)),
  };
}

/** Sums over rows of several batches have no counterpart in the ledger; the proof is made per batch. */
function totalsOf(
  counter: LineCounter,
  checked: readonly BatchChecked[],
  accounts: AccountsOverDays,
): ControlTotals {
  const parts = checked.flatMap((each) => each.parts);
  const untied = checked.filter((each) => each.parts.length > 0);
  const own = counter.result(counter.result([]).asked);
  const totals = { ...own, accounts: accounts.movements(), ties: parts.length === 0, parts };
  return whileMoving(totals, untied.length > 0 && untied.every(({ isMoving }) => isMoving));
}

/** Of each batch. */
const DECISIONS_MAX = 1_000;

async function* decisionsIn(batches: readonly BatchShare[], ledger: PeriodLedger) {
  for (const { batch } of batches)
    yield { batch, decisions: await decisionsAbout(batch.id, ledger, DECISIONS_MAX) };
}

/** Of every batch, also of those without a payment in the span: they may have payments open from earlier days. */
async function* sentOf(
  batches: readonly Batch[],
  ledger: PeriodLedger,
  keptColumns: readonly string[] | undefined,
): AsyncGenerator<readonly SentPayout[]> {
  for (const batch of batches) yield* sentPayouts(batch, ledger, keptCells(batch.file, keptColumns));
}

/** Whose payment it is, and what the columns of the report hold. */
function shownOf(line: ReportLine, { id, name, file }: Batch, kept: readonly string[] = []) {
  const { reference, country, institution, account } = line;
  const place = [reference, country, institution, account.reveal(), line.name];
  return { cells: [id, name, file.name, ...place, ...kept], batch: { id, name } };
}

/** The batch that the columns of the report belong to; there is none of that name in the ledger. */
function columnsOf(
  { from, to, startsAt }: Period,
  count: number,
  keptColumns: readonly string[] = [],
): Batch {
  const positions = COLUMNS.flatMap(([, field], at): [Field, number][] =>
    field === undefined ? [] : [[field, at]],
  );
  const file: BatchFile = {
    name: counted(count, 'batch', 'batches'),
    sha256: '',
    format: 'csv',
    sheet: undefined,
    headers: [...COLUMNS.map(([name]) => name), ...keptColumns],
    columns: new Map(positions),
  };
  return {
    id: asBatchId(`${from}_${to}`),
    name: `${from} to ${to}`,
    digest: undefined,
    isImporting: false,
    mergedInto: undefined,
    isBound: false,
    revision: 1,
    file,
    maker: '',
    createdAt: startsAt,
    pause: undefined,
    resumedAt: undefined,
    approval: undefined,
  };
}
