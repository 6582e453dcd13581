/**
 * Sums of money per currency and group. Groups count the amounts that the service shows. The difference from the amounts
 * asked is not accounted for.
 *
 * Units:   `minor` counts minor units of the currency beside it.
 * Rule:    requested = the sum of the nine groups and of what is not accounted for.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatDecimal, formatMoney, type Money } from '../money/money.ts';
import type { Moved } from '../payouts/difference.ts';
import { STATUSES, type Status } from '../payouts/payout.ts';
import { rowsText } from '../text/printable.ts';
import { GROUP_OF, GROUPS, type Group } from './status-words.ts';
import { type Mutable, Tallies } from './tallies.ts';

export interface Sum {
  readonly count: number;
  readonly minor: bigint;
}

export interface CurrencyTotal {
  readonly currency: CurrencyCode;
  readonly requested: Sum;
  readonly groups: Readonly<Record<Group, Sum>>;
  /** Rows where the service shows another amount: asked minus shown, so negative where it shows more. */
  readonly unaccounted: Sum;
}

/** As the ledger gives it: one per status and currency; `currency` undefined where no money is known. */
export interface LedgerTotal {
  readonly status: Status;
  readonly currency: CurrencyCode | undefined;
  readonly count: number;
  readonly minor: bigint;
}

const NOTHING: Sum = { count: 0, minor: 0n };

/** `shift`: what the amounts that the service shows add to the sum. A part that came back adds an amount, and no row. */
type Counted = Mutable<LedgerTotal> & { readonly currency: CurrencyCode; shift: bigint };

/** Counts by currency: rows one after another, or sums that the ledger counted. */
export class CurrencyCounter {
  readonly #totals = new Tallies<Counted>();
  readonly #unaccounted = new Map<CurrencyCode, Sum>();

  /** One row, with the amount that was asked for. */
  add(status: Status, amount: Money, moved: Moved | undefined): void {
    this.addSum({ status, count: 1, ...amount });
    this.addMoved(amount.currency, moved);
  }

  /** Rows of one status, with the amounts that were asked for. */
  addSum({ status, currency, count, minor }: LedgerTotal): void {
    if (currency === undefined) return;
    const total = this.#of(status, currency);
    total.count += count;
    total.minor += minor;
  }

  /** How a row that is counted already changes the sums by the amount that the service shows. */
  addMoved(currency: CurrencyCode, moved: Moved | undefined): void {
    if (moved === undefined) return;
    const { shifts, unaccountedMinor: minor } = moved;
    for (const shift of shifts) this.#of(shift.status, currency).shift += shift.minor;
    if (minor !== 0n)
      this.#unaccounted.set(currency, addSums(this.#unaccountedOf(currency), { count: 1, minor }));
  }

  /** By currency code. */
  totals(): readonly CurrencyTotal[] {
    const [asked, shown] = [this.asked(), this.shown()];
    return [...new Set(this.#totals.all().map(({ currency }) => currency))].map((currency) => ({
      currency,
      requested: asked.filter((total) => total.currency === currency).reduce<Sum>(addSums, NOTHING),
      groups: Object.fromEntries(
        GROUPS.map((group) => [group, groupedTotals(shown, currency, group)]),
      ) as Record<Group, Sum>,
      unaccounted: this.#unaccountedOf(currency),
    }));
  }

  /** Per status and currency, with the amounts that were asked for. */
  asked(): readonly LedgerTotal[] {
    return this.#totals.all().flatMap(({ shift: _, ...total }) => (total.count === 0 ? [] : [total]));
  }

  /** The same with the amounts that the service shows. */
  shown(): readonly LedgerTotal[] {
    return this.#totals.all().map(({ shift, ...total }) => ({ ...total, minor: total.minor + shift }));
  }

  #of(status: Status, currency: CurrencyCode): Counted {
    // Two digits, so that the keys are in the order of STATUSES.
    const key = `${currency} ${STATUSES.indexOf(status) + 10}`;
    return this.#totals.of(key, () => ({ status, currency, count: 0, minor: 0n, shift: 0n }));
  }

  #unaccountedOf(currency: CurrencyCode): Sum {
    return this.#unaccounted.get(currency) ?? NOTHING;
  }
}

export function unequalSum(total: CurrencyTotal): readonly string[] {
  const { currency, requested } = total;
  const minor = groupsMinor(total);
  if (minor === requested.minor) return [];
  const texts = [requested.minor, minor].map((value) => formatMoney({ minor: value, currency }));
  return [`${currency}: ${texts[0]} was requested, the groups come to ${texts[1]}.`];
}

/** What the groups of a currency and what is not accounted for come to; it must be what was requested. */
function groupsMinor({ groups, unaccounted }: CurrencyTotal): bigint {
  return GROUPS.reduce((sum, group) => sum + groups[group].minor, unaccounted.minor);
}

interface Totals {
  readonly currencies: readonly CurrencyTotal[];
}

/** Its name in reports, on pages and on a terminal. */
export const UNACCOUNTED = 'Not accounted for';

/** One sentence for each currency of which something is not accounted for. It is shown beside the sum. */
export function unaccountedTexts({ currencies }: Totals): readonly string[] {
  return currencies
    .filter(({ unaccounted }) => unaccounted.count > 0)
    .map(({ currency, unaccounted: { count, minor } }) => {
      const [sum, rows] = [formatMoney({ minor: minor < 0n ? -minor : minor, currency }), rowsText(count)];
      const what =
        minor === 0n
          ? `${rows} in ${currency}, with more and with less than was asked`
          : `${sum} ${minor < 0n ? 'more than' : 'of what'} was asked, in ${rows}`;
      const stays =
        minor < 0n
          ? 'after a person accepts the difference'
          : 'until somebody finds out that the rest was delivered';
      return `${UNACCOUNTED}: ${what}. This line stays ${stays}.`;
    });
}

/** A member of a JSON document; absent where every amount is accounted for. */
export function unaccountedJson({ currencies }: Totals): {
  readonly notAccountedFor?: readonly {
    readonly currency: CurrencyCode;
    readonly count: number;
    readonly amount: string;
    readonly minorUnits: string;
  }[];
} {
  const found = currencies
    .filter(({ unaccounted }) => unaccounted.count > 0)
    .map(({ currency, unaccounted: { count, minor } }) => ({
      currency,
      count,
      amount: formatDecimal({ minor, currency }),
      minorUnits: minor.toString(),
    }));
  return found.length === 0 ? {} : { notAccountedFor: found };
}

/** Sums totals per group and currency. */
export function groupedTotals(totals: readonly LedgerTotal[], currency: CurrencyCode, group: Group): Sum {
  const mine = totals.filter((total) => total.currency === currency && GROUP_OF[total.status] === group);
  return mine.reduce<Sum>(addSums, NOTHING);
}

export function addSums(one: Sum, other: Sum): Sum {
  return { count: one.count + other.count, minor: one.minor + other.minor };
}
