/**
 * Finds the header row.
 *
 * A title block may stand above it. Which column holds which field is bound by domain/reading/bind-columns.ts.
 * Errors:  FileRefused where no row can be the header.
 */

import { headersOf } from '../domain/reading/answer.ts';
import { bindColumns, readAnswer } from '../domain/reading/bind-columns.ts';
import { columnsCalled } from '../domain/reading/column-called.ts';
import {
  answersFor,
  NOTHING_SAID,
  type Reading,
  type ReadingAsked,
  readingFor,
} from '../domain/reading/reading.ts';
import { isFixColumn } from '../domain/reporting/report-columns.ts';
import { columnLetters, fieldOfHeader, REQUIRED_FIELDS } from '../domain/rows/column-names.ts';
import { columnsWithoutHeader, withNames } from '../domain/rows/no-header.ts';
import type { Field } from '../domain/rows/row.ts';
import { input, type Message, said } from '../domain/text/message.ts';
import { counted } from '../domain/text/printable.ts';
import { FileRefused, type HeaderWords } from '../ports/row-source.ts';
import { type IsTall, standsAbove, withCellsAbove } from './tall-headers.ts';

/** A header further down is only found with --header-row. */
export const HEADER_WITHIN = 25;
export const MOST_COLUMNS = 256;

export interface HeaderRow {
  readonly rowNumber: number;
  readonly cells: readonly string[];
  /** Rows above it that are full enough to be payments. */
  readonly fullRowsAbove?: number;
  /** Some of its cells stand in the row above. */
  readonly isTall?: boolean;
}

export interface HeaderChoice {
  readonly headerRow: number | undefined;
  readonly words?: HeaderWords | undefined;
  readonly asked?: ReadingAsked | undefined;
}

export interface Header {
  readonly rowNumber: number;
  readonly headers: readonly string[];
  /** As far as they are known: a person may be asked. */
  readonly columns: ReadonlyMap<Field, number>;
  /** The columns that hold a field. */
  readonly used: ReadonlyMap<number, Field>;
  /** The file is one of our own reports: cells made harmless with `'` are read without it. */
  readonly isOwnReport: boolean;
  /** Where a fix file said what to fix; the text of ours that stands there makes no row. */
  readonly fixColumn?: number | undefined;
  readonly reading?: Reading | undefined;
  readonly fullRowsAbove?: number | undefined;
  readonly isTall?: boolean | undefined;
}

/** The row that names most fields, the first of them; undefined when no row looks like a header. */
export function likelyHeader(
  rows: readonly HeaderRow[],
  choice: HeaderChoice,
  isTall: IsTall = standsAbove,
): HeaderRow | undefined {
  const header = headerAmong(
    rows.map((row, at) => tallHeader(row, rows[at - 1], choice, isTall) ?? row),
    choice,
  );
  if (header === undefined) return undefined;
  const first = header.rowNumber - (header.isTall === true ? 1 : 0);
  const above = rows.filter((row) => row.rowNumber < first && isFull(row));
  return above.length === 0 ? header : { ...header, fullRowsAbove: above.length };
}

/** The row with cells of the row above, if both together name more fields than either. */
function tallHeader(
  lower: HeaderRow,
  upper: HeaderRow | undefined,
  choice: HeaderChoice,
  isTall: IsTall,
): HeaderRow | undefined {
  const both = choice.words === undefined ? withCellsAbove(lower, upper, isTall) : undefined;
  if (both === undefined || upper === undefined) return undefined;
  const known = countFields(both, choice);
  return known > Math.max(countFields(lower, choice), countFields(upper, choice))
    ? { ...both, isTall: true }
    : undefined;
}

function isFull({ cells }: HeaderRow): boolean {
  return cells.filter((cell) => cell.trim() !== '').length >= REQUIRED_FIELDS.length;
}

function headerAmong(rows: readonly HeaderRow[], choice: HeaderChoice): HeaderRow | undefined {
  if (choice.headerRow !== undefined) return rows.find((row) => row.rowNumber === choice.headerRow);
  const recognised = rows.find((row) => row.rowNumber <= HEADER_WITHIN && isOfKept(row, choice));
  if (recognised !== undefined) return recognised;
  // Otherwise payments between this header and a fuller one further down would not be read.
  const complete = rows.find((row) => row.rowNumber <= HEADER_WITHIN && namesAllNeeded(row, choice));
  if (complete !== undefined) return complete;
  let best: HeaderRow | undefined;
  let most = 1;
  for (const row of rows) {
    const known = countFields(row, choice);
    if (row.rowNumber > HEADER_WITHIN || known <= most) continue;
    best = row;
    most = known;
  }
  return best;
}

function namesAllNeeded(row: HeaderRow, choice: HeaderChoice): boolean {
  if (choice.words !== undefined) return false;
  const named = fieldsOf(row, choice);
  const set = answersTo(row, choice).flatMap((answer) => (answer.kind === 'set' ? [answer.field] : []));
  return REQUIRED_FIELDS.every((field) => named.has(field) || set.includes(field));
}

/** How many of the fields a row names. */
export function countFields(row: HeaderRow, choice: HeaderChoice): number {
  const { words } = choice;
  if (words !== undefined) return new Set(row.cells.flatMap((cell) => words.named(cell) ?? [])).size;
  return fieldsOf(row, choice).size;
}

function fieldsOf(row: HeaderRow, choice: HeaderChoice): ReadonlySet<Field> {
  const fields = new Set<Field>();
  for (const answer of answersTo(row, choice)) {
    if (answer.kind !== 'map' && answer.kind !== 'first_filled') continue;
    const { field, headers } = readAnswer(row.cells, answer);
    if (headers.some((header) => columnsCalled(row.cells, header).length > 0)) fields.add(field);
  }
  for (const cell of row.cells) {
    const field = fieldOfHeader(cell);
    if (field !== undefined) fields.add(field);
  }
  return fields;
}

/** `where` begins every message: the file, and the sheet if there is one. */
export function readHeader(row: HeaderRow, choice: HeaderChoice, where: string): Header {
  const headers = row.cells.map((cell) => cell.trim());
  const place = `${where}, header on row ${row.rowNumber}`;
  if (headers.length > MOST_COLUMNS) {
    throw new FileRefused(
      `${place}: ${counted(headers.length, 'column')}; at most ${MOST_COLUMNS} are read. Take out those that are no part of the table.`,
    );
  }
  const { rowNumber, fullRowsAbove, isTall } = row;
  const found = { rowNumber, headers, fullRowsAbove, isTall };
  if (choice.words !== undefined)
    return { ...found, columns: new Map(), used: new Map(), isOwnReport: false };
  const answers = answersTo(row, choice);
  const said = answers.flatMap(headersOf).flatMap(columnsWithoutHeader);
  const named = withNames(
    headers,
    said.filter((at) => at < MOST_COLUMNS),
  );
  const { columns, used } = bindColumns(named, answers);
  return {
    ...{ ...found, headers: named, columns, used },
    // Redo files have payfile_replaces alone and are written unescaped.
    isOwnReport: headers.some((header) => /^\s*payfile_(?!replaces\s*$)/i.test(header)),
    fixColumn: indexesWhere(headers, isFixColumn)[0],
    reading: readingFor(headers, choice.asked ?? NOTHING_SAID),
  };
}

/** Whether the headers are those of a kept reading. */
function isOfKept({ cells }: HeaderRow, { asked = NOTHING_SAID, words }: HeaderChoice): boolean {
  if (words !== undefined) return false;
  const { kept, use } = asked;
  return (
    readingFor(cells, { kept: use === undefined ? kept : kept.filter(({ name }) => name === use) }) !==
    undefined
  );
}

/** What a person says of a file with this header. */
function answersTo({ cells }: HeaderRow, { asked = NOTHING_SAID, words }: HeaderChoice) {
  return words === undefined ? answersFor(readingFor(cells, asked), asked) : [];
}

/** What the person is told of the header. */
export function headerNotes(header: Header): readonly string[] {
  const { fullRowsAbove } = header;
  return [
    headerPlace(header),
    ...(fullRowsAbove === undefined
      ? []
      : [`rows above the header that look like rows of a table and are not read: ${fullRowsAbove}`]),
  ];
}

export function headerPlace({ rowNumber, isTall }: Header): string {
  if (rowNumber === 0) return 'no header line: columns are named by their letters';
  return `header found on ${isTall === true ? `rows ${rowNumber - 1} and ${rowNumber}` : `row ${rowNumber}`}`;
}

/**
 * Letters as headers, for a file without a header line: a person names columns by letter, or its first row is a payment
 * already. `rows`: the first ones.
 */
export function lettersHeader(
  rows: readonly HeaderRow[],
  { asked, headerRow, words }: HeaderChoice,
): HeaderRow | undefined {
  const { answers = [], kept = [], use } = asked ?? {};
  const used = kept.find(({ name }) => name === use)?.answers ?? [];
  const isByLetter = [...answers, ...used].some(
    (answer) => answer.kind === 'map' && answer.headers.every((header) => /^[A-Z]{1,2}$/.test(header)),
  );
  if (headerRow !== undefined || words !== undefined || !(isByLetter || beginsWithPayment(rows)))
    return undefined;
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return { rowNumber: 0, cells: Array.from({ length: width }, (_, at) => columnLetters(at)) };
}

/** Its first row has an account or a telephone number, an amount, and words. */
function beginsWithPayment(rows: readonly HeaderRow[]): boolean {
  const table = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [first] = table;
  if (first === undefined || first.rowNumber > 1 || maybeHeader(rows) !== undefined || !isFull(first))
    return false;
  const texts = first.cells.map((cell) => cell.trim());
  const hasNumber = texts.some((text) => /^\+?\d[\d -]{5,}$/.test(text));
  const numbers = texts.filter((text) => /^\D{0,5}\d[\d.,' ]*\D{0,5}$/.test(text));
  return hasNumber && numbers.length > 1 && texts.some((text) => /\p{L}{2}/u.test(text));
}

/** A row that may be a header in words of its own. A row with a digit may be a payment, which no message shows. */
export function maybeHeader(rows: readonly HeaderRow[]): HeaderRow | undefined {
  return rows.find(
    (row) => row.rowNumber <= HEADER_WITHIN && isFull(row) && !row.cells.some((cell) => /\d/.test(cell)),
  );
}

const ROW_OR_COLUMNS = said`Name its row with ${input('headerRow', 'N')}, or its columns with ${input('map', 'field="Header"')}; without a header line, by letter: ${input('map', 'account=C')}.`;

/** Where no header was found at all. */
export function noHeader(where: string, choice: HeaderChoice, rows: readonly HeaderRow[]): FileRefused {
  const looked =
    choice.headerRow === undefined
      ? `no header row in the first ${HEADER_WITHIN} rows`
      : `no row ${choice.headerRow} to take as the header`;
  if (choice.words !== undefined)
    return aboutColumns(
      `${where}: ${looked}; expected columns such as ${choice.words.expected}.`,
      ROW_OR_COLUMNS,
      'Say which row holds the names of the columns.',
    );
  const maybe = choice.headerRow === undefined ? maybeHeader(rows) : undefined;
  if (maybe !== undefined) {
    const known = fieldsOf(maybe, choice);
    const unmapped = REQUIRED_FIELDS.filter((field) => !known.has(field));
    return aboutColumns(
      `${where}: row ${maybe.rowNumber} may be the header, but no column of it is known for ${unmapped.join(', ')}. ` +
        `Found: ${listed(maybe.cells)}.`,
      said`Say which columns hold them, by their headers, with ${input('map')}.`,
      'Choose which columns hold them.',
      unmapped,
    );
  }
  return aboutColumns(
    `${where}: ${looked}; expected at least the columns ${REQUIRED_FIELDS.join(', ')}.`,
    said`${ROW_OR_COLUMNS.pieces} A good example: samples/payroll.xlsx`,
    'Choose the row with the names of the columns.',
  );
}

/** What is wrong; what to type; what to do on a page. */
function aboutColumns(
  what: string,
  typed: Message,
  onPage: string,
  unmapped: readonly Field[] = [],
): FileRefused {
  return new FileRefused(said`${what} ${typed.pieces}`, {
    onPage: `${what} ${onPage}`,
    unmapped,
  });
}

function listed(headers: readonly string[]): string {
  const named = headers.flatMap((header, index) =>
    header === '' ? [] : [`${columnLetters(index)} “${header.slice(0, 40)}”`],
  );
  return named.length === 0 ? 'no headers' : named.slice(0, 20).join(', ') + (named.length > 20 ? ' …' : '');
}

function indexesWhere(headers: readonly string[], test: (header: string) => boolean): readonly number[] {
  return headers.flatMap((header, index) => (test(header) ? [index] : []));
}
