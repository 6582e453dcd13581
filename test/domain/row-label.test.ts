/** The label of a row: one for each status and mark, the most serious mark first. */
import { expect, it } from 'vitest';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { labelText, payoutLabel, rowLabel } from '../../src/domain/reporting/row-label.ts';
import { aPayoutIn, NOW } from '../builders/payouts.ts';

const discrepancies = ['amount: the service shows another'];
const labelOf = (status: 'accepted' | 'settled', state: object) => {
  const label = payoutLabel(aPayoutIn(status, { state }));
  return `${labelText(label)} (${label.tone})`;
};

it('is the status alone where nothing stands beside it', () => {
  for (const status of STATUSES)
    expect(labelText(payoutLabel(aPayoutIn(status)))).toBe(labelText(rowLabel(status, {})));
});

it('says that a row differs, by how much it matters, and that a person accepted it', () => {
  const acceptedDifference = { by: 'ben', reason: 'their fee', saw: discrepancies, at: NOW };
  expect(labelOf('settled', { discrepancies })).toBe('! Settled, differs (doubt)');
  expect(labelOf('accepted', { discrepancies })).toBe('! On its way, differs (doubt)');
  const over = { discrepancies, shown: { amount: '100000.00' } };
  expect(labelOf('settled', over)).toBe('! Settled, more than was asked (bad)');
  expect(labelOf('settled', { ...over, acceptedDifference })).toBe('✔ Settled, difference accepted (good)');
  const other = { ...acceptedDifference, saw: ['amount: the service shows less'] };
  expect(labelOf('settled', { ...over, acceptedDifference: other })).toBe(
    '! Settled, more than was asked (bad)',
  );
});

it('names the most serious of several marks', () => {
  const text = (flags: Parameters<typeof rowLabel>[1]) => labelText(rowLabel('accepted', flags));
  expect(text({ differs: true, over: true, stuck: 'missing' })).toBe('! On its way, more than was asked');
  expect(text({ differs: true, suspected: true, stuck: 'missing' })).toBe('! On its way, and not found');
  expect(text({ differs: true, suspected: true })).toBe('! On its way, called failed or returned');
  expect(text({ differs: true, stuck: 'late' })).toBe('! On its way for too long');
  expect(text({ accepted: true, stuck: 'unknown_word' })).toBe('! On its way, with an unknown word');
});
