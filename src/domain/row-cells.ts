/**
 * The cells of one row by field, with outer space removed, and the marks that matter to each.
 *
 * One object is filled again for every row: this runs a million times.
 */
import { FIELDS, type Field } from './row-issue.ts';
import type { WrittenMark, WrittenRow } from './written-row.ts';

export interface RowCells {
  readonly rowNumber: number;
  /** Empty when the file has no such column or the cell is empty. */
  readonly texts: Readonly<Record<Field, string>>;
  /** Fields that the file has a column for. */
  readonly fields: readonly Field[];
  readonly hasMarks: boolean;
  readonly isHidden: boolean;
  isMarked(field: Field, kind: WrittenMark['kind']): boolean;
  /** What the number format of the cell puts around its number. */
  wordsAround(field: Field): string | undefined;
}

/** Use the cells of one row before asking for the next. */
export function createCellReader(columns: ReadonlyMap<Field, number>): (row: WrittenRow) => RowCells {
  const fields = FIELDS.filter((field) => columns.has(field));
  const indexes = fields.map((field) => columns.get(field) ?? -1);
  const texts = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<Field, string>;
  let marks: readonly WrittenMark[] | undefined;
  let rowNumber = 0;
  const cells: RowCells = {
    get rowNumber() {
      return rowNumber;
    },
    texts,
    fields,
    get hasMarks() {
      return marks !== undefined;
    },
    get isHidden() {
      return marks?.some((mark) => mark.kind === 'hidden') === true;
    },
    isMarked: (field, kind) =>
      marks?.some((mark) => mark.kind === kind && mark.column === columns.get(field)) === true,
    wordsAround: (field) =>
      marks?.find((mark) => mark.kind === 'shown_words' && mark.column === columns.get(field))?.words,
  };
  return (row) => {
    marks = row.marks;
    rowNumber = row.rowNumber;
    for (let at = 0; at < fields.length; at += 1) {
      texts[fields[at] as Field] = (row.cells[indexes[at] as number] ?? '').trim();
    }
    return cells;
  };
}
