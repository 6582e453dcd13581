/** What a person accepted, where the service says the same in other letters, and where it says something else. */
import { expect, it } from 'vitest';
import { differenceOf } from '../../src/domain/payouts/difference.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { aPayoutIn } from '../builders/payouts.ts';

const saw = ['status: the service says “Charged back”'];
const acceptedDifference = { by: 'ben', reason: 'their fee', saw, at: timestampOf(0) };

it.each<[string, string, readonly string[]]>([
  ['the same', 'accepted', saw],
  ['the same in capitals', 'accepted', ['status: the service says “CHARGED BACK”']],
  ['another word', 'open', ['status: the service says “Recalled”']],
  ['another amount beside it', 'open', [...saw, 'amount: the service shows 5.00']],
])('is, while the service shows %s: %s', (_, difference, discrepancies) => {
  expect(differenceOf(aPayoutIn('settled', { state: { discrepancies, acceptedDifference } }))).toBe(
    difference,
  );
});

it('is open while the service’s word has to be said once more, whatever was accepted', () => {
  const suspicion = { word: 'Charged back', firstAt: timestampOf(0) };
  const payout = aPayoutIn('settled', { state: { discrepancies: saw, acceptedDifference, suspicion } });
  expect(differenceOf(payout)).toBe('open');
});
