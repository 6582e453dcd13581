/**
 * How a file writes numbers: `1,234.56` (point) or `1.234,56` (comma).
 *
 * One style per file, declared by the user or proven by all rows together. While the proof is still being
 * collected, rows are read with the style that the rows so far prove (point at first); at the end
 * `verdict` says whether every reading is right. If not, the file is read once more with the style that it
 * names, so that memory stays flat and no amount is a guess.
 *
 * A mark with exactly three digits after it is never a decimal mark, except in a currency of three decimals whose
 * style was declared: `27,500` in a file of decimal commas is more often 27500 than 27.50.
 */

import { type CurrencyCode, decimalsOf } from './currency.ts';
import { formatDecimal, parseDecimal } from './money.ts';
import {
  type AmountFault,
  type AmountReading,
  type DecimalMark,
  readAmount,
  type ThreeDigits,
} from './read-amount.ts';

export type AmountStyle =
  /** First reading of a file without --decimal. */
  | { readonly kind: 'proving' }
  | { readonly kind: 'declared'; readonly decimal: DecimalMark }
  | { readonly kind: 'proven'; readonly decimal: DecimalMark }
  /**
   * Rows prove both styles: rows of the rarer style and rows with two readings become issues. `decimal` is
   * undefined when both are equally common; then every row that proves one is an issue.
   */
  | { readonly kind: 'mixed'; readonly decimal: DecimalMark | undefined }
  /** Some row has two readings and no row proves a style: those rows become issues. */
  | { readonly kind: 'unproven' };

/** A style as it was in force when an amount was read: while proving, the one that is proven so far. */
type StyleInForce = Exclude<AmountStyle, { kind: 'proving' }>;

export type AmountVerdict =
  /** Every amount was read rightly; the rows staged so far are good. */
  | { readonly kind: 'stands' }
  /** Drop what was staged and read the file again with a new validator of this style. Happens at most once. */
  | { readonly kind: 'again'; readonly style: AmountStyle };

/** What one row's amount is in a style. */
type AmountChoice =
  | { readonly kind: 'read'; readonly plain: string }
  /** In this style the mark is not a thousands mark, and with three digits it is never a decimal mark. */
  | { readonly kind: 'three_digits'; readonly reading: ThreeDigits; readonly style: StyleInForce }
  /** Written in the style that the file, or the user, does not use. */
  | { readonly kind: 'other_style'; readonly expected: DecimalMark }
  | { readonly kind: 'wrong'; readonly fault: AmountFault };

/** Reads amounts in one style and, while proving, remembers what the rows say. */
export interface AmountReader {
  /** `decimals` of the currency; undefined where it is not known. */
  read(text: string, decimals: number | undefined): AmountChoice;
  verdict(): AmountVerdict;
  /** The style of all that was read; undefined where no amount showed one and none was declared. */
  style(): StyleInForce | undefined;
}

const DECIMALS_IN_DOUBT = 3;

export function createAmountReader(style: AmountStyle): AmountReader {
  return style.kind === 'proving' ? provingReader() : fixedReader(style);
}

function provingReader(): AmountReader {
  const proofs = { point: 0, comma: 0 };
  const guesses = { point: 0, comma: 0 };
  const soFar = () => ({ kind: 'proven', decimal: proofs.comma > proofs.point ? 'comma' : 'point' }) as const;
  return {
    read(text, decimals) {
      const reading = readAmount(text);
      if (reading.kind === 'three_digits') {
        const style = soFar();
        guesses[style.decimal] += 1;
        return chooseThreeDigits(reading, style, decimals);
      }
      if (reading.kind === 'wrong') return reading;
      if (reading.proves !== undefined) proofs[reading.proves] += 1;
      return { kind: 'read', plain: reading.plain };
    },
    verdict: () => verdictOf(proofs, guesses),
    style: () => (proofs.point + proofs.comma === 0 ? undefined : soFar()),
  };
}

type Counts = Readonly<Record<DecimalMark, number>>;

function verdictOf(proofs: Counts, guesses: Counts): AmountVerdict {
  if (proofs.point > 0 && proofs.comma > 0) {
    const decimal =
      proofs.point === proofs.comma ? undefined : proofs.point > proofs.comma ? 'point' : 'comma';
    return { kind: 'again', style: { kind: 'mixed', decimal } };
  }
  if (proofs.point + proofs.comma === 0) {
    return guesses.point + guesses.comma === 0
      ? { kind: 'stands' }
      : { kind: 'again', style: { kind: 'unproven' } };
  }
  const [proven, other] = proofs.point > 0 ? (['point', 'comma'] as const) : (['comma', 'point'] as const);
  return guesses[other] === 0
    ? { kind: 'stands' }
    : { kind: 'again', style: { kind: 'proven', decimal: proven } };
}

function fixedReader(style: StyleInForce): AmountReader {
  return {
    read: (text, decimals) => choose(readAmount(text), style, decimals),
    verdict: () => ({ kind: 'stands' }),
    style: () => style,
  };
}

function choose(reading: AmountReading, style: StyleInForce, decimals: number | undefined): AmountChoice {
  if (reading.kind === 'wrong') return reading;
  if (reading.kind === 'three_digits') return chooseThreeDigits(reading, style, decimals);
  if (reading.proves === undefined || style.kind === 'unproven')
    return { kind: 'read', plain: reading.plain };
  if (reading.proves === style.decimal) return { kind: 'read', plain: reading.plain };
  return { kind: 'other_style', expected: style.decimal ?? (reading.proves === 'point' ? 'comma' : 'point') };
}

/** A row whose currency is not known is not paid anyway; its amount is judged once the currency is known. */
function chooseThreeDigits(
  reading: ThreeDigits,
  style: StyleInForce,
  decimals = DECIMALS_IN_DOUBT,
): AmountChoice {
  const { mark, asDecimal, asThousands } = reading;
  const isSettled = style.kind === 'declared' || style.kind === 'proven';
  if (isSettled && style.decimal !== mark && asThousands !== undefined)
    return { kind: 'read', plain: asThousands };
  if (style.kind === 'declared' && style.decimal === mark && decimals === DECIMALS_IN_DOUBT)
    return { kind: 'read', plain: asDecimal };
  return { kind: 'three_digits', reading, style };
}

/**
 * How the amounts of a file were read, with one amount as example: shown to people and kept with the batch.
 */

export interface StyleRead {
  /** undefined where no amount shows which mark is the decimal mark, or amounts show both equally often. */
  readonly decimal: DecimalMark | undefined;
  /** `any_style`: every amount reads the same in both. `numbers`: all of them are numbers of a spreadsheet. */
  readonly basis: 'declared' | 'proven' | 'mixed' | 'unproven' | 'any_style' | 'numbers';
  readonly example: StyleExample | undefined;
}

interface StyleExample {
  readonly row: number;
  readonly text: string;
  /** A plain decimal. */
  readonly read: string;
}

/** Keeps the one amount that shows best how the file was read: first of all one that has a second reading. */
export class StyleNotes {
  #example: StyleExample | undefined;
  #telling = -1;
  #hasText = false;

  /** Called for every row: it makes nothing new unless the example becomes a better one. */
  see(row: number, text: string, read: string, isNumber: boolean): void {
    if (!isNumber) this.#hasText = true;
    if (this.#telling === MOST_TELLING) return;
    const telling = isNumber ? 0 : tellingOf(text);
    if (telling <= this.#telling) return;
    this.#telling = telling;
    this.#example = { row, text, read };
  }

  finish(style: StyleInForce | undefined): StyleRead {
    const decimal = style === undefined || style.kind === 'unproven' ? undefined : style.decimal;
    const example = this.#example;
    if (!this.#hasText && example !== undefined) return { decimal: undefined, basis: 'numbers', example };
    return { decimal, basis: style?.kind ?? 'any_style', example };
  }
}

const MOST_TELLING = 3;

function tellingOf(text: string): number {
  if (/^\d{1,3}[.,]\d{3}$/.test(text)) return MOST_TELLING;
  return /[.,]/.test(text) ? 2 : 1;
}

/** `decimal comma, proven by the amounts of the file; row 3: “27,500” is read as 27500` */
export function styleText({ decimal, basis, example }: StyleRead): string {
  const shown =
    example === undefined ? '' : `; row ${example.row}: “${example.text}” is read as ${example.read}`;
  return `${BASIS_TEXT[basis](decimal)}${shown}`;
}

const BASIS_TEXT: Readonly<Record<StyleRead['basis'], (decimal: DecimalMark | undefined) => string>> = {
  declared: (decimal) => `decimal ${decimal}, as declared`,
  proven: (decimal) => `decimal ${decimal}, proven by the amounts of the file`,
  mixed: (decimal) =>
    decimal === undefined
      ? 'decimal points and decimal commas, equally often'
      : `decimal ${decimal}, as most amounts show; some show the other one`,
  unproven: () => 'no amount shows which mark is the decimal mark',
  any_style: () => 'read the same with a decimal point and with a decimal comma',
  numbers: () => 'numbers of the spreadsheet',
};

/** For JSON, where what is not known is null. */
export function styleJson(style: StyleRead | undefined): Readonly<Record<string, unknown>> | null {
  if (style === undefined) return null;
  const { decimal, basis, example } = style;
  return { decimal: decimal ?? null, basis, example: example ?? null };
}

/**
 * What a person is told about an amount with exactly three digits after its mark: both readings, and what to write.
 * No reading is offered that the rule of amount-style.ts would refuse.
 */

export function threeDigitsText(
  reading: ThreeDigits,
  style: StyleInForce,
  currency: CurrencyCode | undefined,
): readonly [expected: string, suggestion: string] {
  const { mark, asDecimal, asThousands } = reading;
  const decimalRead = withoutZeros(asDecimal);
  const expected =
    asThousands === undefined
      ? `an amount without three digits after the ${mark}; this may be ${decimalRead}, or a mark in the wrong place`
      : `an amount with one reading; with three digits after the ${mark}, this may be ${asThousands} or ${decimalRead}`;
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
  const flag = `that the decimal mark is a ${otherOf(mark)}`;
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
  // In the style of the file, so that one corrected amount does not change how the others are read.
  const decimal = (style.kind === 'unproven' ? undefined : style.decimal) ?? mark;
  if (decimalsOf(currency) === 3) {
    const isFlagEnough = style.kind === 'unproven' || (style.kind === 'proven' && decimal === mark);
    if (isFlagEnough) return [`Say that the decimal mark is a ${mark} if ${asDecimal} is meant`];
    return style.kind === 'declared' ? [`Write ${withMark(asDecimal, decimal)} if that is meant`] : [];
  }
  return [`Write ${withMark(formatDecimal(money), decimal)} if ${withoutZeros(asDecimal)} is meant`];
}

/** `310.000` is 310: in a file of decimal commas it would be read as 310 thousand. */
function withoutZeros(plain: string): string {
  return plain.replace(/\.0+$/, '');
}

function withMark(plain: string, decimal: DecimalMark): string {
  return decimal === 'comma' ? plain.replace('.', ',') : plain;
}

function otherOf(mark: DecimalMark): DecimalMark {
  return mark === 'point' ? 'comma' : 'point';
}
