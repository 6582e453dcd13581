/**
 * One cell of a sheet → the text that a person sees in it, and marks for what they do not see.
 */
import type { WrittenMark } from '../../domain/written-row.ts';
import { dateText, numberText, unescaped } from './cell-text.ts';
import { numberFormat } from './number-format.ts';
import type { Workbook } from './workbook-parts.ts';

export interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string | undefined;
  /** undefined: no formula; often empty for one that is shared with other cells. */
  formula: string | undefined;
  /** The formula, or the one that it is shared with, reaches into another workbook. */
  isExternal: boolean;
}

export type CellMeaning = Pick<Workbook, 'sheets' | 'sharedStrings' | 'formats' | 'is1904'>;

/** Appends marks to `marks`; undefined when the cell points at a text that the workbook does not have. */
export function cellText(cell: Cell, workbook: CellMeaning, marks: WrittenMark[]): string | undefined {
  const { column, type, value, formula } = cell;
  const mark = (kind: WrittenMark['kind']) => marks.push({ column, kind });
  if (cell.isExternal) mark('formula_external');
  else if (formula !== undefined) mark(value === undefined ? 'formula_without_value' : 'formula');
  const text = value ?? '';
  switch (type) {
    case 's': {
      if (text === '') return '';
      const shared = /^\s*\d+\s*$/.test(text) ? workbook.sharedStrings[Number.parseInt(text, 10)] : undefined;
      return shared === undefined ? undefined : shownText(cell, unescaped(shared), workbook, marks);
    }
    case 'str':
    case 'inlineStr':
      return shownText(cell, unescaped(text), workbook, marks);
    case 'b':
      if (text === '') return '';
      mark('boolean');
      return text === '1' || text === 'true' ? 'TRUE' : 'FALSE';
    case 'e':
      mark('error_value');
      return text;
    case 'd':
      mark('date');
      return text;
    default:
      return text === '' ? '' : shownNumber(cell, text, workbook, marks);
  }
}

function shownText(
  { column, style }: Cell,
  text: string,
  { formats }: CellMeaning,
  marks: WrittenMark[],
): string {
  const code = formats[style];
  if (text === '' || code === undefined || code === 'General' || code === '@') return text;
  const { ofText } = numberFormat(code);
  if (ofText !== 'same') marks.push({ column, kind: ofText === 'nothing' ? 'hidden' : 'shown_text' });
  return text;
}

function shownNumber(
  { column, style }: Cell,
  raw: string,
  { formats, is1904 }: CellMeaning,
  marks: WrittenMark[],
): string {
  const code = formats[style] ?? 'General';
  const format = numberFormat(code);
  if (format.isDate) {
    marks.push({ column, kind: 'date' });
    return dateText(raw, is1904);
  }
  marks.push({ column, kind: 'number' });
  const text = numberText(raw, code);
  if (format.showsNothing) marks.push({ column, kind: 'hidden' });
  if (format.isScaled) marks.push({ column, kind: 'shown_scaled' });
  else if (format.decimals !== undefined && decimalsIn(text) > format.decimals)
    marks.push({ column, kind: 'shown_rounded' });
  if (format.words !== undefined && format.picture === undefined)
    marks.push({ column, kind: 'shown_words', words: format.words });
  return text;
}

function decimalsIn(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

const STRINGS = /"(?:[^"]|"")*"/g;
const END_OF_PLACE = /'[!#]/g;
/** No sheet's name may hold these; a path does. `Table1['[odd]]` is a column's name, with no `!` behind it. */
const IN_PATHS = /[[\]\\/]/;
/** `[1]May!A1`, `[other.xlsx]May!A1`, `[1]!Total`; a table's column in brackets has no place and `!` behind it. */
const FILE_IN_BRACKETS = /\[[^[\]]+\][\p{L}\p{N}_.:?\\]*!/u;
/** `other.xlsx!Total`: a name of a whole workbook. */
const FILE_NAME = /\.(?:xl[a-z]{1,2}|od[st]|csv)$/i;
const BARE_FILE = /(?<![\p{L}\p{N}_.])([\p{L}\p{N}_.]+\.(?:xl[a-z]{1,2}|od[st]|csv))!/giu;
/** `excel|'C:\other.xlsx'!R1C1`: what another program holds at the moment. */
const FROM_PROGRAM = /[\p{L}\p{N}_.]\|(?:'|[\p{L}\p{N}_.:\\]+!)/u;

/** Whether a formula takes its value from another file; `sheets` are those of this one. */
export function isExternalFormula(formula: string, sheets: readonly { readonly name: string }[]): boolean {
  if (!/[[\]\\/|]|\.(?:xl|od|csv)/i.test(formula)) return false;
  const bare = formula.replace(STRINGS, '""');
  const isFile = (name: string) => FILE_NAME.test(name) && !sheets.some((sheet) => sheet.name === name);
  const { places, unquoted } = quotedPlaces(bare);
  for (const place of places) if (IN_PATHS.test(place) || isFile(place.replaceAll("''", "'"))) return true;
  for (const [, name = ''] of unquoted.matchAll(BARE_FILE)) if (isFile(name)) return true;
  return FILE_IN_BRACKETS.test(unquoted) || FROM_PROGRAM.test(bare);
}

/**
 * `'My sheet'!`, `'Bob''s'#`: found from their ends, because a quote elsewhere (`Table1['[odd]]`) opens none. A pattern
 * would try every quote of a long formula as the first one.
 */
function quotedPlaces(formula: string): { readonly places: readonly string[]; readonly unquoted: string } {
  const places: string[] = [];
  let unquoted = '';
  let done = 0;
  for (const { index } of formula.matchAll(END_OF_PLACE)) {
    const start = startOfPlace(formula, index, done);
    if (start === undefined) continue;
    places.push(formula.slice(start + 1, index));
    unquoted += `${formula.slice(done, start)}''`;
    done = index + 1;
  }
  return { places, unquoted: unquoted + formula.slice(done) };
}

/** Two quotes stand for one inside of a place; of an odd number of them the last one closes it, or the first one opens it. */
function startOfPlace(formula: string, end: number, from: number): number | undefined {
  let first = firstQuote(formula, end, from);
  if ((end - first) % 2 === 1) return undefined;
  for (;;) {
    const last = first <= from ? -1 : formula.lastIndexOf("'", first - 1);
    if (last < from) return undefined;
    first = firstQuote(formula, last, from);
    if ((last - first) % 2 === 0) return first;
  }
}

function firstQuote(formula: string, last: number, from: number): number {
  let first = last;
  while (first > from && formula[first - 1] === "'") first -= 1;
  return first;
}
