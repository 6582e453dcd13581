/**
 * Numbers of a workbook → the text that a person sees in the cell.
 *
 * A number is worked on as the decimal text that the file holds; it never becomes a floating-point number.
 * Units:   dates are days since the workbook's epoch, without a time zone; they become calendar dates.
 */
import { numberFormat, pictured } from './number-format.ts';

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
