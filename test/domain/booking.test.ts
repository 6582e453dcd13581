/** The books: what each event of a payment's life books, by hand, and that no later event changes a pair. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../src/domain/money/money.ts';
import type { Payout, Status } from '../../src/domain/payouts/payout.ts';
import { BookedTotals } from '../../src/domain/reporting/booked-totals.ts';
import {
  type BookedEvent,
  type BookedEventKind,
  type Booking,
  bookingsOf,
  type SentPayout,
} from '../../src/domain/reporting/booking.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { aPayoutIn, aPricing, money, NOW } from '../builders/payouts.ts';
import { DAY } from '../builders/report-rows.ts';

/** The payment is sent on day 0; each event is a day after the one before it, from day 0 or 1 on. */
const day = (nth: number) => timestampOf(NOW + nth * DAY);
const said = ({ at, kind, debit, credit, money: sum }: Booking) =>
  `${(at - NOW) / DAY} ${kind}: ${debit} to ${credit} ${formatMoney(sum)}`;

function sentWith(payout: Payout, kinds: readonly BookedEventKind[], isCurrent = true): SentPayout {
  const events: BookedEvent[] = kinds.map((kind, nth) => ({ kind, at: day(nth) }));
  return { payout, isCurrent, events };
}

// GHS 1,200.00 at 15.5 is GBP 77.42, and the fee is GBP 1.02.
const ON_ITS_WAY = ['0 payment: owed to on_its_way GBP 77.42', '0 fee: fees to on_its_way GBP 1.02'];
const IN_DOUBT = ['0 payment: suspense to on_its_way GBP 77.42', '0 fee: suspense to on_its_way GBP 1.02'];
const failed = (basis: 'refused' | 'service_status' | 'ruled') => ({ basis });

describe('books each event on its own day', () => {
  it.each<[string, Status, object, readonly BookedEventKind[], readonly string[]]>([
    ['on its way', 'accepted', {}, ['accept'], ON_ITS_WAY],
    [
      'finished',
      'settled',
      {},
      ['accept', 'settle'],
      [...ON_ITS_WAY, '1 finished: on_its_way to paying GBP 78.44'],
    ],
    ['in doubt', 'in_doubt', {}, ['doubt'], IN_DOUBT],
    ['in doubt, and the process died', 'in_doubt', {}, ['recover'], IN_DOUBT],
    ['on the wire at this moment', 'sending', {}, [], IN_DOUBT],
    [
      'in doubt, ruled paid, finished',
      'settled',
      {},
      ['doubt', 'rule_paid', 'settle'],
      [
        ...IN_DOUBT,
        '1 found_paid: owed to suspense GBP 77.42',
        '1 found_paid: fees to suspense GBP 1.02',
        '2 finished: on_its_way to paying GBP 78.44',
      ],
    ],
    [
      'in doubt, answered late',
      'accepted',
      {},
      ['doubt', 'accept'],
      [...IN_DOUBT, '1 found_paid: owed to suspense GBP 77.42', '1 found_paid: fees to suspense GBP 1.02'],
    ],
    [
      'in doubt, ruled not paid',
      'failed',
      failed('ruled'),
      ['doubt', 'rule_not_paid'],
      [...IN_DOUBT, '1 found_unpaid: on_its_way to suspense GBP 78.44'],
    ],
    [
      'ruled not paid, and finished after all',
      'settled',
      { incident: true },
      ['doubt', 'rule_not_paid', 'settle'],
      [
        ...IN_DOUBT,
        '1 found_unpaid: on_its_way to suspense GBP 78.44',
        '2 paid_after_all: owed to paying GBP 77.42',
        '2 paid_after_all: fees to paying GBP 1.02',
      ],
    ],
    [
      'ruled not paid, and a statement shows it as paid',
      'failed',
      failed('ruled'),
      ['doubt', 'rule_not_paid', 'incident'],
      [
        ...IN_DOUBT,
        '1 found_unpaid: on_its_way to suspense GBP 78.44',
        '2 paid_after_all: owed to paying GBP 77.42',
        '2 paid_after_all: fees to paying GBP 1.02',
      ],
    ],
    [
      'accepted, then called failed',
      'failed',
      failed('service_status'),
      ['accept', 'fail'],
      [...ON_ITS_WAY, '1 failed: on_its_way to owed GBP 77.42', '1 failed: on_its_way to fees GBP 1.02'],
    ],
    [
      'called failed, and finished after all, told twice',
      'settled',
      { incident: true },
      ['accept', 'fail', 'settle', 'incident'],
      [
        ...ON_ITS_WAY,
        '1 failed: on_its_way to owed GBP 77.42',
        '1 failed: on_its_way to fees GBP 1.02',
        '2 paid_after_all: owed to paying GBP 77.42',
        '2 paid_after_all: fees to paying GBP 1.02',
      ],
    ],
    [
      'finished, then back without its fee',
      'returned',
      {},
      ['accept', 'settle', 'return'],
      [...ON_ITS_WAY, '1 finished: on_its_way to paying GBP 78.44', '2 return: paying to owed GBP 77.42'],
    ],
    [
      'back before it was seen finished',
      'returned',
      {},
      ['accept', 'return'],
      [...ON_ITS_WAY, '1 finished: on_its_way to paying GBP 78.44', '1 return: paying to owed GBP 77.42'],
    ],
    [
      'back, and finished after all',
      'settled',
      { incident: true },
      ['accept', 'return', 'settle', 'incident'],
      [
        ...ON_ITS_WAY,
        '1 finished: on_its_way to paying GBP 78.44',
        '1 return: paying to owed GBP 77.42',
        '2 paid_after_all: owed to paying GBP 77.42',
      ],
    ],
    ['refused before it was executed', 'failed', failed('refused'), [], []],
  ])('%s', (_name, status, state, kinds, wanted) => {
    const sent = sentWith(aPayoutIn(status, { state }), kinds);
    expect(bookingsOf(sent).map(said)).toEqual(wanted);
    expect(untied([sent])).toEqual([]);
  });
});

it('names each pair by the tag and its place, and never again otherwise, whatever happens later', () => {
  const may = bookingsOf(sentWith(aPayoutIn('accepted'), ['accept']));
  const july = bookingsOf(sentWith(aPayoutIn('returned'), ['accept', 'settle', 'return'], false));
  expect(july.slice(0, may.length)).toEqual(may);
  expect(july.map(({ voucher }) => voucher)).toEqual([1, 2, 3, 4].map((nth) => `PF-00000001.${nth}`));
});

it('books a payment whose debit is not known in the currency it was asked in, and says so', () => {
  const payout = aPayoutIn('settled', { state: { pricing: aPricing({ quote: undefined }) } });
  const bookings = bookingsOf(sentWith(payout, ['accept', 'settle']));
  expect(bookings.map(({ isPriced, money: sum }) => [isPriced, formatMoney(sum)])).toEqual([
    [false, 'GHS 1,200.00'],
    [false, 'GHS 1,200.00'],
  ]);
});

/** The service names another rate for the same payment when it is sent. */
function sentAt(rate: string, status: Status, kinds: readonly BookedEventKind[]): SentPayout {
  const { quote } = aPricing();
  return sentWith(aPayoutIn(status, { state: { quoteAtSend: quote && { ...quote, rate } } }), kinds);
}

describe('books what another rate adds when the payment is sent, and changes nothing that was agreed to', () => {
  // At 15 it is GBP 80.00, so 2.58 more; at 16 it is GBP 75.00, so 2.42 less. The fee is the same.
  const DEARER = [...ON_ITS_WAY, '0 rate_when_sent: fx_difference to on_its_way GBP 2.58'];
  const CHEAPER = [...ON_ITS_WAY, '0 rate_when_sent: on_its_way to fx_difference GBP 2.42'];
  const DOUBTED = [...IN_DOUBT, '0 rate_when_sent: suspense to on_its_way GBP 2.58'];
  const FINISHED = [...DEARER, '1 finished: on_its_way to paying GBP 81.02'];
  it.each<[string, string, Status, readonly BookedEventKind[], readonly string[]]>([
    ['a dearer rate', '15', 'settled', ['accept', 'settle'], FINISHED],
    [
      'a better rate',
      '16',
      'settled',
      ['accept', 'settle'],
      [...CHEAPER, '1 finished: on_its_way to paying GBP 76.02'],
    ],
    ['the same rate', '15.50', 'accepted', ['accept'], ON_ITS_WAY],
    [
      'a doubt that ends as paid',
      '15',
      'accepted',
      ['doubt', 'rule_paid'],
      [
        ...DOUBTED,
        '1 found_paid: owed to suspense GBP 77.42',
        '1 found_paid: fees to suspense GBP 1.02',
        '1 found_paid: fx_difference to suspense GBP 2.58',
      ],
    ],
    [
      'a payment that came back',
      '15',
      'returned',
      ['accept', 'settle', 'return'],
      [...FINISHED, '2 return: paying to owed GBP 77.42', '2 return: paying to fx_difference GBP 2.58'],
    ],
  ])('%s', (_name, rate, status, kinds, wanted) => {
    const sent = sentAt(rate, status, kinds);
    expect(bookingsOf(sent).map(said)).toEqual(wanted);
    expect(untied([sent])).toEqual([]);
  });
});

it('never books a fee that is nothing', () => {
  const { quote } = aPricing();
  const pricing = aPricing({ quote: quote && { ...quote, fee: '0' } });
  const sent = sentWith(aPayoutIn('accepted', { state: { pricing } }), ['accept']);
  expect(bookingsOf(sent).map(said)).toEqual(['0 payment: owed to on_its_way GBP 77.42']);
});

/** Every way through the table of states that the service, people and crashes may take. */
const WAYS: readonly (readonly [Status, object, readonly BookedEventKind[]])[] = [
  ['sending', {}, []],
  ['in_doubt', {}, ['doubt']],
  ['in_doubt', {}, ['recover']],
  ['accepted', {}, ['accept']],
  ['accepted', {}, ['doubt', 'accept']],
  ['accepted', {}, ['recover', 'rule_paid']],
  ['settled', {}, ['accept', 'settle']],
  ['settled', {}, ['doubt', 'rule_paid', 'settle']],
  ['settled', { incident: true }, ['accept', 'fail', 'settle']],
  ['settled', { incident: true }, ['doubt', 'rule_not_paid', 'settle', 'incident']],
  ['returned', {}, ['accept', 'return']],
  ['returned', {}, ['recover', 'accept', 'settle', 'return']],
  ['failed', failed('refused'), []],
  ['failed', failed('refused'), ['incident']],
  ['failed', failed('ruled'), ['doubt', 'rule_not_paid']],
  ['failed', failed('ruled'), ['doubt', 'rule_not_paid', 'incident']],
  ['failed', failed('service_status'), ['accept', 'fail']],
  ['failed', failed('service_status'), ['doubt', 'accept', 'fail', 'incident']],
];

const IS_SOAK = process.env['SOAK'] === '1';
const aHistory = fc.record({
  way: fc.constantFrom(...WAYS),
  isCurrent: fc.boolean(),
  minor: fc.bigInt({ min: 1n, max: 10n ** 15n }),
  code: fc.constantFrom('GHS', 'XOF', 'TND'),
  rate: fc.tuple(fc.nat(9_999), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}1`),
  later: fc.option(fc.tuple(fc.nat(9_999), fc.nat(99)).map(([whole, part]) => `${whole}.${part}1`)),
  fee: fc.tuple(fc.nat(99), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`),
  priced: fc.boolean(),
});
type History = typeof aHistory extends fc.Arbitrary<infer One> ? One : never;

function sentOf({ way, isCurrent, minor, code, rate, later, fee, priced }: History): SentPayout {
  const [status, known, kinds] = way;
  const { quote } = aPricing();
  const state = later === null ? known : { ...known, quoteAtSend: quote && { ...quote, rate: later, fee } };
  const pricing = aPricing({ quote: priced ? quote && { ...quote, rate, fee } : undefined });
  const amount = { ...money(`${code} 1`), minor };
  return sentWith(
    aPayoutIn(status, { state: { ...state, pricing }, instruction: { amount } }),
    kinds,
    isCurrent,
  );
}

/** Accounts of which the bookings and the states of the payments tell different things. */
function untied(
  sents: readonly SentPayout[],
  harmed: (bookings: readonly Booking[]) => readonly Booking[] = (all) => all,
) {
  const totals = new BookedTotals(undefined);
  const booked = new Map<string, bigint>();
  const all = sents.flatMap((sent) => {
    const bookings = bookingsOf(sent);
    totals.add(sent, bookings);
    return bookings;
  });
  for (const {
    debit,
    credit,
    money: { minor, currency },
  } of harmed(all)) {
    booked.set(`${currency} ${debit}`, (booked.get(`${currency} ${debit}`) ?? 0n) + minor);
    booked.set(`${currency} ${credit}`, (booked.get(`${currency} ${credit}`) ?? 0n) - minor);
  }
  for (const { role, currency, ledger } of totals.finish().balances)
    booked.set(`${currency} ${role}`, (booked.get(`${currency} ${role}`) ?? 0n) - ledger);
  return [...booked].filter(([, difference]) => difference !== 0n);
}

it('[E16] comes to what the states say on every account, whatever returned, failed, was ruled on or paid again', () => {
  fc.assert(
    fc.property(fc.array(aHistory, { maxLength: 30 }), (histories) => {
      expect(untied(histories.map(sentOf))).toEqual([]);
    }),
    { numRuns: IS_SOAK ? 10_000 : 300 },
  );
}, 600_000);

it('[E16] never ties when any one pair of the Journal is lost or doubled', () => {
  fc.assert(
    fc.property(
      fc.array(aHistory, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.boolean(),
      (histories, nth, isLost) => {
        const sents = histories.map(sentOf);
        const all = sents.flatMap(bookingsOf);
        if (all.length === 0) return;
        const at = nth % all.length;
        const harmed = isLost ? all.filter((_, place) => place !== at) : [...all, ...all.slice(at, at + 1)];
        expect(untied(sents, () => harmed)).not.toEqual([]);
      },
    ),
    { numRuns: IS_SOAK ? 10_000 : 300 },
  );
}, 600_000);

it('[E16] books nothing otherwise after a later event: months imported one after another stay right', () => {
  fc.assert(
    fc.property(aHistory, fc.nat(6), (history, nth) => {
      const whole = sentOf(history);
      const upTo = { ...whole, events: whole.events.slice(0, nth) };
      if (whole.payout.state.status === 'sending') return;
      const early = bookingsOf(upTo);
      expect(bookingsOf(whole).slice(0, early.length)).toEqual(early);
    }),
    { numRuns: IS_SOAK ? 10_000 : 300 },
  );
}, 600_000);
