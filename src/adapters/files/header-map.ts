/**
 * Finds the header row and which column holds which field.
 *
 * A title block may stand above it. Columns are bound by alias or by --map, never by likeness or position.
 * Errors:  FileRefused naming the columns and the flag that settles it.
 */
import { columnLetters, fieldOfHeader, isSameHeader, REQUIRED_FIELDS } from '../../domain/header-alias.ts';
import { type Mapping, recognisedMapping } from '../../domain/mapping.ts';
import type { Field } from '../../domain/row-issue.ts';
import { FileRefused, type HeaderWords } from '../../ports/row-source.ts';

/** A header further down is only found with --header-row. */
export const HEADER_WITHIN = 25;
export const MOST_COLUMNS = 256;

export interface HeaderRow {
  readonly rowNumber: number;
  readonly cells: readonly string[];
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
  readonly mapping?: Mapping | undefined;
}

/** The row that names most fields, the first of them; undefined when no row looks like a header. */
export function likelyHeader(rows: readonly HeaderRow[], choice: HeaderChoice): HeaderRow | undefined {
  if (choice.headerRow !== undefined) return rows.find((row) => row.rowNumber === choice.headerRow);
  const recognised = rows.find(
    (row) => row.rowNumber <= HEADER_WITHIN && mappingOf(row, choice) !== undefined,
  );
  if (recognised !== undefined) return recognised;
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

/** How many of the fields a row names. */
export function countFields(row: HeaderRow, choice: HeaderChoice): number {
  const { words } = choice;
  if (words !== undefined) return new Set(row.cells.flatMap((cell) => words.named(cell) ?? [])).size;
  const mapped = [...mapOf(row, choice)].filter(([, header]) =>
    row.cells.some((cell) => isSameHeader(cell, header)),
  );
  const fields = new Set<Field>(mapped.map(([field]) => field));
  for (const cell of row.cells) {
    const field = fieldOfHeader(cell);
    if (field !== undefined) fields.add(field);
  }
  return fields.size;
}

/** `where` begins every message: the file, and the sheet if there is one. */
export function readHeader(row: HeaderRow, choice: HeaderChoice, where: string): Header {
  const headers = row.cells.map((cell) => cell.trim());
  const place = `${where}, header on row ${row.rowNumber}`;
  if (headers.length > MOST_COLUMNS) {
    throw new FileRefused(
      `${place}: ${headers.length} columns; at most ${MOST_COLUMNS} are read. Take out those that are no part of the table.`,
    );
  }
  const columns = new Map<Field, number>();
  if (choice.words !== undefined) return { rowNumber: row.rowNumber, headers, columns, isOwnReport: false };
  for (const [field, header] of mapOf(row, choice))
    columns.set(field, mappedColumn(headers, field, header, place));
  bindAliases(headers, columns, place);
  const missing = REQUIRED_FIELDS.filter((field) => !columns.has(field));
  if (missing.length > 0) throw missingColumns(headers, missing, place);
  return {
    rowNumber: row.rowNumber,
    headers,
    columns,
    // Redo files have payfile_replaces alone and are written unescaped.
    isOwnReport: headers.some((header) => /^\s*payfile_(?!replaces\s*$)/i.test(header)),
    mapping: mappingOf(row, choice),
  };
}

function mappingOf({ cells }: HeaderRow, { mappings, words }: HeaderChoice): Mapping | undefined {
  return words === undefined ? recognisedMapping(cells, mappings ?? []) : undefined;
}

/** What was said of the columns: now with --map, or once and for all in a saved mapping. */
function mapOf(row: HeaderRow, choice: HeaderChoice): ReadonlyMap<Field, string> {
  return new Map([...(mappingOf(row, choice)?.columns ?? []), ...(choice.map ?? [])]);
}

/** What the person is told of a mapping that was recognised. */
export function mappingNotes({ mapping }: Header): readonly string[] {
  return mapping === undefined ? [] : [`columns as in the saved mapping “${mapping.name}”`];
}

/** Where no header was found at all. */
export function noHeader(where: string, choice: HeaderChoice): FileRefused {
  const looked =
    choice.headerRow === undefined
      ? `no header row in the first ${HEADER_WITHIN} rows`
      : `no row ${choice.headerRow} to take as the header`;
  if (choice.words !== undefined)
    return new FileRefused(
      `${where}: ${looked}; expected columns such as ${choice.words.expected}. Name its row with --header-row N, ` +
        'or its columns with --map field="Header".',
    );
  return new FileRefused(
    `${where}: ${looked}; expected at least the columns ${REQUIRED_FIELDS.join(', ')}. Name its row with ` +
      '--header-row N, or its columns with --map field="Header". A good example: samples/payroll.xlsx',
  );
}

function mappedColumn(headers: readonly string[], field: Field, header: string, place: string): number {
  const exact = indexesWhere(headers, (each) => each === header.trim());
  const matches = exact.length > 0 ? exact : indexesWhere(headers, (each) => isSameHeader(each, header));
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  const found =
    matches.length > 1 ? `stands in columns ${matches.map(columnLetters).join(' and ')}` : 'is not there';
  throw new FileRefused(
    `${place}: --map ${field}="${header}": that header ${found}. Found: ${listed(headers)}.`,
  );
}

function bindAliases(headers: readonly string[], columns: Map<Field, number>, place: string): void {
  const byMap = new Set(columns.keys());
  const taken = new Set(columns.values());
  for (const [index, header] of headers.entries()) {
    const field = taken.has(index) ? undefined : fieldOfHeader(header);
    if (field === undefined || byMap.has(field)) continue;
    const other = columns.get(field);
    if (other === undefined) {
      columns.set(field, index);
      continue;
    }
    const named = [other, index].map((each) => `${columnLetters(each)} “${headers[each]}”`).join(' and ');
    throw new FileRefused(
      `${place}: columns ${named} both mean ${field}. Say which one counts with --map ${field}="Header"` +
        `${headers[other] === header ? ', after giving them different headers' : ''}.`,
    );
  }
}

function missingColumns(headers: readonly string[], missing: readonly Field[], place: string): FileRefused {
  const maps = missing.map((field) => `--map ${field}="Header"`).join(' ');
  return new FileRefused(
    `${place}: no column for ${missing.join(', ')}. Found: ${listed(headers)}. Name the columns with ${maps}.`,
  );
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
