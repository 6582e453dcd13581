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
import {
  amountStyle,
  BOLD_STYLE,
  CHECK_STYLE,
  COUNT_STYLE,
  DATE_STYLE,
  INPUT_STYLE,
  PERCENT_STYLE,
  PLAIN_STYLE,
  QUIET_STYLE,
  RATE_STYLE,
  ROW_STYLE,
  TEXT_STYLE,
  TIME_STYLE,
  toneStyle,
  WRAPPED_STYLE,
} from './styles.ts';
import type { Cell, CellStyle } from './xlsx-workbook.ts';

const DAY_MS = 86_400_000;

const CELLS: { readonly [S in Style]: (value: Values[S]) => Cell } = {
  text: textCell,
  plain: (text) => shown(text, PLAIN_STYLE),
  quiet: (text) => shown(text, QUIET_STYLE),
  words: (text) => shown(text, WRAPPED_STYLE),
  received: (text) => shown(text, text.includes('\n') ? WRAPPED_STYLE : TEXT_STYLE),
  input: (text) => shown(text, INPUT_STYLE),
  status: (label) => ({ value: labelText(label), style: toneStyle(label.tone) }),
  row: (value) => ({ value, style: ROW_STYLE }),
  count: (value) => ({ value, style: COUNT_STYLE }),
  percent: (value) => ({ value, style: PERCENT_STYLE }),
  rate: rateCell,
  money: (money) => moneyCell(money),
  coined: (money) => moneyCell(money, true),
  time: (at) => ({ value: at === undefined ? undefined : new Date(at), style: TIME_STYLE }),
  // Programs that import a day want no time behind it.
  day: (at) => ({ value: at === undefined ? undefined : new Date(at - (at % DAY_MS)), style: DATE_STYLE }),
  check: (text) => ({ value: text, style: text === undefined ? PLAIN_STYLE : CHECK_STYLE }),
};

export function cellOf<Line, S extends Style>(column: ColumnOf<Line, S>, line: Line): Cell {
  return CELLS[column.style](column.value(line));
}

function isExactNumber(minor: bigint): boolean {
  return minor <= COUNTED_MINOR_MOST && minor >= -COUNTED_MINOR_MOST;
}

function moneyCell(money: Money | string | undefined, isCoined = false): Cell {
  if (money === undefined) return { value: undefined, style: PLAIN_STYLE };
  if (typeof money === 'string') return rateCell(money);
  const { minor, currency } = money;
  if (!isExactNumber(minor))
    return {
      value: isCoined ? `${formatAmount(money)} ${currency}` : formatAmount(money),
      style: TEXT_STYLE,
    };
  return { value: numberOf(money), style: amountStyle(decimalsOf(currency), isCoined ? currency : '') };
}

/** The nearest double to the exact decimal: the one that prints as the same digits again. */
export function numberOf(money: Money): number {
  return Number.parseFloat(formatDecimal(money));
}

function rateCell(rate: number | string): Cell {
  if (rate === '') return { value: undefined, style: PLAIN_STYLE };
  if (typeof rate === 'number') return { value: rate, style: RATE_STYLE };
  const isExact = /^\d+(?:\.\d+)?$/.test(rate) && rate.replace('.', '').replace(/^0+/, '').length <= 15;
  return isExact ? { value: Number.parseFloat(rate), style: RATE_STYLE } : textCell(rate);
}

export function textCell(text: string): Cell {
  return shown(text, TEXT_STYLE);
}

export function boldCell(text: string): Cell {
  return { value: text, style: BOLD_STYLE };
}

/** Our own remark. */
export function quietCell(text: string): Cell {
  return { value: text, style: QUIET_STYLE };
}

/**
 * Text from outside as a cell shows it. XML would drop control characters silently, and spreadsheets take
 * `_x001B_` for the character of that number; both are shown as what they are.
 */
function shown(text: string, style: CellStyle): Cell {
  const value = text === '' ? undefined : visibleText(text).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  return { value, style };
}
