/** The judge of what people are told complains about each untruth, and about nothing else. */
import { describe, expect, it } from 'vitest';
import { type Answer, settledMinor, type ToldPayout, untruths } from './told-judge.ts';

const PAID = { word: 'Finished', amount: '500.00' };
const said = (word: string, amount = '500.00') => ({ word, amount });
const FINE = { isDiffering: false, stuck: undefined, isSuspected: false };
const DIFFERS = { ...FINE, isDiffering: true };

/** Paid as asked, unless it is told otherwise. `answers`: a day ago, and now. */
function payout({
  answers = [PAID, PAID],
  ...other
}: Partial<ToldPayout> & { readonly answers?: [Answer, Answer] } = {}): ToldPayout {
  const ever = answers.filter((answer) => answer !== 'not_asked');
  return {
    ...{ payout: 1, root: 1, status: 'settled', asked: 500_00, line: FINE, said: answers, ever },
    ...{ isAlike: true, isAccepted: false },
    ...other,
  };
}

describe('complains that', () => {
  it.each<[string, number, ToldPayout]>([
    ['all is well with a word for failed', 0, payout({ answers: [PAID, said('Failed')] })],
    [
      'all is well with another amount',
      0,
      payout({ answers: [PAID, said('Finished', '450.00')], line: DIFFERS }),
    ],
    [
      'all is well with a transfer that is gone',
      0,
      payout({ answers: [undefined, undefined], line: DIFFERS }),
    ],
    ['a transfer that is gone makes no difference', 3, payout({ answers: [undefined, undefined] })],
    ['too much is no incident', 3, payout({ answers: [PAID, said('Finished', '50000.00')], line: DIFFERS })],
    [
      'a transfer that was not found for a day is no incident',
      4,
      payout({ status: 'accepted', answers: [undefined, undefined] }),
    ],
    [
      'a failure that was said twice leaves the row settled',
      3,
      payout({ answers: [said('Failed'), said('FAILED')], line: DIFFERS }),
    ],
    ['a return leaves the row settled', 3, payout({ answers: [PAID, said('Reversed')], line: DIFFERS })],
    ['an unknown word makes no difference', 3, payout({ answers: [PAID, said('Charged back')] })],
    ['a part that came back makes no difference', 3, payout({ answers: [PAID, said('Returned', '300.00')] })],
    [
      'nobody is told of an unknown word on the way',
      4,
      payout({ status: 'accepted', answers: [said('Expired'), said('Expired')] }),
    ],
    ['a row differs that never did', 3, payout({ line: DIFFERS })],
  ])('%s', (_, exitCode, one) => {
    expect(untruths(exitCode, [one])).toHaveLength(1);
  });

  it('two payments of one row are finished, and the batch is no incident', () => {
    const replaced = payout({ payout: 1, line: undefined });
    const both = [replaced, payout({ payout: 2 })];
    expect([untruths(3, both).length, untruths(5, both).length]).toEqual([1, 0]);
  });
});

describe('says nothing of', () => {
  it.each<[string, number, ToldPayout]>([
    ['a row that is paid as asked', 0, payout()],
    ['a row that nobody asked about', 0, payout({ answers: ['not_asked', 'not_asked'] })],
    ['a settled transfer that was not found once', 0, payout({ answers: [PAID, undefined] })],
    ['a failure that was said once', 3, payout({ answers: [PAID, said('Failed')], line: DIFFERS })],
    [
      'a failure of a payment that is called otherwise now',
      3,
      payout({ answers: [said('Failed'), said('Failed')], line: DIFFERS, isAlike: false }),
    ],
    [
      'less than was asked, where a person accepted it',
      0,
      payout({ answers: [PAID, said('Finished', '450.00')], line: DIFFERS, isAccepted: true }),
    ],
    ['a return that is shown', 3, payout({ status: 'returned', answers: [PAID, said('Reversed')] })],
  ])('%s', (_, exitCode, one) => {
    expect(untruths(exitCode, [one])).toEqual([]);
  });
});

it('counts what has settled as the service shows it', () => {
  const less = payout({ answers: [PAID, said('Finished', '450.00')] });
  const part = payout({ answers: [PAID, said('Returned', '100.00')] });
  expect(settledMinor([payout(), less, payout({ status: 'returned' })])).toBe(950_00);
  // What went out is not shown with what came back.
  expect(settledMinor([part])).toBeUndefined();
  expect(settledMinor([payout({ answers: [PAID, undefined] })])).toBeUndefined();
});
