/**
 * Values of a report as workbook cells.
 *
 * Units:   amounts become numbers while a double counts their minor units exactly (up to 2^53), text beyond.
 */
import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import { formatDecimal, grouped, type Money } from '../../../../domain/money/money.ts';
import { visibleText } from '../../../../domain/text/printable.ts';
import type { Timestamp } from '../../../../domain/timestamp.ts';
import {
  amountStyle,
  DATE_STYLE,
  HEADER_STYLE,
  NUMBER_HEADER_STYLE,
  PLAIN_STYLE,
  RATE_STYLE,
  TEXT_STYLE,
  TIME_STYLE,
  WRAPPED_STYLE,
} from './styles.ts';
import type { Cell } from './xlsx-workbook.ts';

const MAX_EXACT = 2n ** 53n;

export function isExactNumber(minor: bigint): boolean {
  return minor <= MAX_EXACT && minor >= -MAX_EXACT;
}

export function moneyCell(money: Money | undefined): Cell {
  if (money === undefined) return { value: undefined, style: PLAIN_STYLE };
  if (!isExactNumber(money.minor)) return { value: grouped(money), style: TEXT_STYLE };
  return { value: numberOf(money.minor, money.currency), style: amountStyle(decimalsOf(money.currency)) };
}

/** The nearest double to the exact decimal: the one that prints as the same digits again. */
export function numberOf(minor: bigint, currency: CurrencyCode): number {
  return Number.parseFloat(formatDecimal({ minor, currency }));
}

/** A rate or fee as a number where a double holds all its digits, else as the text it is. */
export function decimalCell(text: string): Cell {
  if (text === '') return { value: undefined, style: PLAIN_STYLE };
  const isExact = /^\d+(?:\.\d+)?$/.test(text) && text.replace('.', '').replace(/^0+/, '').length <= 15;
  return isExact ? { value: Number.parseFloat(text), style: RATE_STYLE } : textCell(text);
}

export function textCell(value: string): Cell {
  return { value: shownText(value), style: TEXT_STYLE };
}

export function wordsCell(value: string): Cell {
  return { value: shownText(value), style: WRAPPED_STYLE };
}

/** Unwrapped, so that each row is one line tall. */
export function lineCell(value: string): Cell {
  return { value: shownText(value), style: PLAIN_STYLE };
}

/**
 * Text from outside as a cell shows it. XML would drop control characters without a word, and spreadsheets take
 * `_x001B_` for the character of that number; both are shown as what they are.
 */
function shownText(text: string): string | undefined {
  return text === '' ? undefined : visibleText(text).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}

export function timeCell(at: Timestamp | undefined): Cell {
  return { value: at === undefined ? undefined : new Date(at), style: TIME_STYLE };
}

const DAY_MS = 86_400_000;

/** The day alone, in UTC: programs that import it want no time behind it. */
export function dayCell(at: Timestamp | undefined): Cell {
  return { value: at === undefined ? undefined : new Date(at - (at % DAY_MS)), style: DATE_STYLE };
}

/** Headings of columns of words are given as text, those of columns of numbers as `overNumbers`. */
export function headerCells(headings: readonly (string | Cell)[]): readonly Cell[] {
  return headings.map((heading) =>
    typeof heading === 'string' ? { value: heading, style: HEADER_STYLE } : heading,
  );
}

export function overNumbers(value: string): Cell {
  return { value, style: NUMBER_HEADER_STYLE };
}

/** 1 → A, 27 → AA. */
export function columnLetter(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  return column > 26 ? columnLetter((column - 1 - rest) / 26) + letter : letter;
}
