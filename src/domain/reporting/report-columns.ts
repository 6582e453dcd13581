/** The columns that a report puts behind the user's own, in their order; and which columns of a file that is read are ours. */

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

/** The column that a fix file puts behind the user's own. When the file is read again, it only tells whether a row was hidden. */
export const FIX_COLUMN = 'What to fix';

/** A fix file shows hidden rows. Its mark keeps them held, because nobody could see them in the first file. */
export const WAS_HIDDEN = 'this row was hidden or struck through in your file';

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
