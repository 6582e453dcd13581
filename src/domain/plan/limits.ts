/**
 * Limits set beforehand: for one row, one batch and one day, per destination currency. They count what beneficiaries
 * get. A currency that is not named has no limit. And ceilings, which come with one command: a currency that is not named
 * may not be paid at all.
 *
 * Units:   a day is a day of UTC. It counts what was sent on it and whatever is approved and still to be sent, so that
 *          the approvals of two days cannot be sent on one.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatMoney, isAtMost, type Money, MoneySums } from '../money/money.ts';
import type { HoldReason } from '../payouts/payout.ts';

export interface Limits {
  /** A row above it waits for a person. */
  readonly rowMax: readonly Money[];
  /** Of one batch, all runs together. */
  readonly batchMax: readonly Money[];
  /** Of all batches of the ledger. */
  readonly dayMax: readonly Money[];
}

export const NO_LIMITS: Limits = { rowMax: [], batchMax: [], dayMax: [] };

export interface OverLimit {
  readonly kind: 'over_limit';
  readonly limit: 'batch' | 'day';
  /** The total that would exceed the limit. */
  readonly total: Money;
  readonly max: Money;
}

export function limitReasons(amount: Money, { rowMax }: Limits): readonly HoldReason[] {
  const max = limitFor(amount.currency, rowMax);
  if (max === undefined || isAtMost(amount, max)) return [];
  const text = `${formatMoney(amount)} is over the limit of ${formatMoney(max)} for one row`;
  const { minor, currency } = amount;
  return [{ concern: { kind: 'over_limit', limit: max.minor, minor, currency }, text }];
}

interface Totals {
  readonly toApprove: readonly { readonly sum: Money }[];
  readonly committed: readonly Money[];
}

/** The first currency in which the batch, or the day with it, would go over its limit. */
export function overLimit(plan: Totals, limits: Limits, day: readonly Money[]): OverLimit | undefined {
  for (const { sum } of plan.toApprove) {
    const batch = over('batch', sum, { max: limits.batchMax, before: plan.committed });
    const found = batch ?? over('day', sum, { max: limits.dayMax, before: day });
    if (found !== undefined) return found;
  }
  return undefined;
}

export function overLimitSentence({ limit, total, max }: OverLimit): string {
  const what = limit === 'batch' ? 'The batch' : 'Today, all batches together,';
  const verb = limit === 'batch' ? 'pays' : 'would pay';
  return `${what} ${verb} ${formatMoney(total)}; the limit for a ${limit} is ${formatMoney(max)}.`;
}

function over(
  limit: OverLimit['limit'],
  sum: Money,
  { max, before }: { readonly max: readonly Money[]; readonly before: readonly Money[] },
): OverLimit | undefined {
  const bound = limitFor(sum.currency, max);
  if (bound === undefined) return undefined;
  const total = { ...sum, minor: sum.minor + (limitFor(sum.currency, before)?.minor ?? 0n) };
  return isAtMost(total, bound) ? undefined : { kind: 'over_limit', limit, total, max: bound };
}

function limitFor(currency: CurrencyCode, list: readonly Money[]): Money | undefined {
  return list.find((money) => money.currency === currency);
}

export interface Ceilings {
  /** Principal per destination currency, whole batch, all runs; undefined: no ceiling. */
  readonly ceilings?: readonly Money[] | undefined;
  /** The debit per source currency, fees included, whole batch, all runs; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
}

export interface OverCeiling {
  readonly kind: 'over_ceiling';
  readonly total: Money;
  readonly ceiling: Money | undefined;
  /** The principal, or the debit with the fees. */
  readonly of: 'principal' | 'debit';
}

interface PlanSums {
  readonly toApprove: readonly { readonly sum: Money; readonly debits: readonly Money[] }[];
  readonly committed: readonly Money[];
  readonly committedDebits: readonly Money[];
}

/** The first currency whose total (agreed before, or waiting now) is above its ceiling or has none. */
export function overCeiling(plan: PlanSums, { ceilings, maxDebits }: Ceilings): OverCeiling | undefined {
  const principal = [...plan.committed, ...plan.toApprove.map(({ sum }) => sum)];
  const debits = [...plan.committedDebits, ...plan.toApprove.flatMap((line) => line.debits)];
  return overBound('principal', principal, ceilings) ?? overBound('debit', debits, maxDebits);
}

function overBound(
  of: OverCeiling['of'],
  sums: readonly Money[],
  bounds: readonly Money[] | undefined,
): OverCeiling | undefined {
  if (bounds === undefined) return undefined;
  for (const total of new MoneySums(sums).all()) {
    const ceiling = bounds.find(({ currency }) => currency === total.currency);
    if (!isAtMost(total, ceiling)) return { kind: 'over_ceiling', total, ceiling, of };
  }
  return undefined;
}
