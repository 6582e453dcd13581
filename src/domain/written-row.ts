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
    /** Its value comes from another workbook. */
    | 'formula_external'
    | 'error_value'
    | 'boolean'
    | 'date'
    | 'hidden'
    /** The number format leaves out thousands, or all but the first digits. */
    | 'shown_scaled'
    /** The number format leaves out decimals that the number has. */
    | 'shown_rounded'
    /** The number format puts words around the number, such as a currency. */
    | 'shown_words'
    /** The number format shows another text than the one in the cell. */
    | 'shown_text';
  readonly words?: string;
}
