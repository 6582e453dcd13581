/**
 * Values of a report as workbook cells, one function per style.
 *
 * Units:   amounts become numbers while a double counts their minor units exactly (up to 2^53), text beyond.
 */
import { decimalsOf } from '../../../domain/money/currency.ts';
import { COUNTED_MINOR_MOST, formatAmount, formatDecimal, type Money } from '../../../domain/money/money.ts';
import { labelText } from '../../../domain/reporting/row-label.ts';
import { visibleText } from '../../../domain/text/printable.ts';
import type { ColumnOf, Style, Values } from '../../../views/table-columns.ts';
import { amountStyle, LOOK, TONES } from './styles.ts';
import type { Cell } from './xlsx-workbook.ts';

const DAY_MS = 86_400_000;

const CELLS: { readonly [S in Style]: (value: Values[S]) => Cell } = {
  text: textCell,
  plain: (text) => shown('plain', text),
  quiet: (text) => shown('quiet', text),
  words: (text) => shown('words', text),
  received: (text) => shown(text.includes('\n') ? 'words' : 'text', text),
  input: (text) => shown('input', text),
  status: (label) => ({ value: labelText(label), style: TONES[label.tone] }),
  row: (value) => cell('row', value),
  count: (value) => cell('count', value),
  percent: (value) => cell('percent', value),
  rate: rateCell,
  money: (money) => moneyCell(money),
  coined: (money) => moneyCell(money, true),
  time: (at) => cell('time', at === undefined ? undefined : new Date(at)),
  // Programs that import a day want no time behind it.
  day: (at) => cell('day', at === undefined ? undefined : new Date(at - (at % DAY_MS))),
  check: (text) => cell(text === undefined ? 'plain' : 'check', text),
};

export function cellOf<Line, S extends Style>(column: ColumnOf<Line, S>, line: Line): Cell {
  return CELLS[column.style](column.value(line));
}

export function moneyCell(money: Money | string | undefined, isCoined = false): Cell {
  if (money === undefined) return cell('plain', undefined);
  if (typeof money === 'string') return rateCell(money);
  const { minor, currency } = money;
  if (minor > COUNTED_MINOR_MOST || minor < -COUNTED_MINOR_MOST)
    return cell('text', isCoined ? `${formatAmount(money)} ${currency}` : formatAmount(money));
  return { value: numberOf(money), style: amountStyle(decimalsOf(currency), isCoined ? currency : '') };
}

/** The nearest double to the exact decimal: the one that prints as the same digits again. */
export function numberOf(money: Money): number {
  return Number.parseFloat(formatDecimal(money));
}

function rateCell(rate: number | string): Cell {
  if (rate === '') return cell('plain', undefined);
  if (typeof rate === 'number') return cell('rate', rate);
  const isExact = /^\d+(?:\.\d+)?$/.test(rate) && rate.replace('.', '').replace(/^0+/, '').length <= 15;
  return isExact ? cell('rate', Number.parseFloat(rate)) : textCell(rate);
}

export function textCell(text: string): Cell {
  return shown('text', text);
}

/** Of our own words, or of a number. */
export function cell(look: keyof typeof LOOK, value: Cell['value']): Cell {
  return { value, style: LOOK[look] };
}

/**
 * Text from outside as a cell shows it. XML would drop control characters silently, and spreadsheets take
 * `_x001B_` for the character of that number; both are shown as what they are.
 */
function shown(look: keyof typeof LOOK, text: string): Cell {
  return cell(look, text === '' ? undefined : visibleText(text).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_'));
}
