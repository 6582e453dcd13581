/**
 * Merged cells among the rows of a table. The value stands in one of them and seems to stand in all, so nobody can tell
 * which rows it belongs to. A sheet names them behind its rows.
 */
import type { WrittenMark } from '../../domain/rows/row.ts';
import { FileRefused } from '../../ports/row-source.ts';
import type { Header } from '../header-map.ts';
import type { MergedRange } from './sheet-rows.ts';

const MOST_NAMED = 10;

/** Those that share a row with the rows of the table. `lastRow`: the last one that is not blank. */
export function mergesAmong(
  merges: readonly MergedRange[],
  { rowNumber, headers }: Header,
  lastRow: number,
): readonly MergedRange[] {
  return merges.filter(
    (range) => range.lastRow > rowNumber && range.firstRow <= lastRow && range.firstColumn < headers.length,
  );
}

/** `B5:B9, B12:C12 and 4 more` */
export function addressesOf(ranges: readonly MergedRange[]): string {
  const named = ranges.slice(0, MOST_NAMED).map(({ address }) => address);
  const more = ranges.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

export function mergedRefusal(ranges: readonly MergedRange[], where: string): FileRefused {
  return new FileRefused(
    `${where}: the cells ${addressesOf(ranges)} are merged, so it is not clear which rows their values belong to. ` +
      'Unmerge them, fill in each row, and save the workbook.',
  );
}

/** Marks for the cells of one row after another, in the order of the sheet. `columns`: those that hold fields. */
export function mergedMarks(
  ranges: readonly MergedRange[],
  columns: readonly number[],
  where: string,
): (rowNumber: number) => readonly WrittenMark[] {
  const coming = ranges.toSorted((one, other) => one.firstRow - other.firstRow);
  let next = 0;
  let open: MergedRange[] = [];
  return (rowNumber) => {
    if (open.length === 0 && (coming[next]?.firstRow ?? Number.POSITIVE_INFINITY) > rowNumber) return [];
    for (let range = coming[next]; range !== undefined && range.firstRow <= rowNumber; range = coming[next]) {
      open.push(range);
      next += 1;
    }
    open = open.filter(({ lastRow }) => lastRow >= rowNumber);
    // Ranges that lie in one row have columns of their own; a hostile file must not take time without end.
    if (open.length > MOST_IN_A_ROW) throw mergedRefusal(open, where);
    return open.flatMap(({ firstColumn, lastColumn, address }) =>
      columns
        .filter((column) => firstColumn <= column && column <= lastColumn)
        .map((column) => ({ column, kind: 'merged', words: address }) as const),
    );
  };
}

const MOST_IN_A_ROW = 256;
