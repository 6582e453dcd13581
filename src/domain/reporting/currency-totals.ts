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

type Tally = { count: number; minor: bigint };
type MoveTally = { readonly shifts: Map<Status, bigint>; readonly unaccounted: Tally };
type CurrencyTally = MoveTally & { readonly requested: Tally; readonly byStatus: Map<Status, Tally> };

/** Counts line after line, by currency. */
export class CurrencyCounter {
  readonly #tallies = new Map<CurrencyCode, CurrencyTally>();

  add(status: Status, amount: Money, moved: Moved | undefined): void {
    const tally = this.#tallies.get(amount.currency) ?? newTally();
    this.#tallies.set(amount.currency, tally);
    tally.requested.count += 1;
    tally.requested.minor += amount.minor;
    const sum = tally.byStatus.get(status) ?? { count: 0, minor: 0n };
    sum.count += 1;
    sum.minor += amount.minor;
    tally.byStatus.set(status, sum);
    if (moved !== undefined) addMoved(tally, moved);
  }

  totals(): readonly CurrencyTotal[] {
    return this.#sorted().map(([currency, tally]) => totalOf(currency, tally));
  }

  /** Per status and currency, with the amounts that were asked for. */
  asked(): readonly LedgerTotal[] {
    return this.#sorted().flatMap(([currency, { byStatus }]) =>
      STATUSES.flatMap((status) => {
        const sum = byStatus.get(status);
        return sum === undefined ? [] : [{ status, currency, ...sum }];
      }),
    );
  }

  /** The same with the amounts that the service shows. */
  shown(): readonly LedgerTotal[] {
    return this.#sorted().flatMap(([currency, tally]) => shownTotals(currency, tally));
  }

  #sorted() {
    return [...this.#tallies].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

function newTally(): CurrencyTally {
  return { requested: { count: 0, minor: 0n }, byStatus: new Map(), ...newMoveTally() };
}

function newMoveTally(): MoveTally {
  return { shifts: new Map(), unaccounted: { count: 0, minor: 0n } };
}

function addMoved({ shifts, unaccounted }: MoveTally, moved: Moved): void {
  for (const { status, minor } of moved.shifts) shifts.set(status, (shifts.get(status) ?? 0n) + minor);
  if (moved.unaccountedMinor === 0n) return;
  unaccounted.count += 1;
  unaccounted.minor += moved.unaccountedMinor;
}

/** In the order of STATUSES, with the amounts that the service shows. A part that came back adds an amount, and no row. */
function shownTotals(currency: CurrencyCode, { byStatus, shifts }: CurrencyTally): readonly LedgerTotal[] {
  return STATUSES.flatMap((status) => {
    const [sum, shift] = [byStatus.get(status), shifts.get(status)];
    if (sum === undefined && shift === undefined) return [];
    const { count, minor } = sum ?? { count: 0, minor: 0n };
    return [{ status, currency, count, minor: minor + (shift ?? 0n) }];
  });
}

function totalOf(currency: CurrencyCode, tally: CurrencyTally): CurrencyTotal {
  const totals = shownTotals(currency, tally);
  const groups = Object.fromEntries(
    GROUPS.map((group) => [group, groupedTotals(totals, currency, group)]),
  ) as Record<Group, Sum>;
  return { currency, requested: { ...tally.requested }, groups, unaccounted: { ...tally.unaccounted } };
}

/** How the sums of one currency change by the amounts that the service shows. */
export interface CurrencyMoves {
  readonly currency: CurrencyCode;
  /** What to add to the sum of each status. */
  readonly shifts: ReadonlyMap<Status, bigint>;
  readonly unaccounted: Sum;
}

/** Collects `CurrencyMoves`, one payment after the other. */
export class MoveCounter {
  readonly #tallies = new Map<CurrencyCode, MoveTally>();

  add(currency: CurrencyCode, moved: Moved | undefined): void {
    if (moved === undefined) return;
    const tally = this.#tallies.get(currency) ?? newMoveTally();
    this.#tallies.set(currency, tally);
    addMoved(tally, moved);
  }

  result(): readonly CurrencyMoves[] {
    return [...this.#tallies].map(([currency, tally]) => ({ currency, ...tally }));
  }
}

/** With the amounts that the service shows: several entries for one status and currency add up. */
export function movedTotals(
  asked: readonly LedgerTotal[],
  moves: readonly CurrencyMoves[],
): readonly LedgerTotal[] {
  const shifted = moves.flatMap(({ currency, shifts }) =>
    [...shifts].map(([status, minor]) => ({ currency, status, count: 0, minor })),
  );
  return [...asked, ...shifted];
}

/** By currency code, from sums per status and currency with the amounts asked. Used where no line was read. */
export function currencyTotals(
  asked: readonly LedgerTotal[],
  moves: readonly CurrencyMoves[] = [],
): readonly CurrencyTotal[] {
  const totals = movedTotals(asked, moves);
  const currencies = new Set(totals.flatMap(({ currency }) => currency ?? []));
  return [...currencies].sort().map((currency) => {
    const groups = Object.fromEntries(
      GROUPS.map((group) => [group, groupedTotals(totals, currency, group)]),
    ) as Record<Group, Sum>;
    const moved = moves.find((each) => each.currency === currency) ?? newMoveTally();
    const unaccounted = { ...moved.unaccounted };
    const sum = GROUPS.map((group) => groups[group]).reduce(addSums);
    return { currency, requested: { ...sum, minor: sum.minor + unaccounted.minor }, groups, unaccounted };
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
  readonly notAccountedFor?: readonly unknown[];
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
