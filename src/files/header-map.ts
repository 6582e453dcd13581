/**
 * Finds the header row and which column holds which field.
 *
 * A title block may stand above it. Columns are bound by alias or by --map, never by likeness or position.
 * Errors:  FileRefused naming the columns and the flag that settles it.
 */

import { isFixColumn } from '../domain/reporting/report-columns.ts';
import {
  columnLetters,
  comparedAsNames,
  fieldMaybeMeant,
  fieldOfHeader,
  isSameHeader,
  nameColumnsOf,
  namePartsOf,
  REQUIRED_FIELDS,
} from '../domain/rows/column-names.ts';
import { type Mapping, recognisedMapping } from '../domain/rows/mapping.ts';
import type { Field } from '../domain/rows/row.ts';
import { input, type Message, said } from '../domain/text/message.ts';
import { counted } from '../domain/text/printable.ts';
import { FileRefused, type HeaderWords } from '../ports/row-source.ts';
import { type IsTall, standsAbove, withCellsAbove } from './tall-headers.ts';

/** A header further down is only found with --header-row. */
export const HEADER_WITHIN = 25;
const MOST_COLUMNS = 256;

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
  readonly map: ReadonlyMap<Field, string> | undefined;
  readonly words?: HeaderWords | undefined;
  readonly mappings?: readonly Mapping[] | undefined;
}

export interface Header {
  readonly rowNumber: number;
  readonly headers: readonly string[];
  readonly columns: ReadonlyMap<Field, number>;
  /** The file is one of our own reports: cells made harmless with `'` are read without it. */
  readonly isOwnReport: boolean;
  /** Where a fix file said what to fix; the text of ours that stands there makes no row. */
  readonly fixColumn?: number | undefined;
  readonly mapping?: Mapping | undefined;
  readonly fullRowsAbove?: number | undefined;
  readonly isTall?: boolean | undefined;
  /** What was decided between columns that name one field, for the person. */
  readonly choices?: readonly string[];
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
  const recognised = rows.find(
    (row) => row.rowNumber <= HEADER_WITHIN && mappingOf(row, choice) !== undefined,
  );
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
  return REQUIRED_FIELDS.every((field) => named.has(field));
}

/** How many of the fields a row names. */
export function countFields(row: HeaderRow, choice: HeaderChoice): number {
  const { words } = choice;
  if (words !== undefined) return new Set(row.cells.flatMap((cell) => words.named(cell) ?? [])).size;
  return fieldsOf(row, choice).size;
}

function fieldsOf(row: HeaderRow, choice: HeaderChoice): ReadonlySet<Field> {
  const mapped = [...mapOf(row, choice)].filter(([, header]) =>
    row.cells.some((cell) => isSameHeader(cell, header)),
  );
  const fields = new Set<Field>(mapped.map(([field]) => field));
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
  const columns = new Map<Field, number>();
  const { rowNumber, fullRowsAbove, isTall } = row;
  if (choice.words !== undefined) return { rowNumber, headers, columns, isOwnReport: false, fullRowsAbove };
  for (const [field, header] of mapOf(row, choice))
    columns.set(field, mappedColumn(headers, field, header, place));
  const choices = bindAliases(headers, columns, place);
  requireOwnColumn(headers, columns, place);
  const missing = REQUIRED_FIELDS.filter((field) => !columns.has(field));
  if (missing.length > 0) throw missingColumns(headers, missing, place);
  return {
    rowNumber: row.rowNumber,
    headers,
    columns,
    // Redo files have payfile_replaces alone and are written unescaped.
    isOwnReport: headers.some((header) => /^\s*payfile_(?!replaces\s*$)/i.test(header)),
    fixColumn: indexesWhere(headers, isFixColumn)[0],
    mapping: mappingOf(row, choice),
    fullRowsAbove,
    isTall,
    choices,
  };
}

/** Read as anything else, a row that was paid again would be a payment of its own. */
function requireOwnColumn(
  headers: readonly string[],
  columns: ReadonlyMap<Field, number>,
  place: string,
): void {
  const own = headers.findIndex((header) => /^payfile_replaces$/i.test(header));
  if (own === -1 || columns.get('replaces') === own) return;
  throw aboutColumns(
    `${place}: the column “payfile_replaces” says which payment a row pays again, and it is said to hold something else.`,
    said`Take it out of ${input('map')}, or out of the saved mapping.`,
    'Choose the columns again.',
  );
}

function mappingOf({ cells }: HeaderRow, { mappings, words }: HeaderChoice): Mapping | undefined {
  return words === undefined ? recognisedMapping(cells, mappings ?? []) : undefined;
}

/** What was said of the columns: now with --map, or once and for all in a saved mapping. */
function mapOf(row: HeaderRow, choice: HeaderChoice): ReadonlyMap<Field, string> {
  return new Map([...(mappingOf(row, choice)?.columns ?? []), ...(choice.map ?? [])]);
}

/** What the person is told of the header, and of a mapping that was recognised. */
export function headerNotes(header: Header): readonly string[] {
  const { fullRowsAbove, mapping, choices = [] } = header;
  return [
    headerPlace(header),
    ...(fullRowsAbove === undefined
      ? []
      : [`rows above the header that look like rows of a table and are not read: ${fullRowsAbove}`]),
    ...choices,
    ...(mapping === undefined ? [] : [`columns as in the saved mapping “${mapping.name}”`]),
  ];
}

export function headerPlace({ rowNumber, isTall }: Header): string {
  return `header found on ${isTall === true ? `rows ${rowNumber - 1} and ${rowNumber}` : `row ${rowNumber}`}`;
}

/** A row that may be a header in words of its own. A row with a digit may be a payment, which no message shows. */
export function maybeHeader(rows: readonly HeaderRow[]): HeaderRow | undefined {
  return rows.find(
    (row) => row.rowNumber <= HEADER_WITHIN && isFull(row) && !row.cells.some((cell) => /\d/.test(cell)),
  );
}

const ROW_OR_COLUMNS = said`Name its row with ${input('headerRow', 'N')}, or its columns with ${input('map', 'field="Header"')}.`;

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
    isAboutColumns: true,
    unmapped,
  });
}

function mappedColumn(headers: readonly string[], field: Field, header: string, place: string): number {
  const exact = indexesWhere(headers, (each) => each === header.trim());
  const matches = exact.length > 0 ? exact : indexesWhere(headers, (each) => isSameHeader(each, header));
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  const found =
    matches.length > 1 ? `stands in columns ${matches.map(columnLetters).join(' and ')}` : 'is not there';
  const has = `Found: ${listed(headers)}.`;
  throw new FileRefused(
    said`${place}: ${input('map', `${field}="${header}"`)}: that header ${found}. ${has} Write the header whole, as it stands there, and not its letter.`,
    {
      onPage: `${place}: “${header}” was said to hold ${field}, and it ${found}. ${has} Choose the columns again.`,
      isAboutColumns: true,
    },
  );
}

/** Fields for which the wrong one of two columns would pay another amount, or another person. */
const MONEY_FIELDS: ReadonlySet<Field> = new Set(['amount', 'account']);

/** Binds columns by what they are called; what it chose between two of them. */
function bindAliases(
  headers: readonly string[],
  columns: Map<Field, number>,
  place: string,
): readonly string[] {
  const choices: string[] = [];
  const byMap = new Set(columns.keys());
  const bothMean = (field: Field, verb: string, at: readonly [number, number], after = '') => {
    const named = at.map((each) => `${columnLetters(each)} “${headers[each]}”`).join(' and ');
    return aboutColumns(
      `${place}: columns ${named} ${verb} ${field}.`,
      said`Say which one counts with ${input('map', `${field}="Header"`)}${after}.`,
      `Choose which one counts${after}.`,
    );
  };
  const taken = new Set(columns.values());
  const parts = namePartsOf(headers);
  for (const [index, header] of headers.entries()) {
    const field = taken.has(index) || parts.has(index) ? undefined : fieldOfHeader(header);
    if (field === undefined || byMap.has(field)) continue;
    const other = columns.get(field);
    if (other === undefined) {
      columns.set(field, index);
      continue;
    }
    const compared = field === 'note' ? comparedAsNames(field, header, headers[other] ?? '') : 0;
    if (compared !== 0) {
      const [better, left] = compared < 0 ? [index, other] : [other, index];
      columns.set(field, better);
      choices.push(`“${headers[better]}” is taken as the note, and “${headers[left]}” is not used`);
      continue;
    }
    const isSame = headers[other] === header;
    throw bothMean(field, 'both mean', [other, index], isSame ? ', after giving them different headers' : '');
  }
  for (const [index, header] of headers.entries()) {
    const field = fieldMaybeMeant(header);
    const other =
      field === undefined || taken.has(index) || byMap.has(field) ? undefined : columns.get(field);
    if (field === undefined || other === undefined || !MONEY_FIELDS.has(field)) continue;
    throw bothMean(field, 'may both mean', [other, index]);
  }
  return columns.has('name') ? choices : [...choices, ...joinedName(headers, columns, place)];
}

/** A name in several columns: which they are. Two columns for one part of it would make a name that nobody has. */
function joinedName(
  headers: readonly string[],
  columns: ReadonlyMap<Field, number>,
  place: string,
): readonly string[] {
  const joined = nameColumnsOf({ headers, columns });
  const parts = [...namePartsOf(headers)].filter(([at]) => joined.includes(at));
  const named = (at: number) => `${columnLetters(at)} “${headers[at]}”`;
  for (const [at, part] of parts) {
    const twin = parts.find(([other, of]) => of === part && other !== at)?.[0];
    if (twin === undefined) continue;
    throw aboutColumns(
      `${place}: columns ${named(at)} and ${named(twin)} both mean the ${part} name.`,
      said`Give one of them another header, or say which column holds the whole name with ${input('map', 'name="Header"')}.`,
      'Give one of them another header, or choose the column that holds the whole name.',
    );
  }
  return joined.length === 0 ? [] : [`the name is taken from ${joined.map(named).join(' and ')}`];
}

function missingColumns(headers: readonly string[], missing: readonly Field[], place: string): FileRefused {
  const maps = missing.flatMap((field, at) => [at === 0 ? '' : ' ', input('map', `${field}="Header"`)]);
  const [columns, them] = missing.length === 1 ? ['column holds', 'it'] : ['columns hold', 'them'];
  const headed = missing.length === 1 ? 'its header' : 'their headers';
  return aboutColumns(
    `${place}: no column for ${missing.map(explained).join(', ')}. Found: ${listed(headers)}.` +
      `${missing.includes('amount') ? whyNoAmount(headers) : ''}`,
    said`Say which ${columns} ${them}, by ${headed}, with ${maps}; or add ${them} to the table.`,
    `Choose which ${columns} ${them}; or add ${them} to the table in the file.`,
    missing,
  );
}

/** `Net Pay (GHS)` looks like the amount, and it is for the person to say that it is. */
function whyNoAmount(headers: readonly string[]): string {
  const header = headers.find((each) => fieldOfHeader(each.replace(/\([^()]*\)/g, '')) === 'amount');
  return header === undefined
    ? ''
    : ` “${header.slice(0, 40)}” is not taken by itself, because of what stands in brackets: an amount is always paid ` +
        "in the currency of the row's institution.";
}

function explained(field: Field): string {
  return field === 'institution' ? 'institution (bank or mobile money provider)' : field;
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
