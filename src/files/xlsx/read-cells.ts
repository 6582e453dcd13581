/**
 * One cell of a sheet → the text that a person sees in it, and marks for what they do not see.
 */
import type { WrittenMark } from '../../domain/rows/row.ts';
import { numberFormat, pictured } from './number-format.ts';

export interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string | undefined;
  /** undefined: no formula; often empty for one that is shared with other cells. */
  formula: string | undefined;
  /** The formula, or the one that it is shared with, reaches into another workbook. */
  isExternal: boolean;
  /** Some of the text inside of it is struck through. */
  isStruckText: boolean;
}

/** What a workbook says of all its cells. */
export interface CellMeaning {
  readonly sheets: readonly { readonly name: string }[];
  readonly sharedStrings: readonly string[];
  /** Of them, those with text that is struck through. */
  readonly struckStrings: ReadonlySet<number>;
  /** Number format by style index. */
  readonly formats: readonly string[];
  /** Styles whose font strikes the text through. */
  readonly struckStyles: ReadonlySet<number>;
  /** Dates count from 1904, as old Macintosh workbooks do. */
  readonly is1904: boolean;
}

/** Appends marks to `marks`; undefined when the cell points at a text that the workbook does not have. */
export function cellText(cell: Cell, workbook: CellMeaning, marks: WrittenMark[]): string | undefined {
  const { column, type, value, formula } = cell;
  const mark = (kind: WrittenMark['kind']) => marks.push({ column, kind });
  if (cell.isExternal) mark('formula_external');
  else if (formula !== undefined) mark(value === undefined ? 'formula_without_value' : 'formula');
  const text = value ?? '';
  if (text !== '' && isStruck(cell, text, workbook)) mark('struck');
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

function isStruck({ type, style, isStruckText }: Cell, text: string, workbook: CellMeaning): boolean {
  if (isStruckText || workbook.struckStyles.has(style)) return true;
  return type === 's' && workbook.struckStrings.size > 0 && workbook.struckStrings.has(Number(text));
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

/**
 * Numbers of a workbook → the text that a person sees in the cell.
 *
 * A number is worked on as the decimal text that the file holds; it never becomes a floating-point number.
 * Units:   dates are days since the workbook's epoch, without a time zone; they become calendar dates.
 */

// What a spreadsheet program shows of a number at most.
const SHOWN_DIGITS = 15;
const LARGEST_EXPONENT = 40;

/** `raw` as stored (`4.5E-2`); `format` is the number format of the cell's style. */
export function numberText(raw: string, format: string): string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(raw.trim());
  if (!match || (match[2] === '' && (match[3] ?? '') === '')) return raw.trim();
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const { isPercent, picture } = numberFormat(format);
  const text = plainDecimal(whole, fraction, Number.parseInt(exponent, 10) + (isPercent ? 2 : 0));
  if (text === undefined) return raw.trim();
  const isNegative = sign === '-' && /[1-9]/.test(text);
  const shown = picture !== undefined && !isNegative && /^\d+$/.test(text) ? pictured(text, picture) : text;
  return `${isNegative ? '-' : ''}${shown}${isPercent ? '%' : ''}`;
}

function plainDecimal(whole: string, fraction: string, exponent: number): string | undefined {
  if (Math.abs(exponent) > LARGEST_EXPONENT) return undefined;
  const leading = (whole + fraction).length - (whole + fraction).replace(/^0+/, '').length;
  let digits = (whole + fraction).slice(leading);
  // Where the decimal point stands, counted from the first digit that is not zero.
  let point = whole.length + exponent - leading;
  if (digits.length > SHOWN_DIGITS && digits.length > point) {
    const rounded = (BigInt(digits.slice(0, SHOWN_DIGITS + 1)) + 5n) / 10n;
    const text = rounded.toString();
    if (text.length > SHOWN_DIGITS) point += 1;
    digits = text;
  }
  digits = point < digits.length ? digits.replace(/0+$/, '') : digits;
  if (digits === '') return '0';
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (digits.length <= point) return digits.padEnd(point, '0');
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** `2026-05-31`, with `08:30:00` behind it when the cell has a time of day. */
export function dateText(raw: string, is1904: boolean): string {
  const match = /^(\d{1,7})(?:\.(\d+))?(?:[eE][+-]?\d+)?$/.exec(raw.trim());
  if (!match || /[eE]/.test(raw)) return numberText(raw, 'General');
  const days = Number.parseInt(match[1] ?? '0', 10);
  const seconds = Math.round(Number.parseFloat(`0.${match[2] ?? '0'}`) * 86_400);
  const time = seconds === 0 ? '' : timeText(seconds);
  if (days === 0 && !is1904) return time === '' ? '00:00:00' : time;
  const date = calendarDate(days, is1904);
  return time === '' ? date : `${date} ${time}`;
}

function calendarDate(days: number, is1904: boolean): string {
  // The 1900 calendar has a 29 February 1900 that never was, kept since Lotus 1-2-3.
  if (!is1904 && days === 60) return '1900-02-29';
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  return new Date(epoch + days * 86_400_000).toISOString().slice(0, 10);
}

function timeText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Characters that XML cannot hold are written `_x000D_` in workbooks. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const BUILTIN: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  // Currencies of whoever opens the file: their sign is not in it.
  [5, '#,##0'],
  [6, '#,##0'],
  [7, '#,##0.00'],
  [8, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [37, '#,##0'],
  [38, '#,##0'],
  [39, '#,##0.00'],
  [40, '#,##0.00'],
  [41, '#,##0'],
  [42, '#,##0'],
  [43, '#,##0.00'],
  [44, '#,##0.00'],
  [48, '##0.0E+0'],
  [49, '@'],
]);

/** The format behind a number that the workbook does not define itself (ECMA-376 part 1, 18.8.30). */
export function builtinFormat(id: number): string {
  const isDate =
    (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  return isDate ? 'yyyy-mm-dd' : (BUILTIN.get(id) ?? 'General');
}

/**
 * One text of a workbook, shared or inside of its cell: a single `<t>`, or runs of one `<t>` each.
 * How it is pronounced (`rPh`) is no part of it.
 */
export class RichText {
  /** What was read of it so far. */
  text = '';
  /** It has a second text where one belongs; programs disagree whether both count or the last one alone. */
  isTwo = false;
  #isInPhonetic = false;
  #isInText = false;
  #start = 0;
  #texts = 0;
  #runs = 0;
  /** Texts of the run that is open; undefined outside of runs. */
  #inRun: number | undefined;

  open(name: string): void {
    if (name === 'rPh') this.#isInPhonetic = true;
    else if (name === 'r') this.#inRun = 0;
    else if (name === 't' && !this.#isInPhonetic) {
      this.#isInText = true;
      this.#start = this.text.length;
    }
  }

  add(text: string): void {
    if (this.#isInText) this.text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isInPhonetic = false;
    else if (name === 'r') this.#inRun = undefined;
    else if (name === 't' && this.#isInText) this.#closeText();
  }

  #closeText(): void {
    this.#isInText = false;
    if (this.text.length === this.#start) return;
    if (this.#inRun === undefined) this.#texts += 1;
    else {
      this.#inRun += 1;
      this.#runs += 1;
    }
    this.isTwo ||= this.#texts > 1 || (this.#inRun ?? 0) > 1 || (this.#texts > 0 && this.#runs > 0);
  }
}

/** Whether an element of a font strikes the text through. */
export function strikes(element: string, { val = '1' }: Readonly<Record<string, string>>): boolean {
  return element === 'strike' && val !== '0' && val !== 'false';
}
