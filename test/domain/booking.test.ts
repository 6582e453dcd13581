import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookingsOf } from '../../src/domain/booking.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { STATUSES, type Status } from '../../src/domain/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { aPayoutIn, aPricing, money, NOW } from '../builders/payouts.ts';
import { aLine, aRow } from '../builders/report-rows.ts';

const told = (status: Status, state: object = {}) =>
  bookingsOf(aLine(aRow(aPayoutIn(status, { state })))).map(
    ({ kind, debit, credit, money: sum }) => `${kind}: ${debit} to ${credit} ${formatMoney(sum)}`,
  );

// GHS 1,200.00 at 15.5 is GBP 77.42, and the fee is GBP 1.02.
it.each<[Status, readonly string[]]>([
  ['settled', ['payment: owed to paying GBP 77.42', 'fee: fees to paying GBP 1.02']],
  ['accepted', ['payment: owed to on_its_way GBP 77.42', 'fee: fees to on_its_way GBP 1.02']],
  ['in_doubt', ['payment: suspense to on_its_way GBP 77.42', 'fee: suspense to on_its_way GBP 1.02']],
  ['sending', ['payment: suspense to on_its_way GBP 77.42', 'fee: suspense to on_its_way GBP 1.02']],
  [
    'returned',
    ['payment: owed to paying GBP 77.42', 'fee: fees to paying GBP 1.02', 'return: paying to owed GBP 77.42'],
  ],
  ['failed', []],
  ['held', []],
  ['canceled', []],
  ['invalid', []],
  ['approved', []],
  ['quoted', []],
  ['planned', []],
])('books what is %s on the side where its money is, and nothing that did not move', (status, wanted) => {
  expect(told(status)).toEqual(wanted);
});

it('books a payment whose debit is not known in the currency it was asked in, and says so', () => {
  const pricing = aPricing({ quote: undefined });
  expect(told('settled', { pricing })).toEqual(['payment_unpriced: owed to paying GHS 1,200.00']);
  expect(told('returned', { pricing }).at(-1)).toBe('return_unpriced: paying to owed GHS 1,200.00');
});

it('books a return on the day that it came back', () => {
  const returnedAt = timestampOf(NOW + 5 * 86_400_000);
  const days = bookingsOf(aLine(aRow(aPayoutIn('returned', { state: { returnedAt } })))).map(({ at }) => at);
  expect(days).toEqual([NOW, NOW, returnedAt]);
});

it('never books a fee that is nothing', () => {
  const { quote } = aPricing();
  const pricing = aPricing({ quote: quote && { ...quote, fee: '0' } });
  expect(told('settled', { pricing })).toEqual(['payment: owed to paying GBP 77.42']);
});

it('books exactly the debit of every payment that moved, to the last minor unit, whatever rate and fee', () => {
  const draft = fc.record({
    status: fc.constantFrom(...STATUSES),
    minor: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    rate: fc.tuple(fc.nat(9_999), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}1`),
    fee: fc.tuple(fc.nat(99), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`),
  });
  fc.assert(
    fc.property(draft, ({ status, minor, rate, fee }) => {
      const { quote } = aPricing();
      const pricing = aPricing({ quote: quote && { ...quote, rate, fee } });
      const amount = { ...money('GHS 1'), minor };
      const line = aLine(aRow(aPayoutIn(status, { state: { pricing }, instruction: { amount } })));
      const bookings = bookingsOf(line);
      if (bookings.length === 0) return;
      const paid = bookings.filter(({ kind }) => kind !== 'return');
      expect(paid.reduce((sum, booking) => sum + booking.money.minor, 0n)).toBe(line.debit?.minor);
      for (const booking of bookings) expect(booking.money.minor).toBeGreaterThan(0n);
    }),
  );
});
