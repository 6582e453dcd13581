/**
 * How a file writes numbers: `1,234.56` (point) or `1.234,56` (comma).
 *
 * One style per file, declared by the user or proven by all rows together. While the proof is still being
 * collected, rows are read with the style that the rows so far prove (point at first); at the end
 * `amountVerdict` says whether every reading stands. If it does not, the file is read once more with the
 * style it names, so that memory stays flat and no amount rests on a guess.
 */
import { type AmountFault, type AmountReading, readAmount } from './parse-amount.ts';

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

export type AmountVerdict =
  /** Every amount was read rightly; the rows staged so far are good. */
  | { readonly kind: 'stands' }
  /** Drop what was staged and read the file again with a new validator of this style. Happens at most once. */
  | { readonly kind: 'again'; readonly style: AmountStyle };

/** What one row's reading comes to under a style. */
export type AmountChoice =
  | { readonly kind: 'read'; readonly plain: string }
  | { readonly kind: 'ambiguous'; readonly point: string; readonly comma: string }
  /** Written in the style that the file, or the user, does not use. */
  | { readonly kind: 'other_style'; readonly expected: DecimalMark }
  | { readonly kind: 'wrong'; readonly fault: AmountFault };

/** Reads amounts in one style and, while proving, remembers what the rows say. */
export interface AmountReader {
  read(text: string): AmountChoice;
  verdict(): AmountVerdict;
}

export function createAmountReader(style: AmountStyle): AmountReader {
  return style.kind === 'proving' ? provingReader() : fixedReader(style);
}

function provingReader(): AmountReader {
  const proofs = { point: 0, comma: 0 };
  const guesses = { point: 0, comma: 0 };
  return {
    read(text) {
      const reading = readAmount(text);
      if (reading.kind === 'wrong') return reading;
      if (reading.kind === 'one_way') {
        if (reading.proves !== undefined) proofs[reading.proves] += 1;
        return { kind: 'read', plain: reading.plain };
      }
      const guess = proofs.comma > proofs.point ? 'comma' : 'point';
      guesses[guess] += 1;
      return { kind: 'read', plain: reading[guess] };
    },
    verdict: () => verdictOf(proofs, guesses),
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

function fixedReader(style: Exclude<AmountStyle, { kind: 'proving' }>): AmountReader {
  return { read: (text) => choose(readAmount(text), style), verdict: () => ({ kind: 'stands' }) };
}

function choose(reading: AmountReading, style: Exclude<AmountStyle, { kind: 'proving' }>): AmountChoice {
  if (reading.kind === 'wrong') return reading;
  if (reading.kind === 'two_ways') {
    const isSettled = style.kind === 'declared' || style.kind === 'proven';
    if (isSettled) return { kind: 'read', plain: reading[style.decimal] };
    return { kind: 'ambiguous', point: reading.point, comma: reading.comma };
  }
  if (reading.proves === undefined || style.kind === 'unproven')
    return { kind: 'read', plain: reading.plain };
  if (reading.proves === style.decimal) return { kind: 'read', plain: reading.plain };
  return { kind: 'other_style', expected: style.decimal ?? (reading.proves === 'point' ? 'comma' : 'point') };
}
