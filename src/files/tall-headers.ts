/**
 * A header of two rows: cells that are merged over both rows have their text in the upper one.
 *
 * A band of groups above the header names several columns, and is the header of none.
 */
import type { MergedRange } from './xlsx/sheet-rows.ts';

interface Row {
  readonly rowNumber: number;
  readonly cells: readonly string[];
}

/** Whether the cell of this column in the upper row is the header of the column below. */
export type IsTall = (column: number, upper: Row, lower: Row) => boolean;

/** The lower row with what stands above its empty cells; undefined where nothing does. */
export function withCellsAbove<Lower extends Row>(
  lower: Lower,
  upper: Row | undefined,
  isTall: IsTall,
): Lower | undefined {
  if (upper === undefined || upper.rowNumber !== lower.rowNumber - 1) return undefined;
  const width = Math.max(upper.cells.length, lower.cells.length);
  const cells = Array.from({ length: width }, (_, at) =>
    textAt(lower, at) === '' && textAt(upper, at) !== '' && isTall(at, upper, lower)
      ? textAt(upper, at)
      : (lower.cells[at] ?? ''),
  );
  return cells.every((cell, at) => cell === (lower.cells[at] ?? '')) ? undefined : { ...lower, cells };
}

/** Where no cell is merged, as in CSV: the upper row is a row of headers, and the next column has one of its own there. */
export const standsAbove: IsTall = (column, upper, lower) => {
  const filled = upper.cells.filter((cell) => cell.trim() !== '');
  if (filled.length < 2 || filled.some((cell) => /\d/.test(cell))) return false;
  return textAt(upper, column + 1) !== '' || textAt(lower, column + 1) === '';
};

/** In a sheet with these merged cells. */
export function isTallAmong(merges: readonly MergedRange[]): IsTall {
  return (column, upper, lower) => {
    const range = merges.find(
      (each) =>
        each.firstRow <= upper.rowNumber &&
        upper.rowNumber <= each.lastRow &&
        each.firstColumn <= column &&
        column <= each.lastColumn,
    );
    if (range === undefined) return standsAbove(column, upper, lower);
    return range.firstColumn === range.lastColumn && range.lastRow === lower.rowNumber;
  };
}

/** An empty cell of the header has text somewhere above it. */
export function mayBeMerged(header: Row, rows: readonly Row[]): boolean {
  const above = rows.filter(({ rowNumber }) => rowNumber < header.rowNumber);
  return above.some(({ cells }) => cells.some((cell, at) => cell.trim() !== '' && textAt(header, at) === ''));
}

/** The header with the texts of cells that are merged down to it, each in one column, from whatever row above. */
export function withMergedCells<Header extends Row & { readonly isTall?: boolean }>(
  header: Header,
  rows: readonly Row[],
  merges: readonly MergedRange[],
): Header {
  const cells = [...header.cells];
  for (const { firstRow, lastRow, firstColumn, lastColumn } of merges) {
    const isTall = firstRow < header.rowNumber && lastRow === header.rowNumber && firstColumn === lastColumn;
    const top = isTall ? rows.find(({ rowNumber }) => rowNumber === firstRow) : undefined;
    if (top === undefined || textAt(header, firstColumn) !== '') continue;
    while (cells.length <= firstColumn) cells.push('');
    cells[firstColumn] = textAt(top, firstColumn);
  }
  return cells.every((cell, at) => cell === (header.cells[at] ?? ''))
    ? header
    : { ...header, cells, isTall: true };
}

function textAt({ cells }: Row, column: number): string {
  return (cells[column] ?? '').trim();
}
