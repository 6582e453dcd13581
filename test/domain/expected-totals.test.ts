/** What a person declared of a file is compared with what was read, to the last minor unit. */
import { describe, expect, it } from 'vitest';
import { unexpectedTotals } from '../../src/domain/rows/total-rows.ts';
import { money } from '../builders/payouts.ts';

const ghs = money('GHS 2400.00');
const seen = { rows: 3, invalid: 0, sums: new Map([[ghs.currency, ghs.minor]]) };

describe('[F28] declared control totals', () => {
  it('that agree say nothing, and what is not declared is not asked for', () => {
    expect(unexpectedTotals({ count: 3, totals: [money('GHS 2400')] }, seen)).toEqual([]);
    expect(unexpectedTotals({ count: undefined, totals: [] }, seen)).toEqual([]);
  });

  it.each([
    [4, 'The file has 3 rows; expected 4 rows: 1 row missing.'],
    [1, 'The file has 3 rows; expected 1 row: 2 rows too many.'],
    [0, 'The file has 3 rows; expected 0 rows: 3 rows too many.'],
  ])('a count of %d names both numbers and the difference', (count, sentence) => {
    expect(unexpectedTotals({ count, totals: [] }, seen)).toEqual([sentence]);
  });

  it.each([
    ['2400.01', 'GHS 2,400.00; expected GHS 2,400.01: GHS 0.01 too little.'],
    ['2399.99', 'GHS 2,400.00; expected GHS 2,399.99: GHS 0.01 too much.'],
    ['240000', 'GHS 2,400.00; expected GHS 240,000.00: GHS 237,600.00 too little.'],
  ])('a sum of GHS %s names both numbers and the difference', (amount, words) => {
    const found = unexpectedTotals({ count: undefined, totals: [money(`GHS ${amount}`)] }, seen);
    expect(found).toEqual([`The payable rows come to ${words}`]);
  });

  it('a currency that the file does not have counts as nothing, and every number that differs is named', () => {
    const found = unexpectedTotals({ count: 2, totals: [money('KES 5'), money('GHS 2400')] }, seen);
    expect(found).toHaveLength(2);
    expect(found[1]).toBe('The payable rows come to KES 0.00; expected KES 5.00: KES 5.00 too little.');
  });

  it('rows that cannot be paid are said to be missing from the sum', () => {
    const found = unexpectedTotals({ count: undefined, totals: [money('GHS 1')] }, { ...seen, invalid: 1 });
    expect(found.at(-1)).toBe('1 row that cannot be paid as written: not counted in the sums.');
  });
});
