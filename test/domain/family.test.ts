/** Which payment of a row stands for it, over all batches that have one of it. */
import { expect, it } from 'vitest';
import { agreedOf, standsInstead, standsInsteadText, whyNotBeside } from '../../src/domain/payouts/family.ts';
import { asPayoutId } from '../../src/domain/payouts/instruction.ts';
import type { Status } from '../../src/domain/payouts/payout.ts';
import { aMember } from '../builders/payouts.ts';

/** `failed+` is a payment that was called failed and is paid. */
const family = (words: readonly string[]) =>
  words.map((word, at) =>
    aMember(`p${at + 1}`, word.replace('+', '') as Status, { isIncident: word.endsWith('+') }),
  );
const standing = (words: readonly string[], mine: number) =>
  standsInstead(asPayoutId(`p${mine}`), family(words))?.payoutId;

it.each<[readonly string[], number, string | undefined]>([
  // alone
  [['failed'], 1, undefined],
  [['settled'], 1, undefined],
  // another one lives, or was paid
  [['failed', 'settled'], 1, 'p2'],
  [['failed', 'approved'], 1, 'p2'],
  [['failed', 'in_doubt'], 1, 'p2'],
  [['failed', 'accepted', 'canceled'], 3, 'p2'],
  [['returned', 'sending'], 1, 'p2'],
  [['canceled', 'settled'], 1, 'p2'],
  [['settled', 'held'], 2, 'p1'],
  [['settled', 'quoted'], 2, 'p1'],
  [['failed', 'approved', 'planned'], 3, 'p2'],
  // a newer one waits, or was tried and ended
  [['failed', 'planned'], 1, 'p2'],
  [['failed', 'held'], 1, 'p2'],
  [['failed', 'failed'], 1, 'p2'],
  [['failed', 'failed'], 2, undefined],
  [['failed', 'returned', 'held'], 1, 'p3'],
  [['failed', 'quoted', 'failed'], 1, 'p2'],
  // it was withdrawn, or is no payment
  [['failed', 'canceled'], 1, undefined],
  [['failed', 'canceled'], 2, undefined],
  [['failed', 'invalid'], 1, undefined],
  // it became invalid
  [['failed', 'invalid', 'planned'], 2, 'p3'],
  [['failed', 'invalid'], 2, undefined],
  // both wait: either may go on
  [['failed', 'planned', 'held'], 2, undefined],
  [['failed', 'planned', 'held'], 3, undefined],
  // what is under way is nobody else's
  [['failed', 'accepted', 'in_doubt'], 2, undefined],
  // paid after all
  [['failed+', 'settled'], 1, undefined],
  [['settled+', 'canceled'], 1, undefined],
  [['settled+', 'canceled', 'settled'], 2, 'p1'],
  [['failed', 'failed+'], 1, 'p2'],
])('of %j, in the place of number %i: %s', (words, mine, expected) => {
  expect(standing(words, mine)).toBe(expected);
});

it.each<[Status, string, string]>([
  ['settled', 'Paid again as row 2 of batch redo: settled.', 'paying it once more would pay twice'],
  ['accepted', 'Paid again as row 2 of batch redo: on its way.', 'wait until that one has ended unpaid'],
  ['in_doubt', 'Perhaps paid again as row 2 of batch redo: in doubt.', 'wait until that one has ended'],
  ['held', 'To be paid again as row 2 of batch redo: held.', 'withdraw it first (payfile cancel)'],
  ['approved', 'To be paid again as row 2 of batch redo: approved.', 'withdraw it first (payfile cancel)'],
  ['failed', 'Tried again as row 2 of batch redo: failed.', 'pay that one again instead'],
  ['returned', 'Paid again as row 2 of batch redo: returned.', 'pay that one again instead'],
])('is told in words where the other one is %s', (status, said, why) => {
  const other = aMember('p2', status);
  expect(standsInsteadText(other)).toBe(said);
  expect(whyNotBeside(other)).toContain(why);
});

it.each<[readonly string[], string | undefined]>([
  [['failed'], 'p1'],
  [['failed', 'settled'], 'p2'],
  [['settled', 'failed'], 'p1'],
  [['failed', 'returned'], 'p2'],
  [['failed+', 'settled'], 'p1'],
  // nobody agreed to what waits, and what was withdrawn is nobody's payment
  [['failed', 'planned', 'held', 'quoted'], 'p1'],
  [['failed', 'canceled'], 'p1'],
  [['canceled', 'invalid'], undefined],
  [['canceled', 'approved'], 'p2'],
])('of %j, that which somebody agreed to and that stands for the row: %s', (words, expected) => {
  expect(agreedOf(family(words))?.payoutId).toBe(expected);
});
