/**
 * The events of a payment as bookkeeping: pairs of one debit and one credit, in the currency that pays, each on the day
 * of its own event. A later event adds pairs and changes none, so that a month that was imported stays right.
 *
 * A payment is booked as on its way until the service finishes it. One whose outcome is not known is booked in suspense,
 * never as paid, until the day of the answer or the ruling. What was refused before execution is not booked at all.
 * A payment whose debit is not known is booked in the currency it was asked in.
 * Units:   `money` is what the quote said; the service does not show what it took.
 */

import type { CurrencyCode } from '../money/currency.ts';
import type { Money } from '../money/money.ts';
import type { BatchId } from '../payouts/instruction.ts';
import { type Payout, type Shown, sentAtOf } from '../payouts/payout.ts';
import type { PayoutEvent } from '../payouts/payout-event.ts';
import { cameBack } from '../payouts/shown.ts';
import type { Timestamp } from '../timestamp.ts';
import { ACCOUNT_ROLES, type AccountRole } from './journal-accounts.ts';
import { type Parts, partBackIn, partsOf, shownBack } from './payment-costs.ts';
import type { Period } from './period.ts';
import { type Mutable, Tallies } from './tallies.ts';

export const BOOKING_WORDS = {
  payment: 'Payment',
  fee: 'Fee',
  finished: 'Finished',
  found_paid: 'Doubt ended, paid',
  found_unpaid: 'Doubt ended, not paid',
  failed: 'Failed at the service',
  return: 'Return',
  return_of_part: 'Return of a part',
  paid_after_all: 'Paid after all',
} as const;
export type BookingKind = keyof typeof BOOKING_WORDS;

export interface Booking {
  readonly kind: BookingKind;
  readonly at: Timestamp;
  readonly debit: AccountRole;
  readonly credit: AccountRole;
  readonly money: Money;
  /** The debit is known; otherwise `money` is what was asked for. */
  readonly isPriced: boolean;
  /** What the payee gets for `money`, where it is another currency and the pair is not a part of it or a fee. */
  readonly foreign?: Money | undefined;
  /** Identifies the pair in every report: the payment's tag and the number of the pair. */
  readonly voucher: string;
}

export interface BookedEvent {
  readonly kind: BookedEventKind;
  readonly at: Timestamp;
  /** The largest part that the service had shown as returned by then, in minor units of the currency asked. */
  readonly back?: bigint;
}

/** A payment that was sent or may have been: the newest of its row, or one that was paid again since. */
export interface SentPayout {
  readonly payout: Payout;
  /** It is the payment of its row in the file; false: another one replaced it. */
  readonly isCurrent: boolean;
  /** As they happened. */
  readonly events: readonly BookedEvent[];
  /** Whose payment it is. */
  readonly batch?: { readonly id: BatchId; readonly name: string } | undefined;
  /** Its row as it was read, where columns of the file are asked for. */
  readonly cells?: readonly string[] | undefined;
}

/** Where the money stands between two events. */
type Place = 'nowhere' | 'on_its_way' | 'suspense' | 'paid' | 'returned';

type Drawn = Pick<Booking, 'kind' | 'debit' | 'credit'> & { readonly part: keyof Omit<Parts, 'isPriced'> };

/** In the order they happened. Amounts of zero are not booked. */
export function bookingsOf({ payout, events }: SentPayout): readonly Booking[] {
  const { state } = payout;
  const sentAt = sentAtOf(state);
  const parts = partsOf(payout);
  const bookings: Booking[] = [];
  const tag = 'tag' in state ? state.tag : '';
  let place: Place = 'nowhere';
  // The largest part that was shown as returned, in the currency asked.
  let shown = 0n;
  // What is booked of it, in the currency of the books.
  let back = 0n;
  const book = ({ part, ...pair }: Drawn, at: Timestamp, minor: bigint) => {
    const money = parts[part];
    if (money === undefined || minor === 0n) return;
    const voucher = `${tag}.${bookings.length + 1}`;
    const foreign = part !== 'fee' && minor === money.minor ? foreignOf(payout, money) : undefined;
    bookings.push({ ...pair, at, money: { ...money, minor }, isPriced: parts.isPriced, foreign, voucher });
  };
  // What is on the wire may have moved money; when its outcome is written as a doubt, its pairs are these.
  const open: readonly BookedEvent[] =
    state.status === 'sending' ? [{ kind: 'doubt', at: state.startedAt }] : [];
  for (const event of [...events, ...open]) {
    const [next, ...drawn] = stepOf(event.kind, place);
    for (const each of drawn) {
      const isOfSending = each.kind === 'payment' || each.kind === 'fee';
      const minor = parts[each.part]?.minor ?? 0n;
      const at = isOfSending ? (sentAt ?? event.at) : event.at;
      book(each, at, each.part === 'fee' ? minor : minor - back);
    }
    place = next;
    const isWhole = event.kind === 'return' || event.kind === 'fail';
    shown = event.back ?? (isWhole ? 0n : shown);
    const account = PART_FROM[place];
    const due = account === undefined ? 0n : partBackIn(payout, parts, shown);
    if (account !== undefined)
      book(pair('return_of_part', account, 'owed', 'principal'), event.at, due - back);
    back = due;
  }
  return bookings;
}

function foreignOf({ instruction }: Payout, { currency }: Money): Money | undefined {
  const amount = instruction?.amount;
  return amount?.currency === currency ? undefined : amount;
}

/** The account from which a part is booked back. Elsewhere the whole payment came back, or was never made. */
const PART_FROM: Readonly<Partial<Record<Place, AccountRole>>> = { on_its_way: 'on_its_way', paid: 'paying' };

export function bookedEvent(
  kind: BookedEvent['kind'],
  event: Pick<PayoutEvent, 'at'> & { readonly shown?: Shown },
): BookedEvent {
  const { at, shown } = event;
  return shown?.back === undefined ? { kind, at } : { kind, at, back: cameBack(shown) };
}

function pair(kind: BookingKind, debit: AccountRole, credit: AccountRole, part: Drawn['part']): Drawn {
  return { kind, debit, credit, part };
}

function taken(kind: BookingKind, from: AccountRole): readonly Drawn[] {
  return [pair(kind, 'owed', from, 'principal'), pair(kind, 'fees', from, 'fee')];
}

/** Its debit is on its way in both cases; what it is for is known only when the service has it. Dated when the request began. */
function sent(owed: AccountRole, fees: AccountRole): readonly Drawn[] {
  return [pair('payment', owed, 'on_its_way', 'principal'), pair('fee', fees, 'on_its_way', 'fee')];
}

type Step = readonly [next: Place, ...drawn: readonly Drawn[]];
type Steps = Readonly<Partial<Record<Place, Step>>>;

const FINISHED = pair('finished', 'on_its_way', 'paying', 'whole');
const BACK = pair('return', 'paying', 'owed', 'principal');
const DOUBTED: Steps = { nowhere: ['suspense', ...sent('suspense', 'suspense')] };
const ACCEPTED: Steps = {
  nowhere: ['on_its_way', ...sent('owed', 'fees')],
  suspense: ['on_its_way', ...taken('found_paid', 'suspense')],
};
const PAID: Steps = {
  on_its_way: ['paid', FINISHED],
  // Its fee was kept when it came back.
  returned: ['paid', pair('paid_after_all', 'owed', 'paying', 'principal')],
  nowhere: ['paid', ...taken('paid_after_all', 'paying')],
};

/** Events that are booked, and where the money is after them, by where it was. A place that is missing: nothing changes. */
const STEPS = {
  doubt: DOUBTED,
  recover: DOUBTED,
  accept: ACCEPTED,
  rule_paid: ACCEPTED,
  rule_not_paid: { suspense: ['nowhere', pair('found_unpaid', 'on_its_way', 'suspense', 'whole')] },
  settle: PAID,
  progress: {},
  suspect: {},
  fail: {
    on_its_way: [
      'nowhere',
      pair('failed', 'on_its_way', 'owed', 'principal'),
      pair('failed', 'on_its_way', 'fees', 'fee'),
    ],
  },
  return: {
    on_its_way: ['returned', FINISHED, BACK],
    ...{ nowhere: ['returned', BACK], suspense: ['returned', BACK] },
    ...{ paid: ['returned', BACK], returned: ['returned', BACK] },
  },
  /** Only a statement or a late answer says it. */
  incident: PAID,
} as const satisfies Readonly<Record<string, Steps>>;
export type BookedEventKind = keyof typeof STEPS;

function stepOf(kind: BookedEventKind, place: Place): Step {
  const steps: Steps = STEPS[kind];
  return steps[place] ?? [place];
}

export const BOOKED_EVENTS = Object.keys(STEPS).filter((kind) => kind !== 'incident') as readonly Exclude<
  BookedEventKind,
  'incident'
>[];

/**
 * Proof of the Journal: what each account must come to by the states of the ledger's payments, beside what was
 * booked; and what was ever taken for a row, whose sum the payments and fees of the Journal must be.
 *
 * The states do not depend on how the events were booked, so a pair that is lost, doubled or wrong shows.
 * Units:   `minor` counts minor units of the currency beside it; debits count up, credits down.
 */

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
    return { balances: this.#balances.all(), taken: this.#taken.all(), ofOtherDays: this.#ofOtherDays };
  }

  #draft(role: AccountRole, currency: CurrencyCode): Mutable<Balance> {
    const none = { before: 0n, later: 0n, ledger: 0n };
    return this.#balances.of(`${currency} ${ACCOUNT_ROLES.indexOf(role)}`, () => ({
      role,
      currency,
      ...none,
    }));
  }

  #addTaken({ payout, isCurrent }: SentPayout, bookings: readonly Booking[]): void {
    const isUnpaid = payout.state.status === 'failed';
    if (isCurrent && !isUnpaid) return;
    const { whole, isPriced } = partsOf(payout);
    const payment = bookings.find(({ kind }) => kind === 'payment');
    if (payment === undefined || whole === undefined || !isPriced) return;
    if (whenOf(payment, this.#period) !== 'in_days') return;
    const { currency, minor } = whole;
    const sum = this.#taken.of(currency, () => ({ currency, earlier: 0n, unpaid: 0n }));
    sum[isUnpaid ? 'unpaid' : 'earlier'] += minor;
  }
}

/** Where the money of a payment stands now, by its state alone. */
function stateBalances({ payout, events }: SentPayout) {
  const parts = partsOf(payout);
  const { principal, fee, whole } = parts;
  if (principal === undefined || whole === undefined) return [];
  const { currency } = whole;
  const of = (role: AccountRole, minor: bigint) => ({ role, minor, currency });
  const kept = fee?.minor ?? 0n;
  const back = partBackIn(payout, parts, shownBack(payout));
  const spent = [of('owed', principal.minor - back), of('fees', kept)];
  switch (placeOf(payout, events)) {
    case 'paid':
      return [...spent, of('paying', back - whole.minor)];
    case 'on_its_way':
      return [...spent, of('on_its_way', back - whole.minor)];
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
