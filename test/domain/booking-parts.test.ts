/** The books of parts that came back: random answers to looks, told by the same machine that keeps the payments. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMoney } from '../../src/domain/money/money.ts';
import { differencesOf, restNow } from '../../src/domain/payouts/difference.ts';
import {
  isIn,
  type Payout,
  type PayoutIn,
  REST_FOUND,
  type RestFound,
} from '../../src/domain/payouts/payout.ts';
import type { EventOf } from '../../src/domain/payouts/payout-event.ts';
import { advance } from '../../src/domain/payouts/payout-machine.ts';
import { eventOfPoll } from '../../src/domain/payouts/service-status.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { BookedTotals } from '../../src/domain/reporting/booked-totals.ts';
import {
  BOOKED_EVENTS,
  type BookedEvent,
  type Booking,
  bookedEvent,
  bookingsOf,
  type SentPayout,
} from '../../src/domain/reporting/booking.ts';
import { LineCounter, staysTaken } from '../../src/domain/reporting/control-totals.ts';
import { bookedSums, journalChecks } from '../../src/domain/reporting/journal-checks.ts';
import { lineContext, reportLineOf } from '../../src/domain/reporting/report-line.ts';
import { type Timestamp, timestampOf } from '../../src/domain/timestamp.ts';
import { whyNotAccepted } from '../../src/use-cases/decide/accept-difference.ts';
import { aPayoutIn, aPricing, money, NOW } from '../builders/payouts.ts';
import { aHeader, DAY } from '../builders/report-rows.ts';

interface Answer {
  readonly status: string;
  readonly amount?: string | undefined;
}

const day = (nth: number) => timestampOf(NOW + nth * DAY);
const said = ({ at, kind, debit, credit, money: sum }: Booking) =>
  `${(at - NOW) / DAY} ${kind}: ${debit} to ${credit} ${formatMoney(sum)}`;

/** A person proves that all came back although the service shows a part. */
const EVIDENCE = 'evidence';

function believed({ state }: Payout, at: Timestamp): EventOf<'return'> | undefined {
  if ((state.status !== 'accepted' && state.status !== 'settled') || state.shown?.back === undefined)
    return undefined;
  const { serviceStatus = '', discrepancies, shown } = state;
  return { kind: 'return', serviceStatus, discrepancies, shown, at };
}

const ONLY_ACCEPTED = 'accepted';

/** A person says what became of the part that is not shown. */
function ruled(
  payout: Payout,
  is: RestFound | undefined,
  at: Timestamp,
): EventOf<'accept_difference'> | undefined {
  const saw = differencesOf(payout.state);
  if (whyNotAccepted(payout, saw, is) !== undefined) return undefined;
  if (is === undefined) return { kind: 'accept_difference', by: 'ama', reason: 'known', saw, at };
  const { rest } = restNow(payout);
  const minor = rest > 0n ? rest : 0n;
  return { kind: 'accept_difference', by: 'ama', reason: 'the bank says so', saw, at, rest: { is, minor } };
}

function eventFor(
  payout: PayoutIn<'accepted' | 'settled' | 'failed' | 'returned'>,
  seen: Parameters<typeof eventOfPoll>[1],
) {
  const found = REST_FOUND.find((each) => each === seen.status);
  if (seen.status === ONLY_ACCEPTED) return ruled(payout, undefined, seen.at);
  if (found !== undefined) return ruled(payout, found, seen.at);
  return seen.status === EVIDENCE ? believed(payout, seen.at) : eventOfPoll(payout, seen, DEFAULT_POLICY);
}

/** A payment that the service took on day 0, and what it answered on the days after. */
function looked(answers: readonly Answer[], first: Payout = aPayoutIn('accepted'), isCurrent = true) {
  let payout: Payout = first;
  const events: BookedEvent[] = [{ kind: 'accept', at: day(0) }];
  answers.forEach(({ status, amount }, nth) => {
    if (
      !isIn(payout, 'accepted') &&
      !isIn(payout, 'settled') &&
      !isIn(payout, 'failed') &&
      !isIn(payout, 'returned')
    )
      return;
    const { name: receiver, institutionName: institution, destinationName: destination } = payout.instruction;
    const { transferId: id } = payout.state;
    if (id === undefined) return;
    const seen = { id, status, amount, receiver, institution, destination, at: day(nth + 1) };
    const event = eventFor(payout, seen);
    if (event === undefined) return;
    payout = advance(payout, event);
    const kind = BOOKED_EVENTS.find((each) => each === event.kind);
    if (kind !== undefined) events.push(bookedEvent(kind, event));
  });
  return { payout, isCurrent, events } satisfies SentPayout;
}

const pairs = (...answers: readonly Answer[]) => bookingsOf(looked(answers)).slice(2).map(said);
const returned = (amount: string) => ({ status: 'Returned', amount });
const FINISHED = { status: 'Finished', amount: '1200.00' };

// GHS 1,200.00 is GBP 77.42 without its fee.
it('books a part on its day, then what a larger part adds, then the rest, then Finished again', () => {
  expect(pairs(FINISHED, returned('600.00'), returned('900.00'), returned('1200.00'), FINISHED)).toEqual([
    '1 finished: on_its_way to paying GBP 78.44',
    '2 return_of_part: paying to owed GBP 38.71',
    '3 return_of_part: paying to owed GBP 19.35',
    '4 return: paying to owed GBP 19.36',
    '5 paid_after_all: owed to paying GBP 77.42',
  ]);
});

it('books a part that came back before Finished, and only the rest as finished', () => {
  expect(pairs(returned('600.00'), returned('300.00'), { status: 'Finished', amount: '600.00' })).toEqual([
    '1 return_of_part: on_its_way to owed GBP 38.71',
    '3 finished: on_its_way to paying GBP 39.73',
  ]);
});

it('books back what is left of a payment that failed after a part came back', () => {
  const failed = { status: 'Failed', amount: '1200.00' };
  expect(pairs(returned('600.00'), failed, failed, FINISHED)).toEqual([
    '1 return_of_part: on_its_way to owed GBP 38.71',
    '3 failed: on_its_way to owed GBP 38.71',
    '3 failed: on_its_way to fees GBP 1.02',
    '4 paid_after_all: owed to paying GBP 77.42',
    '4 paid_after_all: fees to paying GBP 1.02',
  ]);
});

it('books a part of a payment whose debit is not known in the currency asked', () => {
  const payout = aPayoutIn('accepted', { state: { pricing: aPricing({ quote: undefined }) } });
  expect(
    bookingsOf(looked([FINISHED, returned('600.00')], payout))
      .map(said)
      .at(-1),
  ).toBe('2 return_of_part: paying to owed GHS 600.00');
});

const RUNS = { numRuns: process.env['SOAK'] === '1' ? 10_000 : 500 };

// GHS 600.00 of it are GBP 38.71.
const LESS = { status: 'Finished', amount: '600.00' };
const saidOf = (is: RestFound) => ({ status: is });

it('owes again what the service does not show, in suspense until a person found out where it is', () => {
  expect(pairs(LESS)).toEqual([
    '1 finished: on_its_way to paying GBP 78.44',
    '1 shown_otherwise: suspense to owed GBP 38.71',
  ]);
  const lost = pairs(LESS, saidOf('lost'), saidOf('open'), saidOf('delivered')).slice(2);
  expect(lost).toEqual([
    '2 rest_found: lost to suspense GBP 38.71',
    '3 rest_found: suspense to lost GBP 38.71',
    '4 rest_found: owed to suspense GBP 38.71',
  ]);
});

it('takes the missing part back when the service shows the amount that was asked, and asks anew about another one', () => {
  expect(pairs(LESS, saidOf('lost'), FINISHED).slice(3)).toEqual([
    '3 rest_found: suspense to lost GBP 38.71',
    '3 shown_otherwise: owed to suspense GBP 38.71',
  ]);
  expect(pairs(LESS, saidOf('delivered'), { status: 'Finished', amount: '900.00' }).slice(3)).toEqual([
    '3 rest_found: suspense to owed GBP 38.71',
    '3 shown_otherwise: owed to suspense GBP 19.36',
  ]);
});

it('forgets what was said of a part once a person only accepts another one', () => {
  const other = { status: 'Finished', amount: '500.00' };
  // GHS 700.00 are GBP 45.16.
  expect(pairs(LESS, saidOf('lost'), other, { status: ONLY_ACCEPTED }, LESS).slice(3)).toEqual([
    '3 rest_found: suspense to lost GBP 38.71',
    '3 shown_otherwise: suspense to owed GBP 6.45',
    '5 shown_otherwise: owed to suspense GBP 6.45',
  ]);
});

it('books more than was asked as money that nobody can account for', () => {
  expect(pairs({ status: 'Finished', amount: '2400.00' })).toEqual([
    '1 finished: on_its_way to paying GBP 78.44',
    '1 shown_otherwise: owed to suspense GBP 77.42',
  ]);
});

const gbp = (minor: bigint) => ({ ...money('GBP 1'), minor });
const compared = (nth: number, whole: bigint, feeMinor: bigint) => ({
  at: day(nth),
  whole: gbp(whole),
  feeMinor,
});

it('books what the lines of the bank add to the payment and to its fee, each once, on the day of the comparison', () => {
  const sent = looked([FINISHED, returned('1200.00')]);
  // The bank took 78.60, of which 1.50 were the fee; the same statement comes again on day 1.
  const bank = [compared(1, 7860n, 150n), compared(1, 7860n, 150n)];
  const booked = (some: SentPayout) => bookingsOf(some).slice(3).map(said);
  expect(booked({ ...sent, events: sent.events.slice(0, 2), bank })).toEqual([
    '1 bank_line: paying to fx_difference GBP 0.32',
    '1 bank_fee: fees to paying GBP 0.48',
  ]);
  // It comes back as it was taken; the fee is kept.
  expect(booked({ ...sent, bank }).slice(2)).toEqual([
    '2 return: paying to owed GBP 77.42',
    '2 bank_line: fx_difference to paying GBP 0.32',
  ]);
});

it('books a comparison of a payment on its way when it is finished, and none in another currency', () => {
  const sent = looked([FINISHED]);
  const early = bookingsOf({ ...sent, bank: [compared(0, 7900n, 102n)] }).slice(2);
  expect(early.map(said)).toEqual([
    '1 finished: on_its_way to paying GBP 78.44',
    '1 bank_line: fx_difference to paying GBP 0.56',
  ]);
  const other = { at: day(1), whole: { ...money('USD 1'), minor: 9_000n }, feeMinor: 0n };
  expect(bookingsOf({ ...sent, bank: [other] })).toEqual(bookingsOf(sent));
});

it('comes to what the states say, with what statements showed', () => {
  const figures = fc.tuple(
    fc.nat(8),
    fc.bigInt({ min: 1n, max: 10n ** 6n }),
    fc.bigInt({ min: 0n, max: 500n }),
  );
  const some = fc.array(figures, { maxLength: 3 });
  fc.assert(
    fc.property(aHistory, some, (history, seen) => {
      const bank = seen.toSorted(([one], [other]) => one - other).map((each) => compared(...each));
      const sent = { ...sentOf(history), bank };
      const booked = new BookedTotals(undefined);
      booked.add(sent, bookingsOf(sent));
      const sums = bookedSums(bookingsOf(sent).map(({ money: sum, ...each }) => ({ ...each, ...sum })));
      expect(
        journalChecks({ costs: [] }, sums, booked.finish()).accounts.every(({ gap }) => gap === 0n),
      ).toBe(true);
    }),
    RUNS,
  );
}, 600_000);

const aHistory = fc.record({
  answers: fc.array(
    fc.record({
      status: fc.constantFrom(
        'Finished',
        'Returned',
        'Reversed',
        'Failed',
        'Processing',
        'Expired',
        EVIDENCE,
        ...REST_FOUND,
        ONLY_ACCEPTED,
      ),
      // In tenths of the amount; none: the look shows no amount.
      tenths: fc.option(fc.constantFrom(1n, 3n, 3n, 7n, 10n, 10n, 10n, 20n), { nil: undefined }),
    }),
    { maxLength: 8 },
  ),
  isCurrent: fc.boolean(),
  tenth: fc.bigInt({ min: 10n ** 7n, max: 10n ** 12n }),
  code: fc.constantFrom('GHS', 'XOF', 'TND'),
  rate: fc.tuple(fc.nat(9_999), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}1`),
  priced: fc.boolean(),
});
type History = typeof aHistory extends fc.Arbitrary<infer One> ? One : never;

function sentOf({ answers, isCurrent, tenth, code, rate, priced }: History): SentPayout {
  const { quote } = aPricing();
  const pricing = aPricing({ quote: priced ? quote && { ...quote, rate } : undefined });
  const minor = (tenths: bigint) => ({ ...money(`${code} 1`), minor: tenth * tenths });
  const text = (tenths: bigint) => formatMoney(minor(tenths)).replace(/^\w+ /, '').replaceAll(',', '');
  const told = answers.map(({ status, tenths }) => ({
    status,
    ...(tenths === undefined ? {} : { amount: text(tenths) }),
  }));
  return looked(
    told,
    aPayoutIn('accepted', { state: { pricing }, instruction: { amount: minor(10n) } }),
    isCurrent,
  );
}

it('[E16] comes to what the totals say in every currency, whatever parts came back in whatever order', () => {
  fc.assert(
    fc.property(fc.array(aHistory, { minLength: 1, maxLength: 12 }), (histories) => {
      const sents = histories.map(sentOf);
      const booked = new BookedTotals(undefined);
      for (const sent of sents) booked.add(sent, bookingsOf(sent));
      const sums = bookedSums(
        sents.flatMap(bookingsOf).map(({ money: sum, ...each }) => ({ ...each, ...sum })),
      );
      const lines = new LineCounter();
      const context = lineContext(aHeader());
      sents.forEach(({ payout, isCurrent }, position) => {
        if (isCurrent) lines.add(reportLineOf({ position, payout, cells: [], replaced: [] }, context));
        else lines.addEarlier(payout);
      });
      const totals = lines.result([]);
      expect(journalChecks(totals, sums, booked.finish()).parts).toEqual([]);
      // What left the account that pays, or is leaving it, is what the report says stays taken.
      for (const { currency, minor } of staysTaken(totals)) {
        const accounts = sums.find((sum) => sum.currency === currency)?.accounts;
        const unpriced = sents
          .flatMap(bookingsOf)
          .filter(({ isPriced, money: sum }) => !isPriced && sum.currency === currency);
        expect(unpriced).toEqual([]);
        expect(-(accounts?.get('paying') ?? 0n) - (accounts?.get('on_its_way') ?? 0n)).toBe(minor);
      }
    }),
    RUNS,
  );
}, 600_000);

it('[E16] changes no pair that was booked before a later answer', () => {
  fc.assert(
    fc.property(aHistory, fc.nat(8), (history, nth) => {
      const whole = sentOf(history);
      const early = bookingsOf({ ...whole, events: whole.events.slice(0, nth) });
      expect(bookingsOf(whole).slice(0, early.length)).toEqual(early);
    }),
    RUNS,
  );
}, 600_000);
