/** Rates and fees: exact decimals, rounded half up once, for display. */

import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import {
  debitOf,
  feeOf,
  isEqualDecimal,
  isWithinPercent,
  percentOf,
  risePercent,
  sourceAmountOf,
} from '../../src/domain/money/decimal.ts';
import { formatMoney } from '../../src/domain/money/money.ts';
import { money } from '../builders/payouts.ts';

const GBP = parseCurrency('GBP');
const quote = (rate: string, fee: string) => ({ rate, fee, sourceCurrency: GBP });

describe('what a payment costs', () => {
  it.each([
    // 1200 ÷ 15.5 = 77.4193… + 1.02
    ['GHS 1200.00', '15.5', '1.02', 'GBP 78.44'],
    ['GHS 155.00', '15.5', '0', 'GBP 10.00'],
    // 0.125 is rounded up, once.
    ['GHS 0.25', '2', '0', 'GBP 0.13'],
    ['XOF 1000', '790.123456789', '0.005', 'GBP 1.27'],
  ])('debits for %s at %s with a fee of %s: %s', (amount, rate, fee, expected) => {
    const debit = debitOf(money(amount), quote(rate, fee));
    expect(debit === undefined ? undefined : formatMoney(debit)).toBe(expected);
  });

  it.each(['0', '0.00', '', 'n/a', '-1', '1e5'])('reckons nothing with a rate of “%s”', (rate) => {
    expect(debitOf(money('GHS 1.00'), quote(rate, '1'))).toBeUndefined();
  });

  it('reckons nothing when the source currency is not known', () => {
    expect(debitOf(money('GHS 1.00'), { rate: '15', fee: '1', sourceCurrency: undefined })).toBeUndefined();
    expect(feeOf({ fee: '1', sourceCurrency: undefined })).toBeUndefined();
  });

  it('asks for a source amount without the fee', () => {
    expect(GBP === undefined ? undefined : sourceAmountOf(money('GHS 155.00'), '15.5', GBP)).toBe('10.00');
  });
});

it.each([
  ['1', 'GBP 4.00', 25],
  ['0', 'GBP 4.00', 0],
  ['1', 'GBP 0.00', 0],
])('a part of %s of %s is %d percent', (part, whole, percent) => {
  expect(percentOf(part, money(whole))).toBe(percent);
});

describe('a moved rate', () => {
  it.each([
    ['15', '15', 0],
    // Fewer cedis for a pound: each cedi costs more.
    ['15', '12', 25],
    ['12', '15', -20],
  ])('from %s to %s raises the debit by %d percent', (then, now, percent) => {
    expect(risePercent(then, now)).toBeCloseTo(percent, 10);
  });

  it.each([
    ['15', '0'],
    ['15', 'soon'],
    ['', '15'],
  ])('is beyond any budget when it cannot be read: “%s” → “%s”', (then, now) => {
    expect(risePercent(then, now)).toBe(Number.POSITIVE_INFINITY);
  });
});

it('compares decimals by value, and says when one is none', () => {
  expect(isEqualDecimal('1200', '1200.00')).toBe(true);
  expect(isEqualDecimal('1200.01', '1200.00')).toBe(false);
  expect(isEqualDecimal('about 1200', '1200')).toBeUndefined();
});

it('knows one percent to the last digit', () => {
  expect(isWithinPercent('101.00', '100', 1)).toBe(true);
  expect(isWithinPercent('101.01', '100', 1)).toBe(false);
  expect(isWithinPercent('99', '100', 1)).toBe(true);
  expect(isWithinPercent('?', '100', 1)).toBe(false);
});

it('gives a fee as money where the source currency is known and the fee a number', () => {
  expect(feeOf(quote('15', '1.025'))).toEqual({ minor: 103n, currency: 'GBP' });
  expect(feeOf({ fee: '1', sourceCurrency: undefined })).toBeUndefined();
  expect(feeOf(quote('15', 'free'))).toBeUndefined();
});

it('asks for no source amount where there is no rate to reckon with', () => {
  const GHS = money('GHS 10.00');
  if (GBP === undefined) throw new TypeError('GBP is a currency');
  expect(sourceAmountOf(GHS, '0', GBP)).toBeUndefined();
  expect(sourceAmountOf(GHS, 'soon', GBP)).toBeUndefined();
  expect(sourceAmountOf(GHS, '4', GBP)).toBe('2.50');
});

it('knows what share a fee is, and none of nothing', () => {
  expect(percentOf('2.50', money('GHS 10.00'))).toBe(25);
  expect(percentOf('2.50', money('GHS 0'))).toBe(0);
  expect(percentOf('some', money('GHS 10.00'))).toBe(0);
});

it('takes forty digits on either side of the point for a decimal, and no more', () => {
  const [forty, more] = ['9'.repeat(40), '9'.repeat(41)];
  expect(isEqualDecimal(`${forty}.${forty}`, `${forty}.${forty}`)).toBe(true);
  expect(isEqualDecimal(`${forty}.${forty}`, `${forty}.${forty.slice(1)}8`)).toBe(false);
  expect(isEqualDecimal(more, more)).toBeUndefined();
  expect(isEqualDecimal(`0.${more}`, `0.${more}`)).toBeUndefined();
});

it('never compares with what is no decimal, on either side', () => {
  expect(isEqualDecimal('1200', 'about 1200')).toBeUndefined();
  expect(isWithinPercent('100', '?', 1)).toBe(false);
  expect(isWithinPercent('50', '100', 1)).toBe(false);
});
