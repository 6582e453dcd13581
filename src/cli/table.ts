/**
 * A table for a terminal: columns as wide as they need, numbers on the right, two spaces between. One that is wider
 * than the terminal is shown another way, because a broken number is a wrong number.
 */
import { widthOf, wrapped } from './wrapped.ts';

export interface Column {
  readonly title: string;
  readonly right?: boolean;
}

/** Lines without a newline at the end; empty when there are no rows. */
export function tableOf(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, at) =>
    [titles, ...rows].reduce((width, row) => Math.max(width, widthOf(row[at] ?? '')), 0),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ right }, at) => pad(cells[at] ?? '', widths[at] ?? 0, right === true))
      .join('  ')
      .trimEnd();
  return [line(titles), ...rows.map(line)];
}

/** Where the table is too wide: each row as a block, its first cell above, the others by their titles. */
export function tableOrBlocks(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const table = tableOf(columns, rows);
  if (fits(table, width)) return table;
  const titleWidth = Math.max(...columns.map(({ title }) => widthOf(title)));
  return rows.flatMap((cells) =>
    cells.flatMap((cell, at) => {
      if (at === 0) return [cell];
      return cell === '' ? [] : [`  ${pad(columns[at]?.title ?? '', titleWidth, false)}  ${cell}`];
    }),
  );
}

/** Where the table is too wide: the last column, which is prose, below its row. */
export function tableWithProse(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const table = tableOf(columns, rows);
  if (fits(table, width)) return table;
  const [titles = '', ...heads] = tableOf(
    columns.slice(0, -1),
    rows.map((cells) => cells.slice(0, -1)),
  );
  const below = (prose: string) => wrapped(prose, width - 4, '').map((line) => `    ${line}`);
  return [titles, ...heads.flatMap((head, at) => [head, ...below(rows[at]?.at(-1) ?? '')])];
}

export function fits(lines: readonly string[], width: number): boolean {
  return lines.every((line) => widthOf(line) <= width);
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
}
