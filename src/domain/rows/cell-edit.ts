/**
 * A correction of one cell, kept beside the file: the file itself stays as it was brought.
 */
import type { Timestamp } from '../timestamp.ts';
import type { WrittenRow } from './row.ts';

/** A correction of one cell, kept beside the file. It counts only while the cell still has the text `was`. */
export interface CellEdit {
  /** As the file counts its rows. */
  readonly row: number;
  /** Index into the headers. */
  readonly column: number;
  /** What stands in the cell. Where something else stands there, the correction is of another cell. */
  readonly was: string;
  readonly text: string;
  /** Who corrected it and when, where that was not whoever brings the file, now. */
  readonly by?: string | undefined;
  readonly at?: Timestamp | undefined;
}

/** The row with its corrections, of which all are its own; or the first that is of another text. */
export function editedRow(
  row: WrittenRow,
  edits: readonly CellEdit[],
): WrittenRow | { readonly odd: CellEdit } {
  const cells = [...row.cells];
  const edited = new Set<number>();
  for (const edit of edits) {
    const { column, was, text } = edit;
    if ((row.cells[column] ?? '') !== was || column < 0 || column >= cells.length || edited.has(column))
      return { odd: edit };
    cells[column] = text;
    edited.add(column);
  }
  // What a person typed is plain text; hidden it stays, for it is the row or the column that is hidden.
  const marks = (row.marks ?? []).filter(({ column, kind }) => !edited.has(column) || kind === 'hidden');
  const { rowNumber } = row;
  return marks.length === 0 ? { rowNumber, cells } : { rowNumber, cells, marks };
}
