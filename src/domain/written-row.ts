/**
 * A row as it was written: its number and its cells as text, with marks on cells that are not plain text.
 */

export interface WrittenRow {
  /** Spreadsheet row (header counts); record number in CSV. */
  readonly rowNumber: number;
  readonly cells: readonly string[];
  readonly marks?: readonly WrittenMark[];
}

export interface WrittenMark {
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
