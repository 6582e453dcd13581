/**
 * The events of a payment as bookkeeping: pairs of one debit and one credit, in the currency that pays, each on the day
 * of its own event. A later event adds pairs and changes none, so that a month that was imported stays right.
 *
 * A payment is booked as on its way until the service finishes it. One whose outcome is not known is booked in suspense,
 * never as paid, until the day of the answer or the ruling. What was refused before execution is not booked at all.
 * A payment whose debit is not known is booked in the currency it was asked in.
 * Payment and fee are booked as they were agreed to. Each better figure adds a pair of its own with what it changes: the
 * rate when the payment was sent, and the bank's lines after a comparison.
 * What the service does not show of the amount is owed again, in suspense until a person found out where it is.
 * Units:   `money` is what the quotes said; the service does not show what it took.
 */

import { given } from '../given.ts';
import type { Money } from '../money/money.ts';
import { restFound, restOf } from '../payouts/difference.ts';
import type { BatchId } from '../payouts/instruction.ts';
import {
  type AcceptedDifference,
  type Payout,
  pricingIn,
  type RestFound,
  type Shown,
  sentAtOf,
} from '../payouts/payout.ts';
import type { LookedUp } from '../payouts/payout-event.ts';
import { cameBack } from '../payouts/shown.ts';
import type { Timestamp } from '../timestamp.ts';
import type { AccountRole } from './journal-accounts.ts';
import { type BankFigures, type Parts, partBackIn, partsOf } from './payment-costs.ts';
import { isInDays, type Period } from './period.ts';

export const BOOKING_WORDS = {
  payment: 'Payment',
  fee: 'Fee',
  rate_when_sent: 'Rate when sent',
  bank_line: 'Line of the bank',
  bank_fee: 'Fee line of the bank',
  shown_otherwise: 'Other amount shown',
  rest_found: 'Missing part, found out',
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
  /** All that the service had shown otherwise by then; absent: the event changed nothing of it. */
  readonly shown?: Shown;
  /** What a person said of a difference. */
  readonly ruled?: AcceptedDifference;
}

/** A payment that was sent or may have been: the newest of its row, or one that was paid again since. */
export interface SentPayout {
  readonly payout: Payout;
  /** It is the payment of its row in the file; false: another one replaced it. */
  readonly isCurrent: boolean;
  /** As they happened. */
  readonly events: readonly BookedEvent[];
  /** What statements showed of it, where that is not what was booked; the newest counts. */
  readonly bank?: readonly BankFigures[] | undefined;
  /** Whose payment it is. */
  readonly batch?: { readonly id: BatchId; readonly name: string } | undefined;
  /** Its row as it was read, where columns of the file are asked for. */
  readonly cells?: readonly string[] | undefined;
}

/** Where the money stands between two events. */
export type Place = 'nowhere' | 'on_its_way' | 'suspense' | 'paid' | 'returned';

type Drawn = Pick<Booking, 'kind' | 'debit' | 'credit'> & { readonly part: keyof Omit<Parts, 'isPriced'> };

/** An event with where the money is after it, and what it books. */
export interface Booked {
  readonly event: BookedEvent;
  readonly place: Place;
  readonly drawn: readonly Drawn[];
  /** A request may end after midnight; it is booked on the day on which it began. */
  readonly at: Timestamp;
  readonly shown: Shown;
  readonly ruled: AcceptedDifference | undefined;
  /** The part that was shown as returned by then, and the part that is not shown; in minor units of the currency asked. */
  readonly back: bigint;
  readonly rest: bigint;
  readonly found: RestFound;
}

function replayed({ payout, events }: Pick<SentPayout, 'payout' | 'events'>): readonly Booked[] {
  const { state } = payout;
  const sentAt = sentAtOf(state);
  // What is on the wire may have moved money; when its outcome is written as a doubt, its pairs are these.
  const open: readonly BookedEvent[] =
    state.status === 'sending' ? [{ kind: 'doubt', at: state.startedAt }] : [];
  let before: Place = 'nowhere';
  let shown: Shown = {};
  let ruled: AcceptedDifference | undefined;
  return [...events, ...open].map((event) => {
    const [place, ...drawn] = stepOf(event.kind, before);
    before = place;
    shown = event.shown ?? (isWhole(event) ? {} : shown);
    ruled = event.kind === 'fail' ? undefined : (event.ruled ?? ruled);
    const rest = isMade(place) ? restShown(payout, shown) : 0n;
    const at = drawn.some(isOfSending) ? (sentAt ?? event.at) : event.at;
    const found = restFound(rest, ruled?.rest);
    return { event, place, drawn, at, shown, ruled, back: cameBack(shown), rest, found };
  });
}

function isMade(place: Place): boolean {
  return place === 'on_its_way' || place === 'paid';
}

function restShown({ instruction, state }: Payout, shown: Shown): bigint {
  const pricing = pricingIn(state);
  return instruction === undefined || pricing === undefined
    ? 0n
    : restOf({ instruction, state: { pricing, shown } });
}

function isOfSending({ kind }: Pick<Drawn, 'kind'>): boolean {
  return kind === 'payment' || kind === 'fee' || kind === 'rate_when_sent';
}

/** In the order they happened. Amounts of zero are not booked. */
export function bookingsOf(sent: SentPayout): readonly Booking[] {
  const { payout, bank = [] } = sent;
  const parts = partsOf(payout);
  const bookings: Booking[] = [];
  const tag = 'tag' in payout.state ? payout.state.tag : '';
  const book = ({ part, ...pair }: Drawn, at: Timestamp, minor: bigint) => {
    const money = parts[part];
    if (money === undefined || minor === 0n || pair.debit === pair.credit) return;
    const voucher = `${tag}.${bookings.length + 1}`;
    const foreign = !isExtra(part) && minor === money.minor ? foreignOf(payout, money) : undefined;
    const isLess = minor < 0n;
    const sides = isLess ? { debit: pair.credit, credit: pair.debit } : {};
    const booked = { ...money, minor: isLess ? -minor : minor };
    bookings.push({ ...pair, ...sides, at, money: booked, isPriced: parts.isPriced, foreign, voucher });
  };
  let due = NOTHING_DUE;
  const bring = (now: Due, place: Place, at: Timestamp) => {
    const [rest, restBefore] = [REST_IN[now.found], REST_IN[due.found]];
    const from = PART_FROM[place];
    // Of a payment that came back whole, the part is in what is booked for that.
    if (from !== undefined) book(pair('return_of_part', from, 'owed', 'principal'), at, now.back - due.back);
    book(pair('rest_found', rest, restBefore, 'principal'), at, due.rest);
    book(pair('shown_otherwise', rest, 'owed', 'principal'), at, now.rest - due.rest);
    book(pair('bank_line', 'fx_difference', 'paying', 'whole'), at, now.line - due.line);
    book(pair('bank_fee', 'fees', 'paying', 'whole'), at, now.fee - due.fee);
    due = now;
  };
  const all = replayed(sent);
  for (const [nth, { event, place, drawn, at, ...stands }] of all.entries()) {
    for (const each of drawn) {
      const minor = parts[each.part]?.minor ?? 0n;
      book(each, at, isExtra(each.part) ? minor : minor - due.back);
    }
    const stood = { ...stands, place };
    const until = all[nth + 1]?.event.at ?? Number.POSITIVE_INFINITY;
    const figures = bank.findLast((each) => each.at < event.at);
    bring(dueFor(payout, parts, stood, figures), place, event.at);
    for (const each of bank.filter(({ at: seen }) => seen >= event.at && seen < until))
      bring(dueFor(payout, parts, stood, each), place, each.at);
  }
  return bookings;
}

/** What stands beside the payment itself, in the currency of the books. */
interface Due {
  readonly back: bigint;
  readonly rest: bigint;
  readonly found: RestFound;
  /** What the bank's lines show more than the payment and its fee as they were booked. */
  readonly line: bigint;
  readonly fee: bigint;
}

const NOTHING_DUE: Due = { back: 0n, rest: 0n, found: 'open', line: 0n, fee: 0n };
export const REST_IN: Readonly<Record<RestFound, AccountRole>> = {
  open: 'suspense',
  delivered: 'owed',
  lost: 'lost',
};

/** What a payment that stands so has beside itself. */
export function dueFor(
  payout: Payout,
  parts: Parts,
  { place, back, rest, found }: Pick<Booked, 'place' | 'back' | 'rest' | 'found'>,
  figures: BankFigures | undefined,
): Due {
  const isOfBooks = figures !== undefined && figures.whole.currency === parts.whole?.currency;
  const fee = isOfBooks ? figures.feeMinor - (parts.fee?.minor ?? 0n) : 0n;
  const more = isOfBooks ? figures.whole.minor - (parts.whole?.minor ?? 0n) : 0n;
  return {
    back: isMade(place) ? partBackIn(payout, parts, back) : 0n,
    rest: partBackIn(payout, parts, rest),
    found,
    // It comes back as it was taken; a fee is kept.
    line: place === 'paid' ? more - fee : 0n,
    fee: place === 'paid' || place === 'returned' ? fee : 0n,
  };
}

/** Not a part of the payment itself, so that nothing of it comes back with a part of the payment. */
function isExtra(part: Drawn['part']): boolean {
  return part === 'fee' || part === 'fxDifference';
}

function isWhole({ kind }: BookedEvent): boolean {
  return kind === 'return' || kind === 'fail';
}

/** It showed something else than was asked, or a person found out about that. */
function isTelling({ shown = {}, ruled }: BookedEvent): boolean {
  return ruled !== undefined || Object.keys(shown).length > 0;
}

/** How a payment stood at the end of a day, by what was known then. */
export interface Standing {
  readonly status: 'accepted' | 'in_doubt' | 'settled' | 'returned' | 'failed';
  /** When it came to stand so. */
  readonly at: Timestamp;
  /** Nothing happened to it since. */
  readonly isNow: boolean;
  /** What had been shown of it otherwise than was asked, and what a person had said of that. */
  readonly shown: Shown;
  readonly ruled?: AcceptedDifference | undefined;
  /** Something happened to it in the days. */
  readonly isOfDays: boolean;
}

const STANDS: Readonly<Record<Place, Standing['status']>> = {
  nowhere: 'failed',
  on_its_way: 'accepted',
  suspense: 'in_doubt',
  paid: 'settled',
  returned: 'returned',
};

/** undefined: it was not sent by then. A payment that the service refused has no events, and stands as it ended. */
export function standingAt(sent: SentPayout, period: Period): Standing | undefined {
  const { startsAt, endsAt } = period;
  const { state } = sent.payout;
  const all = replayed(sent);
  if (all.length === 0 && state.status === 'failed') {
    const isOfDays = isInDays(state.at, period);
    return state.at < endsAt
      ? { status: 'failed', at: state.at, isNow: true, shown: {}, isOfDays }
      : undefined;
  }
  const until = all.filter(({ at }) => at < endsAt);
  const last = until.at(-1);
  if (last === undefined) return undefined;
  const { shown, ruled } = last;
  const told = until.filter(({ drawn, event }) => drawn.length > 0 || isTelling(event));
  const isOfDays =
    told.some(({ at, event }) => at >= startsAt || event.at >= startsAt) ||
    (sent.bank ?? []).some((compared) => isInDays(compared.at, period));
  return {
    status: STANDS[last.place],
    at: (until.findLast(({ drawn }) => drawn.length > 0) ?? last).at,
    isNow: until.length === all.length,
    ...{ shown, ruled, isOfDays },
  };
}

function foreignOf({ instruction }: Payout, { currency }: Money): Money | undefined {
  const amount = instruction?.amount;
  return amount?.currency === currency ? undefined : amount;
}

/** The account from which a part is booked back. Elsewhere the whole payment came back, or was never made. */
const PART_FROM: Readonly<Partial<Record<Place, AccountRole>>> = { on_its_way: 'on_its_way', paid: 'paying' };

/** What of an event the books need. A look at which nothing differs takes back what was shown otherwise before. */
export function bookedEvent(
  kind: BookedEvent['kind'],
  event: Pick<BookedEvent, 'at' | 'shown'> & Partial<Pick<LookedUp, 'discrepancies'> & AcceptedDifference>,
): BookedEvent {
  const { at, discrepancies, shown, by, reason = '', saw, rest } = event;
  const ruled =
    by === undefined || saw === undefined ? undefined : { by, reason, saw, at, ...given({ rest }) };
  return { kind, at, ...given({ shown: discrepancies?.length === 0 ? {} : shown, ruled }) };
}

function pair(kind: BookingKind, debit: AccountRole, credit: AccountRole, part: Drawn['part']): Drawn {
  return { kind, debit, credit, part };
}

function taken(kind: BookingKind, from: AccountRole): readonly Drawn[] {
  return [
    pair(kind, 'owed', from, 'principal'),
    pair(kind, 'fees', from, 'fee'),
    pair(kind, 'fx_difference', from, 'fxDifference'),
  ];
}

/** Its debit is on its way in both cases; what it is for is known only when the service has it. Dated when the request began. */
function sent(owed: AccountRole, fees: AccountRole, difference: AccountRole): readonly Drawn[] {
  return [
    pair('payment', owed, 'on_its_way', 'principal'),
    pair('fee', fees, 'on_its_way', 'fee'),
    pair('rate_when_sent', difference, 'on_its_way', 'fxDifference'),
  ];
}

type Step = readonly [next: Place, ...drawn: readonly Drawn[]];
type Steps = Readonly<Partial<Record<Place, Step>>>;

const FINISHED = pair('finished', 'on_its_way', 'paying', 'whole');
/** It comes back at the rate at which it was taken, as far as is known. */
const BACK = [
  pair('return', 'paying', 'owed', 'principal'),
  pair('return', 'paying', 'fx_difference', 'fxDifference'),
];
const DOUBTED: Steps = { nowhere: ['suspense', ...sent('suspense', 'suspense', 'suspense')] };
const ACCEPTED: Steps = {
  nowhere: ['on_its_way', ...sent('owed', 'fees', 'fx_difference')],
  suspense: ['on_its_way', ...taken('found_paid', 'suspense')],
};
const PAID: Steps = {
  on_its_way: ['paid', FINISHED],
  // Its fee was kept when it came back.
  returned: [
    'paid',
    pair('paid_after_all', 'owed', 'paying', 'principal'),
    pair('paid_after_all', 'fx_difference', 'paying', 'fxDifference'),
  ],
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
      pair('failed', 'on_its_way', 'fx_difference', 'fxDifference'),
    ],
  },
  return: {
    on_its_way: ['returned', FINISHED, ...BACK],
    ...{ nowhere: ['returned', ...BACK], suspense: ['returned', ...BACK] },
    ...{ paid: ['returned', ...BACK], returned: ['returned', ...BACK] },
  },
  /** Only a statement or a late answer says it. */
  incident: PAID,
  accept_difference: {},
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
