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

export type CellMeaning = Pick<Workbook, 'sharedStrings' | 'formats' | 'is1904'>;

/** Appends marks to `marks`; undefined when the cell points at a text that the workbook does not have. */
export function cellText(cell: Cell, workbook: CellMeaning, marks: WrittenMark[]): string | undefined {
  const { column, type, value, formula } = cell;
  const mark = (kind: WrittenMark['kind']) => marks.push({ column, kind });
  if (cell.isExternal) mark('formula_external');
  else if (formula !== undefined) mark(value === undefined ? 'formula_without_value' : 'formula');
  const text = value ?? '';
  switch (type) {
    case 's': {
      const shared = workbook.sharedStrings[Number.parseInt(text, 10)];
      return shared === undefined ? undefined : unescaped(shared);
    }
    case 'str':
    case 'inlineStr':
      return unescaped(text);
    case 'b':
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

// [1]Sheet1!A1 or '[1]My sheet'!A1; a table's column in brackets has no sheet behind it.
const EXTERNAL = /(?:^|[^\w.\]])'?\[\d+\][^!,()]*!/;

export function isExternalFormula(formula: string): boolean {
  return formula.includes('[') && EXTERNAL.test(formula);
}
