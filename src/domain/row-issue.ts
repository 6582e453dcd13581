/**
 * An issue: one thing wrong with one row, for a person to read beside the cell.
 */

export const FIELDS = [
  'reference',
  'country',
  'institution',
  'account',
  'name',
  'phone',
  'amount',
  'currency',
  'note',
  'source',
  'replaces',
] as const;
export type Field = (typeof FIELDS)[number];

export interface RowIssue {
  /** A stable word for machines, e.g. `amount_too_precise`. */
  readonly kind: string;
  readonly field: Field;
  /** The user's own column header; undefined when the file has no such column. */
  readonly column: string | undefined;
  /** Spreadsheet letters of the column (`F`), when the file has the column. */
  readonly columnLetter: string | undefined;
  /** What stands in the cell; account cells are masked beyond their last four characters. */
  readonly seen: string;
  /** What was expected, in words that finish the sentence "expected …". */
  readonly expected: string;
  /** What to do, one sentence; undefined when nothing better than `expected` can be said. */
  readonly suggestion: string | undefined;
}
