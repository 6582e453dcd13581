/** The agreed debit and the debit sent: sums by hand. */
import { expect, it } from 'vitest';
import { agreedSum, driftPercent } from '../../src/domain/reporting/debits.ts';
import { aPayoutIn, aPricing, money } from '../builders/payouts.ts';
import { aRow, aRowPerState, debitsOf, rowsIn, sentAtRate } from '../builders/report-rows.ts';

it('shows what failed, is in doubt, is not sent and was sent at which rate', () => {
  // 1200 ÷ 15.5 + 1.02 = 78.44; 1200 ÷ 15.4 + 1.02 = 78.94.
  const [total, ...others] = debitsOf(aRowPerState().map((row) => sentAtRate(row, '15.4'))).totals;
  if (total === undefined) throw new TypeError('no total');
  expect(others).toEqual([]);
  expect(total).toMatchObject({
    ...{ currency: 'GHS', from: 'GBP' },
    failed: { count: 1, planned: 7844n },
    inDoubt: { count: 2, planned: 15_688n },
    unsent: { count: 1, planned: 7844n },
    sent: { count: 3, planned: 23_532n, atSend: 23_682n },
  });
  expect(agreedSum(total)).toBe(54_908n);
  expect(driftPercent(total)).toBe('0.64');
});

it('shows a rate that lowered the debit as a negative share', () => {
  // 1200 ÷ 15.6 + 1.02 = 77.94.
  const { totals } = debitsOf(rowsIn('settled').map((row) => sentAtRate(row, '15.6')));
  expect(totals.map(driftPercent)).toEqual(['-0.64']);
});

it('names payments without a known debit', () => {
  const unpriced = aPayoutIn('settled', { state: { pricing: aPricing({ quote: undefined }) } });
  const told = 'GHS: 1 payment without a known debit, not in these sums.';
  expect(debitsOf([aRow(unpriced)])).toEqual({ totals: [], unpriced: [told] });
});

it('shows nothing where nothing was agreed to', () => {
  expect(debitsOf(rowsIn('held', 'quoted', 'canceled', 'invalid'))).toEqual({ totals: [], unpriced: [] });
});

it('keeps sums exact that are too large for a double', () => {
  const amount = money('GHS 999999999999999.99');
  const rows = [2, 3].map((rowNumber) => aRow(aPayoutIn('settled', { rowNumber, instruction: { amount } })));
  // 999999999999999.99 ÷ 15.5 + 1.02 = 64516129032259.0838…
  expect(debitsOf(rows).totals[0]?.sent.atSend).toBe(12_903_225_806_451_816n);
});
