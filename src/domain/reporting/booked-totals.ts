/**
 * Proof of the Journal: what each account must come to by the states of the ledger's payments, beside what was
 * booked; and what was ever taken for a row, whose sum the payments and fees of the Journal must be.
 *
 * The states do not depend on how the events were booked, so a pair that is lost, doubled or wrong shows.
 * Units:   `minor` counts minor units of the currency beside it; debits count up, credits down.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { restNow } from '../payouts/difference.ts';
import type { Payout, Status } from '../payouts/payout.ts';
import { type Booking, dueFor, type Place, REST_IN, type SentPayout, type Standing } from './booking.ts';
import { ACCOUNT_ROLES, type AccountRole } from './journal-accounts.ts';
import { partsOf, shownBack } from './payment-costs.ts';
import type { Period } from './period.ts';
import { type Mutable, Tallies } from './tallies.ts';

/** When a pair is dated: outside a report over days everything is in its days. */
export type When = 'before' | 'in_days' | 'later';

export interface Balance {
  readonly role: AccountRole;
  readonly currency: CurrencyCode;
  /** Booked after the days. */
  readonly later: bigint;
  /** What the account comes to by the states of the payments. */
  readonly ledger: bigint;
}

/**
 * Debits of payments that were sent in the days of the report and that no line of it stands for. `earlier`: their row was
 * paid again since. `unpaid`: sent, and found unpaid afterwards.
 */
export interface Taken {
  readonly currency: CurrencyCode;
  readonly earlier: bigint;
  readonly unpaid: bigint;
}

export interface BookedTotal {
  readonly balances: readonly Balance[];
  readonly taken: readonly Taken[];
  /** Pairs dated outside the days of the report. */
  readonly ofOtherDays: number;
}

export function whenOf({ at }: Pick<Booking, 'at'>, period: Period | undefined): When {
  if (period === undefined) return 'in_days';
  if (at < period.startsAt) return 'before';
  return at < period.endsAt ? 'in_days' : 'later';
}

export class BookedTotals {
  readonly #period: Period | undefined;
  readonly #balances = new Tallies<Mutable<Balance>>();
  readonly #taken = new Tallies<Mutable<Taken>>();
  #ofOtherDays = 0;

  constructor(period: Period | undefined) {
    this.#period = period;
  }

  /** `standing`: at the end of the days; undefined outside a report over days, and if it was not sent by then. */
  add(sent: SentPayout, bookings: readonly Booking[], standing?: Standing): void {
    for (const { role, minor, currency } of stateBalances(sent)) this.#draft(role, currency).ledger += minor;
    for (const booking of bookings) {
      const when = whenOf(booking, this.#period);
      if (when === 'in_days') continue;
      this.#ofOtherDays += 1;
      const { minor, currency } = booking.money;
      // What was booked before is the opening balance of the days.
      if (when === 'before') continue;
      this.#draft(booking.debit, currency).later += minor;
      this.#draft(booking.credit, currency).later -= minor;
    }
    this.#addTaken(sent, bookings, standing?.status ?? sent.payout.state.status);
  }

  finish(): BookedTotal {
    return { balances: this.#balances.all(), taken: this.#taken.all(), ofOtherDays: this.#ofOtherDays };
  }

  #draft(role: AccountRole, currency: CurrencyCode): Mutable<Balance> {
    const none = { later: 0n, ledger: 0n };
    return this.#balances.of(`${currency} ${ACCOUNT_ROLES.indexOf(role)}`, () => ({
      role,
      currency,
      ...none,
    }));
  }

  #addTaken({ payout, isCurrent }: SentPayout, bookings: readonly Booking[], status: Status): void {
    const period = this.#period;
    const isUnpaid = status === 'failed';
    // Over days every payment has a line of its own.
    if ((isCurrent || period !== undefined) && !isUnpaid) return;
    const { whole, fxDifference, isPriced } = partsOf(payout);
    const payment = bookings.find(({ kind }) => kind === 'payment');
    if (payment === undefined || whole === undefined || !isPriced) return;
    if (whenOf(payment, this.#period) !== 'in_days') return;
    const { currency, minor } = whole;
    const sum = this.#taken.of(currency, () => ({ currency, earlier: 0n, unpaid: 0n }));
    sum[isUnpaid ? 'unpaid' : 'earlier'] += minor - (fxDifference?.minor ?? 0n);
  }
}

/** Where the money of a payment stands now, by its state alone. */
function stateBalances({ payout, events, bank }: SentPayout) {
  const parts = partsOf(payout);
  const { principal, fee, fxDifference, whole } = parts;
  if (principal === undefined || whole === undefined) return [];
  const { currency } = whole;
  const place = placeOf(payout, events);
  const stands = { place, ...restNow(payout), back: shownBack(payout) };
  const due = dueFor(payout, parts, stands, bank?.at(-1));
  const of = (role: AccountRole, minor: bigint) => ({ role, minor, currency });
  const kept = (fee?.minor ?? 0n) + due.fee;
  const added = (fxDifference?.minor ?? 0n) + due.line;
  const spent = [
    of('owed', principal.minor - due.back - due.rest),
    of('fees', kept),
    ...(added === 0n ? [] : [of('fx_difference', added)]),
    ...(due.rest === 0n ? [] : [of(REST_IN[due.found], due.rest)]),
  ];
  switch (place) {
    case 'paid':
      return [...spent, of('paying', due.back - whole.minor - due.line - due.fee)];
    case 'on_its_way':
      return [...spent, of('on_its_way', due.back - whole.minor)];
    case 'suspense':
      return [of('suspense', whole.minor), of('on_its_way', -whole.minor)];
    case 'returned':
      return [of('fees', kept), of('paying', -kept)];
    case 'nowhere':
      return [];
  }
}

function placeOf({ state }: Payout, events: SentPayout['events']): Place {
  switch (state.status) {
    case 'settled':
      return 'paid';
    case 'accepted':
      return 'on_its_way';
    case 'sending':
    case 'in_doubt':
      return 'suspense';
    case 'returned':
      return 'returned';
    default:
      return state.status === 'failed' && events.some(({ kind }) => kind === 'incident') ? 'paid' : 'nowhere';
  }
}
