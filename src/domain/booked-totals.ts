/**
 * Proof of the Journal: what each account must come to by the states of the ledger's payments, beside what was
 * booked; and what was ever taken for a row, whose sum the payments and fees of the Journal must be.
 *
 * The states know nothing of how the events were booked, so a pair that is lost, doubled or wrong shows.
 * Units:   `minor` counts minor units of the currency beside it; debits count up, credits down.
 */
import { ACCOUNT_ROLES, type AccountRole, type Booking, partsOf, type SentPayout } from './booking.ts';
import type { CurrencyCode } from './currency.ts';
import type { Payout } from './payout.ts';
import type { Period } from './period.ts';

/** When a pair is dated: outside a report over days everything is in its days. */
export type When = 'before' | 'in_days' | 'later';

export interface Balance {
  readonly role: AccountRole;
  readonly currency: CurrencyCode;
  /** Booked on other days. */
  readonly before: bigint;
  readonly later: bigint;
  /** What the account comes to by the states of the payments. */
  readonly ledger: bigint;
}

/** Payments that no line of the report stands for, of one currency. */
export interface TakenSum {
  readonly count: number;
  readonly feeMinor: bigint;
  readonly debitMinor: bigint;
  readonly daysCount: number;
  readonly daysMinor: bigint;
}

/** `earlier`: their row was paid again since. `unpaid`: sent, and found unpaid afterwards. */
export interface Taken {
  readonly currency: CurrencyCode;
  readonly earlier: TakenSum & { readonly returnedMinor: bigint };
  readonly unpaid: TakenSum;
}

export interface BookedTotal {
  readonly balances: readonly Balance[];
  readonly taken: readonly Taken[];
  /** Pairs dated outside the days of the report. */
  readonly ofOtherDays: number;
}

type Draft = { before: bigint; later: bigint; ledger: bigint };
type SumDraft = { -readonly [Key in keyof TakenSum]: TakenSum[Key] };
type TakenDraft = { earlier: SumDraft & { returnedMinor: bigint }; unpaid: SumDraft };

export function whenOf({ at }: Pick<Booking, 'at'>, period: Period | undefined): When {
  if (period === undefined) return 'in_days';
  if (at < period.startsAt) return 'before';
  return at < period.endsAt ? 'in_days' : 'later';
}

export class BookedTotals {
  readonly #period: Period | undefined;
  readonly #balances = new Map<string, Draft>();
  readonly #taken = new Map<CurrencyCode, TakenDraft>();
  #ofOtherDays = 0;

  constructor(period: Period | undefined) {
    this.#period = period;
  }

  add(sent: SentPayout, bookings: readonly Booking[]): void {
    for (const { role, minor, currency } of stateBalances(sent)) this.#draft(role, currency).ledger += minor;
    for (const booking of bookings) {
      const when = whenOf(booking, this.#period);
      if (when === 'in_days') continue;
      this.#ofOtherDays += 1;
      const { minor, currency } = booking.money;
      this.#draft(booking.debit, currency)[when] += minor;
      this.#draft(booking.credit, currency)[when] -= minor;
    }
    this.#addTaken(sent, bookings);
  }

  finish(): BookedTotal {
    const balances = [...this.#balances]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, draft]) => {
        const [currency = '', nth] = key.split(' ');
        return {
          role: ACCOUNT_ROLES[Number(nth)] ?? 'suspense',
          currency: currency as CurrencyCode,
          ...draft,
        };
      });
    const taken = [...this.#taken]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, draft]) => ({ currency, ...draft }));
    return { balances, taken, ofOtherDays: this.#ofOtherDays };
  }

  #draft(role: AccountRole, currency: CurrencyCode): Draft {
    const key = `${currency} ${ACCOUNT_ROLES.indexOf(role)}`;
    const draft = this.#balances.get(key) ?? { before: 0n, later: 0n, ledger: 0n };
    this.#balances.set(key, draft);
    return draft;
  }

  #addTaken({ payout, isCurrent }: SentPayout, bookings: readonly Booking[]): void {
    const isUnpaid = payout.state.status === 'failed';
    if (isCurrent && !isUnpaid) return;
    // A report over days shows what something happened to in them.
    if (bookings.every((booking) => whenOf(booking, this.#period) !== 'in_days')) return;
    const payment = bookings.find(({ kind }) => kind === 'payment');
    const { fee, whole, principal, isPriced } = partsOf(payout);
    if (payment === undefined || whole === undefined || !isPriced) return;
    const draft = this.#taken.get(whole.currency) ?? {
      earlier: { ...NO_SUM, returnedMinor: 0n },
      unpaid: { ...NO_SUM },
    };
    this.#taken.set(whole.currency, draft);
    const sum = isUnpaid ? draft.unpaid : draft.earlier;
    sum.count += 1;
    sum.feeMinor += fee?.minor ?? 0n;
    sum.debitMinor += whole.minor;
    if (!isUnpaid && payout.state.status === 'returned')
      draft.earlier.returnedMinor += principal?.minor ?? 0n;
    if (whenOf(payment, this.#period) !== 'in_days') return;
    sum.daysCount += 1;
    sum.daysMinor += whole.minor;
  }
}

const NO_SUM: TakenSum = { count: 0, feeMinor: 0n, debitMinor: 0n, daysCount: 0, daysMinor: 0n };

/** Where the money of a payment stands now, by its state alone. */
function stateBalances({ payout, events }: SentPayout) {
  const { principal, fee, whole } = partsOf(payout);
  if (principal === undefined || whole === undefined) return [];
  const { currency } = whole;
  const of = (role: AccountRole, minor: bigint) => ({ role, minor, currency });
  const kept = fee?.minor ?? 0n;
  const spent = [of('owed', principal.minor), of('fees', kept)];
  switch (placeOf(payout, events)) {
    case 'paid':
      return [...spent, of('paying', -whole.minor)];
    case 'on_its_way':
      return [...spent, of('on_its_way', -whole.minor)];
    case 'in_doubt':
      return [of('suspense', whole.minor), of('on_its_way', -whole.minor)];
    case 'returned':
      return [of('fees', kept), of('paying', -kept)];
    default:
      return [];
  }
}

function placeOf({ state }: Payout, events: SentPayout['events']) {
  switch (state.status) {
    case 'settled':
      return 'paid';
    case 'accepted':
      return 'on_its_way';
    case 'sending':
    case 'in_doubt':
      return 'in_doubt';
    case 'returned':
      return 'returned';
    default:
      return state.status === 'failed' && events.some(({ kind }) => kind === 'incident') ? 'paid' : 'nowhere';
  }
}
