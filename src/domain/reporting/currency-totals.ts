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

interface Tally {
  requested: Sum;
  unaccounted: Sum;
  readonly byStatus: Map<Status, Sum>;
  /** What the amounts that the service shows add to the sum of each status. */
  readonly shifts: Map<Status, bigint>;
}

const NOTHING: Sum = { count: 0, minor: 0n };

/** Counts by currency: rows one after another, or sums that the ledger counted. */
export class CurrencyCounter {
  readonly #tallies = new Map<CurrencyCode, Tally>();

  /** One row, with the amount that was asked for. */
  add(status: Status, amount: Money, moved: Moved | undefined): void {
    this.addSum({ status, count: 1, ...amount });
    this.addMoved(amount.currency, moved);
  }

  /** Rows of one status, with the amounts that were asked for. */
  addSum({ status, currency, ...sum }: LedgerTotal): void {
    if (currency === undefined) return;
    const tally = this.#of(currency);
    tally.requested = addSums(tally.requested, sum);
    tally.byStatus.set(status, addSums(tally.byStatus.get(status) ?? NOTHING, sum));
  }

  /** How a row that is counted already changes the sums by the amount that the service shows. */
  addMoved(currency: CurrencyCode, moved: Moved | undefined): void {
    if (moved === undefined) return;
    const tally = this.#of(currency);
    const { shifts, unaccountedMinor: minor } = moved;
    for (const shift of shifts)
      tally.shifts.set(shift.status, (tally.shifts.get(shift.status) ?? 0n) + shift.minor);
    if (minor !== 0n) tally.unaccounted = addSums(tally.unaccounted, { count: 1, minor });
  }

  /** By currency code. */
  totals(): readonly CurrencyTotal[] {
    return this.#sorted().map(([currency, { requested, unaccounted, ...tally }]) => {
      const totals = shownTotals(currency, tally);
      const groups = Object.fromEntries(
        GROUPS.map((group) => [group, groupedTotals(totals, currency, group)]),
      ) as Record<Group, Sum>;
      return { currency, requested, groups, unaccounted };
    });
  }

  /** Per status and currency, with the amounts that were asked for. */
  asked(): readonly LedgerTotal[] {
    return this.#sorted().flatMap(([currency, { byStatus }]) =>
      shownTotals(currency, { byStatus, shifts: new Map() }),
    );
  }

  /** The same with the amounts that the service shows. */
  shown(): readonly LedgerTotal[] {
    return this.#sorted().flatMap(([currency, tally]) => shownTotals(currency, tally));
  }

  #of(currency: CurrencyCode): Tally {
    const tally = this.#tallies.get(currency) ?? {
      ...{ requested: NOTHING, unaccounted: NOTHING },
      ...{ byStatus: new Map<Status, Sum>(), shifts: new Map<Status, bigint>() },
    };
    this.#tallies.set(currency, tally);
    return tally;
  }

  #sorted() {
    return [...this.#tallies].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

/** In the order of STATUSES. A part that came back adds an amount, and no row. */
function shownTotals(
  currency: CurrencyCode,
  { byStatus, shifts }: Pick<Tally, 'byStatus' | 'shifts'>,
): readonly LedgerTotal[] {
  return STATUSES.flatMap((status) => {
    const [sum, shift] = [byStatus.get(status), shifts.get(status)];
    if (sum === undefined && shift === undefined) return [];
    const { count, minor } = sum ?? NOTHING;
    return [{ status, currency, count, minor: minor + (shift ?? 0n) }];
  });
}

export function unequalSum(total: CurrencyTotal): readonly string[] {
  const { currency, requested } = total;
  const minor = groupsMinor(total);
  if (minor === requested.minor) return [];
  const texts = [requested.minor, minor].map((value) => formatMoney({ minor: value, currency }));
  return [`${currency}: ${texts[0]} was requested, the groups come to ${texts[1]}.`];
}

/** What the groups of a currency and what is not accounted for come to; it must be what was requested. */
export function groupsMinor({ groups, unaccounted }: CurrencyTotal): bigint {
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
      return `${UNACCOUNTED}: ${what}. This line stays after a person accepts the difference.`;
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
  return mine.reduce<Sum>(addSums, { count: 0, minor: 0n });
}

export function addSums(one: Sum, other: Sum): Sum {
  return { count: one.count + other.count, minor: one.minor + other.minor };
}
