/** What a person accepted, where the service says the same in other letters, and where it says something else. */
import { expect, it } from 'vitest';
import { acceptedStill } from '../../src/domain/payouts/difference.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

const accepted = { by: 'ben', reason: 'their fee', at: timestampOf(0) };
const before = { discrepancies: ['status: the service says “Charged back”'], acceptedDifference: accepted };

it.each<[string, boolean, { discrepancies: readonly string[]; shownMinor?: bigint }]>([
  ['the same', true, { discrepancies: before.discrepancies }],
  ['the same in capitals', true, { discrepancies: ['status: the service says “CHARGED BACK”'] }],
  ['another word', false, { discrepancies: ['status: the service says “Recalled”'] }],
  ['another amount beside it', false, { discrepancies: before.discrepancies, shownMinor: 5n }],
])('stays accepted while the service shows %s: %s', (_, isAccepted, now) => {
  expect(acceptedStill(before, now)).toEqual(isAccepted ? { acceptedDifference: accepted } : {});
});
