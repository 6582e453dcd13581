/** A cell that is made from others: what is odd about those is odd about it. */
import type { WrittenMark, WrittenRow } from '../rows/row.ts';
import { columnCalled } from './column-called.ts';

/** Where these columns stand; undefined where one of them is not there, which is asked about elsewhere. */
export function cellsAt(
  headers: readonly string[],
  called: readonly string[],
): readonly number[] | undefined {
  const found = called.flatMap((header) => columnCalled(headers, header) ?? []);
  return found.length === called.length ? found : undefined;
}

/** The row with one more cell behind its own. */
export function withMadeCell(
  row: WrittenRow,
  text: string,
  from: readonly number[],
  isKept: (kind: WrittenMark['kind']) => boolean = () => true,
): WrittenRow {
  const { rowNumber, cells, marks } = row;
  const made = { rowNumber, cells: [...cells, text] };
  if (marks === undefined) return made;
  const column = cells.length;
  const own = marks.flatMap((mark) =>
    from.includes(mark.column) && isKept(mark.kind) ? [{ ...mark, column }] : [],
  );
  return { ...made, marks: [...marks, ...own] };
}

/** The row with another text in one of its cells. */
export function withCell(row: WrittenRow, at: number, text: string): WrittenRow {
  return { ...row, cells: row.cells.with(at, text) };
}
