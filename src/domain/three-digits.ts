/**
 * What a person is told of an amount with exactly three digits after its mark: both readings, and what to write.
 * No reading is offered that the rule of amount-style.ts would refuse.
 */
import type { DecimalMark, StyleInForce } from './amount-style.ts';
import { type CurrencyCode, decimalsOf } from './currency.ts';
import { formatDecimal, formatMoney, type Money, parseDecimal } from './money.ts';
import { readAmount, type ThreeDigits } from './parse-amount.ts';
import type { HoldReason } from './payout.ts';

export function threeDigitsText(
  reading: ThreeDigits,
  style: StyleInForce,
  currency: CurrencyCode | undefined,
): readonly [expected: string, suggestion: string] {
  const { mark, asDecimal, asThousands } = reading;
  const expected =
    asThousands === undefined
      ? `an amount without three digits after the ${mark}; this may be ${asDecimal}, or a mark in the wrong place`
      : `an amount with one reading; with three digits after the ${mark}, this may be ${asThousands} or ${asDecimal}`;
  const thousands = asThousands === undefined ? [] : [thousandsWay(mark, asThousands, style)];
  const ways = [...thousands, ...decimalWay(reading, style, currency)];
  const isTooPrecise = currency !== undefined && parseDecimal(asDecimal, currency) === undefined;
  const [first = 'Write the exact amount', second] = ways;
  const last = isTooPrecise ? `${asDecimal} has more decimals than ${currency}` : second;
  return [
    expected,
    `${first}${last === undefined ? '' : `; ${last.charAt(0).toLowerCase()}${last.slice(1)}`}.`,
  ];
}

function thousandsWay(mark: DecimalMark, plain: string, style: StyleInForce): string {
  const flag = `--decimal ${otherOf(mark)}`;
  if (style.kind === 'unproven') return `Say ${flag} if ${plain} is meant`;
  return style.kind === 'declared'
    ? `Write ${plain} if that is meant, or say ${flag} if the ${mark} stands between thousands in the whole file`
    : `Write ${plain} if that is meant`;
}

function decimalWay(
  { mark, asDecimal }: ThreeDigits,
  style: StyleInForce,
  currency: CurrencyCode | undefined,
): readonly string[] {
  const money = currency === undefined ? undefined : parseDecimal(asDecimal, currency);
  if (currency === undefined || money === undefined) return [];
  // In the style of the file, so that one mended amount does not turn the others over.
  const decimal = (style.kind === 'unproven' ? undefined : style.decimal) ?? mark;
  if (decimalsOf(currency) === 3) {
    const isFlagEnough = style.kind === 'unproven' || (style.kind === 'proven' && decimal === mark);
    if (isFlagEnough) return [`Say --decimal ${mark} if ${asDecimal} is meant`];
    return style.kind === 'declared' ? [`Write ${withMark(asDecimal, decimal)} if that is meant`] : [];
  }
  return [`Write ${withMark(formatDecimal(money), decimal)} if ${asDecimal} is meant`];
}

function withMark(plain: string, decimal: DecimalMark): string {
  return decimal === 'comma' ? plain.replace('.', ',') : plain;
}

function otherOf(mark: DecimalMark): DecimalMark {
  return mark === 'point' ? 'comma' : 'point';
}

/** For rows of an older program: where it took the mark for a decimal mark, and the cell may say thousands. */
export function misreadReasons(text: string, amount: Money, format: 'csv' | 'xlsx'): readonly HoldReason[] {
  const reading = readAmount(text);
  if (reading.kind !== 'three_digits' || reading.asThousands === undefined) return [];
  const { mark, asDecimal, asThousands } = reading;
  if (parseDecimal(asDecimal, amount.currency)?.minor !== amount.minor) return [];
  // A number of a workbook, which has as many decimals as its currency.
  if (format === 'xlsx' && mark === 'point' && decimalsOf(amount.currency) === 3) return [];
  const said = `The cell says “${text}”, which may be ${asThousands}; an older version read it as ${formatMoney(amount)}`;
  return [{ kind: 'amount_misread', text: said }];
}
