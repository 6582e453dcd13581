/**
 * Reads an amount as a careful person does: one way, two ways, or not at all. Never with Number().
 *
 * Grammar: digits, at most 15 before the decimals and no leading zero; thousands in complete groups of three
 *          by comma, point, space or apostrophe; one decimal mark, also with nothing before it (`.50`); a plus sign in
 *          front, unless a phone number may be meant. With exactly three digits after it, nobody can tell a decimal
 *          mark from a thousands mark: `1,500` is left to the style of the file (amount-style.ts).
 */

import { inLatinDigits, isDateLike, letterForDigit, OTHER_DIGITS } from '../text/likeness.ts';

export type DecimalMark = 'point' | 'comma';

export type AmountReading =
  | {
      readonly kind: 'one_way';
      /** A plain decimal with a point: `1250.50`. */
      readonly plain: string;
      /** What this row proves about the file's style; undefined when it reads the same in both. */
      readonly proves: DecimalMark | undefined;
    }
  | ThreeDigits
  | { readonly kind: 'wrong'; readonly fault: AmountFault };

/** Exactly three digits after the only mark that may be a decimal mark: `1,500`, `1234,500`, `0.500`, `1.234,500`. */
export interface ThreeDigits {
  readonly kind: 'three_digits';
  /** The style in which the mark is the decimal mark. */
  readonly mark: DecimalMark;
  /** `1.500` */
  readonly asDecimal: string;
  /** `1500`; undefined where the mark does not stand between complete thousands. */
  readonly asThousands: string | undefined;
}

export type AmountFault =
  | 'amount_negative'
  | 'amount_too_large'
  | 'amount_scientific'
  | 'amount_shortened'
  | 'amount_with_currency'
  | 'amount_other_digits'
  | 'amount_leading_zero'
  | 'amount_grouping'
  | 'amount_unfinished'
  | 'amount_percent'
  | 'amount_formula'
  | 'amount_date'
  | 'amount_look_alike'
  | 'amount_not_a_number';

const LONGEST = 40;
const INTEGER_DIGITS = 15;
/** The shortest number with a country code. */
const PHONE_DIGITS = 7;
const PLAIN_WHOLE = /^(?:0|[1-9]\d{0,14})$/;
const PLAIN_CENTS = /^(?:0|[1-9]\d{0,14})\.\d{1,2}$/;
// Spaces that spreadsheets and accounting systems put between thousands, and the Swiss apostrophe.
const SPACES = /[\u00a0\u2007\u2009\u202f]/g;
const APOSTROPHES = /['\u2019]/g;
const ONLY_DIGITS_AND_SEPARATORS = /^\d[\d., \u00a0\u2007\u2009\u202f'\u2019]*$/;

/** `text` has no outer space. */
export function readAmount(text: string): AmountReading {
  if (PLAIN_WHOLE.test(text)) return { kind: 'one_way', plain: text, proves: undefined };
  if (PLAIN_CENTS.test(text)) return { kind: 'one_way', plain: text, proves: 'point' };
  if (text.length > LONGEST)
    return wrong(/^[\d.,]+$/.test(text) ? 'amount_too_large' : 'amount_not_a_number');
  const bare = text.replace(/^\+(?=[\d.,])/, '').replace(/^[.,](?=\d)/, '0$&');
  if (!ONLY_DIGITS_AND_SEPARATORS.test(bare)) return wrong(faultOf(text));
  if (text.startsWith('+') && isPhoneLike(bare)) return wrong('amount_not_a_number');
  const reading = readSeparated(bare);
  return reading.kind === 'wrong' && isDateLike(text) ? wrong('amount_date') : reading;
}

/** `+233244123456`, `+233 244 123 456`; not `+1,250,000.50`. */
function isPhoneLike(bare: string): boolean {
  return bare.replace(/\D/g, '').length >= PHONE_DIGITS && !/\d[.,]\d{1,2}$/.test(bare);
}

function readSeparated(text: string): AmountReading {
  const spaced = text.replace(SPACES, ' ');
  const quiet = spaced.replace(APOSTROPHES, ' ');
  // Spaces here and apostrophes there are no way to write one number.
  if (quiet !== spaced && spaced.includes(' ')) return wrong('amount_grouping');
  const points = count(quiet, '.');
  const commas = count(quiet, ',');
  const spaces = count(quiet, ' ');
  if (points > 0 && commas > 0) {
    if (spaces > 0) return wrong('amount_grouping');
    const decimal = quiet.lastIndexOf('.') > quiet.lastIndexOf(',') ? 'point' : 'comma';
    return readAs(quiet, decimal, decimal === 'point' ? ',' : '.', decimal);
  }
  if (points + commas === 0)
    return spaces > 0 ? readWhole(quiet, ' ', undefined) : readWhole(quiet, '', undefined);
  const mark = points > 0 ? '.' : ',';
  const decimal = points > 0 ? 'point' : 'comma';
  const other = points > 0 ? 'comma' : 'point';
  if (spaces > 0) return readAs(quiet, decimal, ' ', decimal);
  // Several of the same mark can only be thousands; one mark may be either.
  if (points + commas > 1) return readWhole(quiet, mark, other);
  const asDecimal = readAs(quiet, decimal, '', decimal);
  const asThousands = readWhole(quiet, mark, other);
  // A mark that can be for thousands can also be decimal, so the other reading never comes alone.
  return asDecimal.kind === 'three_digits' && asThousands.kind === 'one_way'
    ? { ...asDecimal, asThousands: asThousands.plain }
    : asDecimal;
}

function readAs(text: string, decimal: DecimalMark, group: string, proves: DecimalMark): AmountReading {
  const mark = decimal === 'point' ? '.' : ',';
  const at = text.indexOf(mark);
  const fraction = text.slice(at + 1);
  if (fraction === '') return wrong('amount_unfinished');
  if (!/^\d+$/.test(fraction)) return wrong('amount_grouping');
  const whole = readWhole(text.slice(0, at), group, proves);
  if (whole.kind === 'wrong') return whole;
  const plain = `${whole.plain}.${fraction}`;
  return fraction.length === 3
    ? { kind: 'three_digits', mark: decimal, asDecimal: plain, asThousands: undefined }
    : { ...whole, plain };
}

function readWhole(
  text: string,
  group: string,
  proves: DecimalMark | undefined,
): Exclude<AmountReading, ThreeDigits> {
  const parts = group === '' ? [text] : text.split(group);
  const [first = '', ...others] = parts;
  const isGrouped = parts.length === 1 || (first.length <= 3 && others.every((part) => part.length === 3));
  if (!isGrouped || !parts.every((part) => /^\d+$/.test(part))) return wrong('amount_grouping');
  const digits = parts.join('');
  if (digits.length > 1 && digits.startsWith('0')) return wrong('amount_leading_zero');
  if (digits.length > INTEGER_DIGITS) return wrong('amount_too_large');
  return { kind: 'one_way', plain: digits, proves };
}

function faultOf(text: string): AmountFault {
  // `15,000.-` and `15,000/-` say that there are no cents; `15,000-` is less than nothing.
  if (/^[-\u2010-\u2015\u2212]|[^.,/\s][\s]*[-\u2212]$|^\(.*\)$/.test(text)) return 'amount_negative';
  if (/^[+]?[\d.,]+[eE][+-]?\d+$/.test(text)) return 'amount_scientific';
  if (OTHER_DIGITS.test(text) || inLatinDigits(text) !== undefined) return 'amount_other_digits';
  if (SHORTENED.test(text)) return 'amount_shortened';
  if (/^\d[\d.,\s]*%$/.test(text)) return 'amount_percent';
  if (text.startsWith('=')) return 'amount_formula';
  if (isDateLike(text)) return 'amount_date';
  if (letterForDigit(text) !== undefined) return 'amount_look_alike';
  if (/\p{Sc}/u.test(text) || /^\+?[A-Za-z]{1,10}\.?\s*[\d.,\s]+$|^[\d.,\s]+[A-Za-z]{1,10}\.?$/.test(text)) {
    return 'amount_with_currency';
  }
  return 'amount_not_a_number';
}

const SHORTENED =
  /\d\s*(?:k|m|b|bn|mn|mio|mil|mille|thousand|million|milh[õo]es|billion|milliard|lakh|crore)s?\.?(?![\p{L}\p{N}])/iu;

function count(text: string, mark: string): number {
  let found = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) found += 1;
  return found;
}

function wrong(fault: AmountFault): Extract<AmountReading, { kind: 'wrong' }> {
  return { kind: 'wrong', fault };
}
