/**
 * How a file writes numbers: `1,234.56` (point) or `1.234,56` (comma).
 *
 * One style per file, declared by the user or proven by all rows together. While the proof is still being
 * collected, rows are read with the style that the rows so far prove (point at first); at the end
 * `amountVerdict` says whether every reading stands. If it does not, the file is read once more with the
 * style it names, so that memory stays flat and no amount rests on a guess.
 *
 * A mark with exactly three digits after it is never a decimal mark, except in a currency of three decimals whose
 * style was declared: `27,500` in a file of decimal commas is more often 27500 than 27.50.
 */
import { type AmountFault, type AmountReading, readAmount, type ThreeDigits } from './parse-amount.ts';

export type DecimalMark = 'point' | 'comma';

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
export type StyleInForce = Exclude<AmountStyle, { kind: 'proving' }>;

export type AmountVerdict =
  /** Every amount was read rightly; the rows staged so far are good. */
  | { readonly kind: 'stands' }
  /** Drop what was staged and read the file again with a new validator of this style. Happens at most once. */
  | { readonly kind: 'again'; readonly style: AmountStyle };

/** What one row's reading comes to under a style. */
export type AmountChoice =
  | { readonly kind: 'read'; readonly plain: string }
  /** The style does not make the mark a thousands mark, and a decimal mark it never is. */
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

/** Where the currency is not known, the row is not paid anyway, and its amount is judged once the currency is. */
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
