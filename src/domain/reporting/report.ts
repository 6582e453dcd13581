/**
 * A report: what stands above its lines and what is known when all lines are written.
 */
import type { Batch, BatchOutcome } from '../batches/batch.ts';
import type { Decisions } from '../batches/decisions.ts';
import type { PayoutId } from '../payouts/instruction.ts';
import type { Timestamp } from '../timestamp.ts';
import type { SentPayout } from './booking.ts';
import type { ControlTotals, LedgerTotal } from './control-totals.ts';
import type { Debits, RateAtSend } from './debits.ts';
import type { Period } from './period.ts';

export interface ReportHeader {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** The only value of a report that is not a function of the ledger. */
  readonly madeAt: Timestamp;
  /** How long after the service called a transfer failed it may be paid again. */
  readonly reissueAfterMs: number;
  /** Payouts that a statement or a late answer showed as paid although they were ruled not paid; why, in words. */
  readonly incidents?: ReadonlyMap<PayoutId, string> | undefined;
  /** Rates at which old quotes were sent, oldest first; for what the lines cost at sending. */
  readonly ratesAtSend?: readonly RateAtSend[] | undefined;
  /** What the ledger counts before the first line, for formats whose sums stand above their lines. */
  readonly before?: readonly LedgerTotal[] | undefined;
  /** Set when the lines are those of a span of days instead of one batch; `batch` then only names the columns. */
  readonly period?: Period | undefined;
}

export interface ReportSummary {
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
  /** Asked only by reports that show them: the whole journal of the batch is walked for it. */
  readonly decisions?: (() => Promise<Decisions>) | undefined;
  /** Over days: the same of each batch that has a row in them. */
  readonly batches?:
    | (() => AsyncIterable<{ readonly batch: Batch; readonly decisions: Decisions }>)
    | undefined;
  /** Asked only by reports that show them: the batch is walked once more. */
  readonly debits?: (() => Promise<Debits>) | undefined;
  /** Asked only by reports that book: all payments ever sent, also those that were paid again since. */
  readonly sent?: (() => AsyncIterable<readonly SentPayout[]>) | undefined;
}

/**
 * The columns that a report puts behind the user's own, in their order.
 */
export const REPORT_COLUMNS = [
  'row',
  'status',
  'reason',
  'next_step',
  'transfer_id',
  'service_status',
  'name_check',
  'account_name',
  'currency',
  'amount',
  'rate',
  'fee',
  'fee_currency',
  'debit',
  'attempts',
  'sent_at',
  'settled_at',
  'tag',
  'replaces',
] as const;
export type ReportColumn = (typeof REPORT_COLUMNS)[number];

export const REPLACES_COLUMN = 'payfile_replaces';

/** The column that a fix file puts behind the user's own. Read again it says one thing only: that a row was hidden. */
export const FIX_COLUMN = 'What to fix';

/** A fix file shows what was hidden; what nobody could see must not be paid because of that. */
export const WAS_HIDDEN = 'this row was hidden in your file';

const OURS: ReadonlySet<string> = new Set([
  ...REPORT_COLUMNS.map((column) => `payfile_${column}`),
  FIX_COLUMN.toLowerCase(),
]);

/** Whether a column holds what a fix file told the person: never part of a row. */
export function isFixColumn(header: string): boolean {
  return header.trim().toLowerCase() === FIX_COLUMN.toLowerCase();
}

/**
 * The positions of the user's own columns. A column of ours that came back with the file is left out: it
 * stands anew behind, and twice the same name would let a reader take yesterday's status for today's.
 */
export function ownColumns(headers: readonly string[]): readonly number[] {
  return headers.flatMap((header, at) => (OURS.has(header.trim().toLowerCase()) ? [] : [at]));
}

/** The positions of the columns that a file to be read again needs: the user's own, and which payout a row replaces. */
export function inputColumns(headers: readonly string[]): readonly number[] {
  const own = new Set(ownColumns(headers));
  return [...headers.keys()].filter(
    (at) => own.has(at) || headers[at]?.trim().toLowerCase() === REPLACES_COLUMN,
  );
}

/**
 * The formats of a report and the ends of file names that mean them.
 */
export const REPORT_FORMATS = ['csv', 'json', 'xlsx', 'html', 'pain002'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const ENDINGS: Readonly<Record<ReportFormat, string>> = {
  csv: '.csv',
  json: '.json',
  xlsx: '.xlsx',
  html: '.html',
  // The only report that is XML; people write may.pain002.xml, banks' programs want .xml.
  pain002: '.xml',
};

/** What a file name says; undefined when it says nothing. */
export function formatOfName(path: string): ReportFormat | undefined {
  const name = path.toLowerCase();
  return REPORT_FORMATS.find((format) => name.endsWith(ENDINGS[format]));
}

/** `.csv, .json, …`, for messages. */
export const REPORT_ENDINGS = REPORT_FORMATS.map((format) => ENDINGS[format]).join(', ');
