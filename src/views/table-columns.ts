/**
 * Columns of a table in a report, the same for the workbook and the page: each has a heading, a width, a style and
 * the value of each line. xlsx/cells.ts formats the values for workbook cells, and table.ts for pages.
 *
 * Units:   `width` counts characters, as spreadsheets do.
 */
import type { Money } from '../domain/money/money.ts';
import type { RowLabel } from '../domain/reporting/row-label.ts';
import { columnLetters } from '../domain/rows/column-names.ts';
import type { Timestamp } from '../domain/timestamp.ts';

/** What a column of each style takes; an empty text and undefined are an empty cell. */
export interface Values {
  /** Kept letter by letter: references, ids, accounts. */
  text: string;
  /** One line, however long. */
  plain: string;
  /** Of little interest. */
  quiet: string;
  /** Wrapped, its row as tall as it needs. */
  words: string;
  /** As it stood in the file, with its line breaks. */
  received: string;
  /** For people to write in. */
  input: string;
  status: RowLabel;
  /** A number that is not grouped: of a row, of attempts. */
  row: number | undefined;
  count: number | undefined;
  percent: number;
  /** A decimal in text stays text where a double does not hold its digits. */
  rate: number | string;
  /** Text: a decimal with more digits than its currency has. */
  money: Money | string | undefined;
  /** The same with its currency beside it. */
  coined: Money | string | undefined;
  time: Timestamp | undefined;
  day: Timestamp | undefined;
  /** `ties` or `differs by …`; undefined where there is nothing to check. */
  check: string | undefined;
}
export type Style = keyof Values;

export interface ColumnOf<Line, S extends Style> {
  readonly header: string;
  readonly width?: number;
  readonly style: S;
  readonly value: (line: Line) => Values[S];
  /** Looks the value up on another sheet, where people may change it. */
  readonly formula?: (line: Line) => string;
  readonly isBold?: (line: Line) => boolean;
  /** Left out of a table where no line has anything in it; `unset`: where none has it, not even a zero. */
  readonly mayGo?: true;
}
export type Column<Line> = { [S in Style]: ColumnOf<Line, S> }[Style];

type More<Line> = Omit<ColumnOf<Line, Style>, 'header' | 'style' | 'value'>;
type Maker<S extends Style> = <Line>(
  header: string,
  value: (line: Line) => Values[S],
  more?: More<Line>,
) => ColumnOf<Line, S>;

function maker<S extends Style>(style: S): Maker<S> {
  return (header, value, more = {}) => ({ header, style, value, ...more });
}

/** Makes columns, by their style: `column.text('Currency', ({ currency }) => currency, { width: 10 })`. */
export const column: { readonly [S in Style]: Maker<S> } = {
  text: maker('text'),
  plain: maker('plain'),
  quiet: maker('quiet'),
  words: maker('words'),
  received: maker('received'),
  input: maker('input'),
  status: maker('status'),
  row: maker('row'),
  count: maker('count'),
  percent: maker('percent'),
  rate: maker('rate'),
  money: maker('money'),
  coined: maker('coined'),
  time: maker('time'),
  day: maker('day'),
  check: maker('check'),
};

const NUMBERS: ReadonlySet<Style> = new Set(['row', 'count', 'percent', 'rate', 'money', 'coined']);

/** Stands to the right, and so does its heading. */
export function isNumber(style: Style): boolean {
  return NUMBERS.has(style);
}

/** Without the columns that may go and that no line needs. */
export function columnsInUse<Line>(
  columns: readonly Column<Line>[],
  lines: readonly Line[],
): readonly Column<Line>[] {
  return columns.filter(
    ({ mayGo, value }) => mayGo === undefined || lines.some((line) => isSomething(value(line))),
  );
}

function isSomething(value: Values[Style]): boolean {
  if (typeof value === 'object') return !('minor' in value) || value.minor !== 0n;
  return value !== undefined && value !== '' && value !== 0;
}

/** Throws TypeError if no column has this heading. */
export function letterOf(columns: readonly { readonly header: string }[], header: string): string {
  const at = columns.findIndex((column) => column.header === header);
  if (at < 0) throw new TypeError(`No column is called ${header}`);
  return columnLetters(at);
}
