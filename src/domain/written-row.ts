/**
 * A row as it was written: its number and its cells as text, with marks on cells that are not plain text.
 */

export interface WrittenRow {
  /** Spreadsheet row (header counts); record number in CSV. */
  readonly rowNumber: number;
  /** As many as headers, as displayed text, exactly as they were. */
  readonly cells: readonly string[];
  /** Marks on single cells: a number where text was due, a formula, an error value. Absent for most rows. */
  readonly marks?: readonly WrittenMark[];
}

export interface WrittenMark {
  /** Index into headers; −1 for a mark on the whole row. */
  readonly column: number;
  readonly kind:
    | 'number'
    | 'formula'
    | 'formula_without_value'
    | 'error_value'
    | 'boolean'
    | 'date'
    | 'hidden';
}
