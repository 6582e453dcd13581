/**
 * Sheets from descriptions: a table is a list of columns and a list of lines, and a sheet is one table, or a stack of
 * tables and remarks. A cell with a formula also holds its value, so viewers that do not calculate show the same. The
 * style of a cell marks it as the result of a check.
 */
import { columnLetters } from '../../../domain/rows/column-names.ts';
import { type Column, columnsInUse, isNumber, letterOf } from '../../../views/table-columns.ts';
import { cell, cellOf } from './cells.ts';
import { checkRules, LOOK, TAB } from './styles.ts';
import type { Cell, Rule, Sheet, SheetSpec } from './xlsx-workbook.ts';

export interface SheetRow {
  /** undefined: nothing, not even a style. */
  readonly cells: readonly (Cell | undefined)[];
  /** How many lines of text tall. */
  readonly lines?: number;
}

export interface Table<Line> {
  readonly title?: string;
  readonly columns: readonly Column<Line>[];
  readonly lines: readonly Line[];
  readonly headingLines?: number;
}

/** Without the columns that may go and that no line needs. */
export function table<Line>({ title, headingLines = 1, ...given }: Table<Line>): readonly SheetRow[] {
  const { lines } = given;
  const columns = columnsInUse(given.columns, lines);
  const above = title === undefined ? [] : [{ cells: [cell('bold', title)] }];
  const heading = { cells: headings(columns), lines: headingLines };
  return [...above, heading, ...lines.map((line) => lineRow(columns, line))];
}

/** One row each. */
export function remarks(texts: readonly string[]): readonly SheetRow[] {
  return texts.map((text) => ({ cells: [cell('quiet', text)] }));
}

export function rows(...list: readonly (readonly (Cell | undefined)[])[]): readonly SheetRow[] {
  return list.map((cells) => ({ cells }));
}

export const BLANK: readonly SheetRow[] = [{ cells: [] }];

/** Two or more stacks side by side, each from its own column on, counted from 0. */
export function beside(
  ...stacks: readonly (readonly [column: number, rows: readonly SheetRow[]])[]
): SheetRow[] {
  const length = Math.max(...stacks.map(([, each]) => each.length));
  return Array.from({ length }, (_, at) => {
    const cells: (Cell | undefined)[] = [];
    for (const [column, each] of stacks)
      for (const [nth, cell] of (each[at]?.cells ?? []).entries()) cells[column + nth] = cell;
    return { cells: Array.from(cells) };
  });
}

/** Writes them below what is there, and colours the checks among them. */
export function addRows(sheet: Pick<Sheet, 'addRow' | 'rowCount' | 'rule'>, list: readonly SheetRow[]): void {
  const firstRow = sheet.rowCount() + 1;
  for (const { cells, lines } of list) sheet.addRow(cells, lines);
  for (const range of checkRanges(list, firstRow)) sheet.rule(range, checkRules(range.split(':')[0] ?? ''));
}

/** The ranges of cells that say `ties` or `differs by …`: one for those below each other. */
function checkRanges(list: readonly SheetRow[], firstRow: number): readonly string[] {
  const ranges: { column: number; from: number; to: number }[] = [];
  for (const [nth, { cells }] of list.entries()) {
    for (const [column, each] of cells.entries()) {
      if (each?.style !== LOOK.check) continue;
      const at = firstRow + nth;
      const above = ranges.find((range) => range.column === column && range.to === at - 1);
      if (above === undefined) ranges.push({ column, from: at, to: at });
      else above.to = at;
    }
  }
  return ranges.map(({ column, from, to }) => {
    const letter = columnLetters(column);
    return `${letter}${from}:${letter}${to}`;
  });
}

/** A sheet that is one table, written line by line. */
export class TableSheet<Line> {
  readonly #sheet: Sheet;
  readonly #columns: readonly Column<Line>[];
  #lines = 0;

  constructor(sheet: Sheet, columns: readonly Column<Line>[]) {
    this.#sheet = sheet;
    this.#columns = columns;
    sheet.addRow(headings(columns));
  }

  add(line: Line): void {
    this.#lines += 1;
    const { cells, lines } = lineRow(this.#columns, line);
    this.#sheet.addRow(cells, lines);
  }

  /** Colours its rows and lets a person filter them; where there is none, it says so. */
  end(nothing?: string, ruleOf?: (letter: (header: string) => string) => readonly Rule[]): void {
    const sheet = this.#sheet;
    if (this.#lines === 0 && nothing !== undefined) {
      addRows(sheet, [{ cells: [cell('quiet', nothing)] }]);
      return;
    }
    const end = `${columnLetters(this.#columns.length - 1)}${sheet.rowCount()}`;
    sheet.filter(`A1:${end}`);
    if (this.#lines > 0 && ruleOf !== undefined)
      sheet.rule(
        `A2:${end}`,
        ruleOf((header) => letterOf(this.#columns, header)),
      );
  }
}

function headings<Line>(columns: readonly Column<Line>[]): readonly Cell[] {
  return columns.flatMap(({ header, style }) => {
    if (header === '' && style === 'check') return [];
    return [cell(isNumber(style) ? 'numberHeader' : 'header', header)];
  });
}

function lineRow<Line>(columns: readonly Column<Line>[], line: Line): SheetRow {
  const values = columns.map((column) => cellOf(column, line));
  const cells = values.map((given, at) => {
    const { style, formula, isBold } = columns[at] ?? {};
    const bold = style === 'words' ? LOOK.boldWords : LOOK.boldPlain;
    const look = isBold?.(line) === true ? bold : given.style;
    return { value: withFormula(given.value, formula?.(line)), style: look };
  });
  const lines = Math.max(...columns.map((column, at) => linesTall(column, values[at]?.value)));
  while (cells.at(-1)?.value === undefined && columns[cells.length - 1]?.style === 'check') cells.pop();
  return { cells, lines };
}

function withFormula(value: Cell['value'], formula: string | undefined): Cell['value'] {
  const isResult = typeof value === 'string' || typeof value === 'number';
  return formula === undefined || !isResult ? value : { formula, result: value };
}

/** A streamed sheet cannot find the height of wrapped text by itself; counted a little generously. */
function linesTall<Line>({ style, width = 100 }: Column<Line>, text: Cell['value']): number {
  if (typeof text !== 'string') return 1;
  if (style === 'received') return text.split('\n').length;
  return style === 'words' ? Math.ceil(text.length / (width - 2)) : 1;
}

interface Shape {
  readonly name: string;
  readonly widths: readonly number[];
}

/** Characters that stay readable side by side on a page of A4, lying. */
const PAGE_WIDTH = 210;

/** Its header and first columns stay in sight, on the screen and on every page. */
export function dataSheet({ name, widths }: Shape, tab: keyof typeof TAB, columns: number): SheetSpec {
  const sum = (some: readonly number[]) => some.reduce((all, width) => all + width, 0);
  const repeated = sum(widths.slice(0, columns));
  const pagesWide = Math.max(1, Math.ceil((sum(widths) - repeated) / (PAGE_WIDTH - repeated)));
  const repeatedColumns =
    pagesWide > 1 && columns > 0 ? { repeatedColumns: `A:${columnLetters(columns - 1)}` } : {};
  const frozen = { rows: 1, columns };
  return { name, widths, frozen, repeatedRow: 1, pagesWide, ...repeatedColumns, tabColor: TAB[tab] };
}

export function infoSheet({ name, widths }: Shape): SheetSpec {
  return { name, widths, frozen: { rows: 1, columns: 0 }, tabColor: TAB.info };
}

export function widthsOf(columns: readonly { readonly width?: number }[]): readonly number[] {
  return columns.map(({ width }) => width ?? 12);
}
