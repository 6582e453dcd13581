/**
 * One cell as it was written → the same in a new workbook, of the same nature.
 *
 * A wrong cell must stay wrong until a person mends it, and be ready for what is typed into it: text, so that a
 * spreadsheet keeps leading zeros, or a number where it is an amount. Where its nature cannot be copied for
 * certain (a date, a formula that was never calculated, a number whose format shows something else) it becomes
 * `#N/A`.
 */
import type { WrittenMark, WrittenRow } from '../../domain/written-row.ts';
import { TEXT_STYLE } from './xlsx-report/styles.ts';
import type { Cell, CellStyle, CellValue } from './xlsx-report/xlsx-workbook.ts';

type Kind = WrittenMark['kind'];

const GENERAL_STYLE: CellStyle = { ...TEXT_STYLE, numFmt: 'General', alignment: { vertical: 'top' } };
const DATE_STYLE: CellStyle = { ...TEXT_STYLE, numFmt: 'yyyy-mm-dd' };
const DATE_TIME_STYLE: CellStyle = { ...TEXT_STYLE, numFmt: 'yyyy-mm-dd hh:mm:ss' };
const DAMAGED = { error: '#N/A' };
/** Where the value came from; it says nothing about the value itself. */
const ORIGINS: ReadonlySet<Kind> = new Set<Kind>(['formula', 'hidden']);

export function cellAsWritten(row: WrittenRow, column: number): Cell {
  const text = row.cells[column] ?? '';
  const kinds = kindsOf(row, column);
  const kind = kinds.includes('number') ? 'number' : kinds[0];
  // A sign of money beside the number counts once the institution is known, and must still be there then.
  const words = row.marks?.find((mark) => mark.column === column && mark.kind === 'shown_words')?.words;
  const number = words === undefined ? undefined : numberCell(text);
  if (number !== undefined && words !== undefined)
    return words.includes('"')
      ? { value: DAMAGED, style: GENERAL_STYLE }
      : { ...number, style: { ...GENERAL_STYLE, numFmt: `"${words} "General` } };
  return (kind === undefined ? undefined : sameNature(text, kind)) ?? textCell(text);
}

/** `isAmount`: what is typed into the cell should become a number. */
export function wrongCell(row: WrittenRow, column: number, isAmount: boolean): Cell {
  const text = row.cells[column] ?? '';
  const [kind, ...others] = kindsOf(row, column);
  const style = isAmount ? GENERAL_STYLE : TEXT_STYLE;
  if (kind === undefined) return { value: textCell(text).value, style };
  return { value: others.length === 0 ? wrongValue(text, kind) : DAMAGED, style };
}

function wrongValue(text: string, kind: Kind): CellValue {
  const value = Number.parseFloat(text);
  if (kind === 'number' && String(value) === text) return value;
  if (kind === 'boolean') return text.toUpperCase() === 'TRUE';
  return kind === 'error_value' ? { error: text } : DAMAGED;
}

function kindsOf({ marks }: WrittenRow, column: number): readonly Kind[] {
  return (marks ?? [])
    .filter((mark) => mark.column === column && !ORIGINS.has(mark.kind))
    .map(({ kind }) => kind);
}

function sameNature(text: string, kind: Kind): Cell | undefined {
  switch (kind) {
    case 'number':
      return numberCell(text);
    case 'date':
      return dateCell(text);
    case 'boolean':
      return { value: text.toUpperCase() === 'TRUE', style: GENERAL_STYLE };
    case 'error_value':
      return { value: { error: text }, style: GENERAL_STYLE };
    default:
      return undefined;
  }
}

function textCell(text: string): Cell {
  return { value: text === '' ? undefined : escaped(text), style: TEXT_STYLE };
}

/** As workbooks write what XML cannot hold, and what looks like such an escape: nothing is lost on the way. */
function escaped(text: string): string {
  return text.replace(
    /_(?=x[0-9A-Fa-f]{4}_)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** A number that shows the same text, with the same digits. */
function numberCell(text: string): Cell | undefined {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined;
  const value = Number.parseFloat(text);
  if (String(value) === text) return { value, style: GENERAL_STYLE };
  // A format of zeros shows leading ones.
  const hasZeros = /^0\d+$/.test(text) && Number.isSafeInteger(value);
  return hasZeros ? { value, style: { ...GENERAL_STYLE, numFmt: '0'.repeat(text.length) } } : undefined;
}

function dateCell(text: string): Cell | undefined {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time ?? '00:00'}Z`);
  if (day === undefined || Number.isNaN(at.getTime())) return undefined;
  return { value: at, style: time === undefined ? DATE_STYLE : DATE_TIME_STYLE };
}
