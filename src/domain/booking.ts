/**
 * What happened to a payment means to a bookkeeper: pairs of one debit and one credit, in the currency that pays, each on
 * the day of its own event. A later event adds pairs and changes none, so that a month that was imported stays right.
 *
 * A payment stands on its way until the service finishes it; one whose outcome is not known stands in suspense, never
 * as paid, until the day of the answer or the ruling. What was refused before it was executed is not booked at all.
 * A payment whose debit is not known is booked in the currency it was asked in.
 * Units:   `money` is what the quote said; the service does not show what it took.
 */
import type { Group } from './control-totals.ts';
import type { BatchId } from './instruction.ts';
import type { Money } from './money.ts';
import type { Payout } from './payout.ts';
import type { EventKind } from './payout-event.ts';
import { costsOf, sentAtOf } from './report-line.ts';
import type { Timestamp } from './timestamp.ts';

export const ACCOUNT_ROLES = ['owed', 'paying', 'fees', 'on_its_way', 'suspense'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export const BOOKING_KINDS = [
  'payment',
  'fee',
  'finished',
  'found_paid',
  'found_unpaid',
  'failed',
  'return',
  'paid_after_all',
] as const;
export type BookingKind = (typeof BOOKING_KINDS)[number];

export interface Booking {
  readonly kind: BookingKind;
  readonly at: Timestamp;
  readonly debit: AccountRole;
  readonly credit: AccountRole;
  readonly money: Money;
  /** The debit is known; otherwise `money` is what was asked for. */
  readonly isPriced: boolean;
  /** Names the pair for ever: the payment's tag and which of its pairs it is. */
  readonly voucher: string;
}

/** Events that are booked; `incident` is what only a statement or a late answer says. */
export const BOOKED_EVENTS = [
  'doubt',
  'recover',
  'accept',
  'rule_paid',
  'rule_not_paid',
  'settle',
  'fail',
  'return',
] as const satisfies readonly EventKind[];
export type BookedEventKind = (typeof BOOKED_EVENTS)[number] | 'incident';

export interface BookedEvent {
  readonly kind: BookedEventKind;
  readonly at: Timestamp;
}

/** A payment that was sent or may have been: the newest of its row, or one that was paid again since. */
export interface SentPayout {
  readonly payout: Payout;
  /** It stands in its row of the file; false: another one took its place. */
  readonly isCurrent: boolean;
  /** As they happened. */
  readonly events: readonly BookedEvent[];
  /** Whose payment it is, in a report over several batches. */
  readonly batch?: { readonly id: BatchId; readonly name: string | undefined } | undefined;
}

/** Groups of rows whose money moved or may have moved. */
export const BOOKED_GROUPS = ['settled', 'on_its_way', 'in_doubt', 'returned'] as const satisfies Group[];

/** Where the money stands between two events. */
type Place = 'nowhere' | 'on_its_way' | 'suspense' | 'paid';

type Drawn = Pick<Booking, 'kind' | 'debit' | 'credit'> & { readonly part: keyof Omit<Parts, 'isPriced'> };

/** In the order they happened. Nothing of nothing is booked. */
export function bookingsOf({ payout, events }: SentPayout): readonly Booking[] {
  const { state } = payout;
  const sentAt = sentAtOf(state);
  const parts = partsOf(payout);
  const bookings: Booking[] = [];
  const tag = 'tag' in state ? state.tag : '';
  let place: Place = 'nowhere';
  // What is on the wire may have moved money; when its outcome is written as a doubt, its pairs are these.
  const open: readonly BookedEvent[] =
    state.status === 'sending' ? [{ kind: 'doubt', at: state.startedAt }] : [];
  for (const event of [...events, ...open]) {
    const { drawn, next, isOfSending } = step(place, event.kind);
    for (const { kind, debit, credit, part } of drawn) {
      const money = parts[part];
      if (money === undefined || money.minor === 0n) continue;
      const at = isOfSending ? (sentAt ?? event.at) : event.at;
      const voucher = `${tag}.${bookings.length + 1}`;
      bookings.push({ kind, at, debit, credit, money, isPriced: parts.isPriced, voucher });
    }
    place = next;
  }
  return bookings;
}

interface Step {
  readonly drawn: readonly Drawn[];
  readonly next: Place;
  /** Dated when the request was begun. */
  readonly isOfSending: boolean;
}

function step(place: Place, kind: BookedEventKind): Step {
  const later = (next: Place, ...drawn: readonly Drawn[]): Step => ({ drawn, next, isOfSending: false });
  const nothing = later(place);
  switch (kind) {
    case 'doubt':
    case 'recover':
      return place === 'nowhere' ? sent('suspense') : nothing;
    case 'accept':
    case 'rule_paid':
      if (place === 'nowhere') return sent('on_its_way');
      return place === 'suspense' ? later('on_its_way', ...taken('found_paid', 'suspense')) : nothing;
    case 'rule_not_paid':
      if (place !== 'suspense') return nothing;
      return later('nowhere', pair('found_unpaid', 'on_its_way', 'suspense', 'whole'));
    case 'settle':
    case 'incident':
      if (place === 'on_its_way') return later('paid', FINISHED);
      return place === 'nowhere' ? later('paid', ...taken('paid_after_all', 'paying')) : nothing;
    case 'fail':
      if (place !== 'on_its_way') return nothing;
      return later(
        'nowhere',
        pair('failed', 'on_its_way', 'owed', 'principal'),
        pair('failed', 'on_its_way', 'fees', 'fee'),
      );
    case 'return': {
      const back = pair('return', 'paying', 'owed', 'principal');
      return place === 'on_its_way' ? later('nowhere', FINISHED, back) : later('nowhere', back);
    }
  }
}

/** Its debit is on its way either way; what it is for is known only when the service has it. */
function sent(next: 'on_its_way' | 'suspense'): Step {
  const [owed, fees] =
    next === 'suspense' ? (['suspense', 'suspense'] as const) : (['owed', 'fees'] as const);
  const drawn = [pair('payment', owed, 'on_its_way', 'principal'), pair('fee', fees, 'on_its_way', 'fee')];
  return { drawn, next, isOfSending: true };
}

function taken(kind: BookingKind, from: AccountRole): readonly Drawn[] {
  return [pair(kind, 'owed', from, 'principal'), pair(kind, 'fees', from, 'fee')];
}

function pair(kind: BookingKind, debit: AccountRole, credit: AccountRole, part: Drawn['part']): Drawn {
  return { kind, debit, credit, part };
}

const FINISHED = pair('finished', 'on_its_way', 'paying', 'whole');

export interface Parts {
  readonly principal: Money | undefined;
  readonly fee: Money | undefined;
  /** Both together. */
  readonly whole: Money | undefined;
  readonly isPriced: boolean;
}

/** Principal and fee come to exactly the debit of the payment. */
export function partsOf({ instruction, state }: Payout): Parts {
  const amount = instruction?.amount;
  const { fee, debit } = costsOf(amount, 'pricing' in state ? state.pricing : undefined);
  if (debit === undefined) return { principal: amount, fee: undefined, whole: amount, isPriced: false };
  if (fee === undefined || fee.currency !== debit.currency || fee.minor > debit.minor)
    return { principal: debit, fee: undefined, whole: debit, isPriced: true };
  const { currency } = debit;
  const principal = { minor: debit.minor - fee.minor, currency };
  return { principal, fee, whole: debit, isPriced: true };
}
