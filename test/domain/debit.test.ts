import { expect, it } from 'vitest';
import { type CurrencyCode, parseCurrency } from '../../src/domain/money/currency.ts';
import { debitOf, roundedMoney } from '../../src/domain/money/decimal.ts';
import { formatMoney } from '../../src/domain/money/money.ts';
import { money } from '../builders/payouts.ts';

const currency = (code: string) => parseCurrency(code) as CurrencyCode;
const debit = (amount: string, rate: string, fee: string, source: string) => {
  const found = debitOf(money(amount), { rate, fee, sourceCurrency: currency(source) });
  return found === undefined ? undefined : formatMoney(found);
};

it.each([
  // amount, rate, fee, source → what it costs
  ['GHS 1200.00', '15.5', '1.02', 'GBP', 'GBP 78.44'],
  ['GHS 0.01', '1000', '0', 'GBP', 'GBP 0.00'],
  ['XOF 655957', '655.957', '0', 'EUR', 'EUR 1,000.00'],
  ['NGN 0.50', '100', '0', 'GBP', 'GBP 0.01'],
  ['NGN 0.49', '100', '0', 'GBP', 'GBP 0.00'],
  ['NGN 1.00', '3', '0.666666666666666666666', 'USD', 'USD 1.00'],
  ['KES 100.00', '0.8', '250', 'XOF', 'XOF 375'],
  ['TND 3.333', '3', '0.0005', 'KWD', 'KWD 1.112'],
  ['NGN 999999999999999.99', '1', '0.01', 'NGN', 'NGN 1,000,000,000,000,000.00'],
])('%s at %s with a fee of %s %s costs %s', (amount, rate, fee, source, expected) => {
  expect(debit(amount, rate, fee, source)).toBe(expected);
});

it('never shows a cost that was reckoned from a quote it cannot understand', () => {
  expect(debit('GHS 10.00', '0', '1', 'GBP')).toBeUndefined();
  expect(debit('GHS 10.00', '1e3', '1', 'GBP')).toBeUndefined();
  expect(debit('GHS 10.00', '-2', '1', 'GBP')).toBeUndefined();
  expect(debit('GHS 10.00', '2', 'free', 'GBP')).toBeUndefined();
  expect(debitOf(money('GHS 10.00'), { rate: '2', fee: '1', sourceCurrency: undefined })).toBeUndefined();
});

it('[E16] rounds a fee half up to the currency it is in', () => {
  expect(roundedMoney('1.005', currency('GBP'))?.minor).toBe(101n);
  expect(roundedMoney('1.0049', currency('GBP'))?.minor).toBe(100n);
  expect(roundedMoney('0.5', currency('XOF'))?.minor).toBe(1n);
});
