/**
 * Decimals that are not whole minor units: rates and fees. The only file that knows big.js.
 *
 * Units:   `rate` is destination currency per unit of source currency; `fee` is in the source currency.
 *          What comes out is money in the source currency, rounded half up, for display only.
 * Rule:    debit = amount ÷ rate + fee.
 */
import Big from 'big.js';
import type { Quote } from '../payouts/instruction.ts';
import { type CurrencyCode, decimalsOf } from './currency.ts';
import { formatDecimal, type Money } from './money.ts';

const Exact = Big();
// A quotient is cut far beyond any currency's decimals, so that rounding for display is the only rounding seen.
Exact.DP = 60;
Exact.RM = Big.roundHalfUp;

const PLAIN = /^\d{1,40}(?:\.\d{1,40})?$/;

/** What the payment costs; undefined when the source currency is not known or the quote cannot be used for sums. */
export function debitOf(
  amount: Money,
  quote: Pick<Quote, 'rate' | 'fee' | 'sourceCurrency'>,
): Money | undefined {
  const { rate, fee, sourceCurrency } = quote;
  if (sourceCurrency === undefined || !PLAIN.test(rate) || !PLAIN.test(fee)) return undefined;
  const divisor = wholeOf(rate);
  if (divisor.whole === 0n) return undefined;
  const charge = wholeOf(fee);
  // One exact fraction, rounded once: a report computes a million of these, and bigint is ten times faster.
  const ten = (power: number) => 10n ** BigInt(power);
  const amountUnit = ten(decimalsOf(amount.currency));
  const below = divisor.whole * amountUnit * ten(charge.decimals);
  const above =
    amount.minor * ten(divisor.decimals + charge.decimals) + charge.whole * divisor.whole * amountUnit;
  const minor = (2n * above * ten(decimalsOf(sourceCurrency)) + below) / (2n * below);
  return { minor, currency: sourceCurrency };
}

/** `15.50` → 1550 with 2 decimals. */
function wholeOf(text: string): { readonly whole: bigint; readonly decimals: number } {
  const [whole = '', fraction = ''] = text.split('.');
  return { whole: BigInt(whole + fraction), decimals: fraction.length };
}

/** Plain decimal text as money, rounded half up; undefined when it is not a plain decimal. */
export function roundedMoney(text: string, currency: CurrencyCode): Money | undefined {
  return PLAIN.test(text) ? moneyOf(new Exact(text), currency) : undefined;
}

function moneyOf(value: Big, currency: CurrencyCode): Money {
  const decimals = decimalsOf(currency);
  return { minor: BigInt(value.toFixed(decimals, Big.roundHalfUp).replace('.', '')), currency };
}

/** The fee of a quote as money in the source currency; undefined as in debitOf. */
export function feeOf(quote: Pick<Quote, 'fee' | 'sourceCurrency'>): Money | undefined {
  return quote.sourceCurrency === undefined ? undefined : roundedMoney(quote.fee, quote.sourceCurrency);
}

/** What share of the whole a plain decimal is, in percent; 0 when the whole is nothing. */
export function percentOf(part: string, whole: Money): number {
  const divisor = new Exact(formatDecimal(whole));
  if (divisor.eq(0) || !PLAIN.test(part)) return 0;
  return new Exact(part).div(divisor).times(100).toNumber();
}

/** By how many percent a debit rises when the rate moves; negative when it falls. Rates are destination per source. */
export function risePercent(rateThen: string, rateNow: string): number {
  if (!PLAIN.test(rateThen) || !PLAIN.test(rateNow)) return Number.POSITIVE_INFINITY;
  const now = new Exact(rateNow);
  if (now.eq(0)) return Number.POSITIVE_INFINITY;
  return new Exact(rateThen).div(now).minus(1).times(100).toNumber();
}

/** Whether two plain decimals are equal; undefined when one of them is not a plain decimal. */
export function isEqualDecimal(one: string, other: string): boolean | undefined {
  return PLAIN.test(one) && PLAIN.test(other) ? new Exact(one).eq(other) : undefined;
}

/** Whether `seen` is within the given percent of `expected`; both plain decimals. */
export function isWithinPercent(seen: string, expected: string, percent: number): boolean {
  if (!PLAIN.test(seen) || !PLAIN.test(expected)) return false;
  const budget = new Exact(expected).times(percent).div(100);
  return new Exact(seen).minus(expected).abs().lte(budget);
}

/** A destination amount in the source currency at a rate, as a plain decimal for the wire; undefined as in debitOf. */
export function sourceAmountOf(
  amount: Money,
  rate: string,
  sourceCurrency: CurrencyCode,
): string | undefined {
  const debit = debitOf(amount, { rate, fee: '0', sourceCurrency });
  return debit === undefined ? undefined : formatDecimal(debit);
}
