/**
 * Payments beside the amounts of a statement. Every figure is calculated by hand: row 2 asks for GHS 1,200.00, costs
 * GBP 77.42 and a fee of GBP 1.02, so GBP 78.44; by the rate at the sending GBP 78.01 and the fee, so GBP 79.03.
 */
import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../src/domain/money/money.ts';
import { compareByCurrency } from '../../src/domain/statement/comparison.ts';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { aRow, doubt, judged, type Line, refused, told } from '../builders/judged-statement.ts';
import { money } from '../builders/payouts.ts';

const date = '2026-11-20';
const inPounds = (amount: string, text = 'PF-2AAAAAAA', more: Line = {}): Line => ({
  ...{ date, amount, text, currency: 'GBP', account: '' },
  ...more,
});
/** `GBP lines 79.46 charges 0.00 booked 79.46 difference 0.00 open 0.00`, of each currency. */
const sums = (rows: readonly StatementEntry[], lines: readonly Line[]) =>
  compareByCurrency(judged(rows, lines)).map((each) =>
    (['lines', 'charges', 'booked', 'difference', 'open'] as const).reduce(
      (text, name) => `${text} ${name} ${formatDecimal({ minor: each[name], currency: each.currency })}`,
      String(each.currency),
    ),
  );
const moved = aRow(2, 20, {
  ...{ debit: money('GBP 79.03'), principal: money('GBP 78.01') },
  quoted: { debit: money('GBP 78.44'), principal: money('GBP 77.42') },
});

describe('the debit of a payment', () => {
  it.each<[string, StatementEntry, readonly Line[], string, string]>([
    [
      'as booked',
      aRow(2, 20),
      [inPounds('78.44')],
      'matched 2@2',
      'GBP lines 78.44 charges 0.00 booked 78.44 difference 0.00 open 0.00',
    ],
    [
      'a penny more',
      aRow(2, 20),
      [inPounds('78.45')],
      'differs 2@2',
      'GBP lines 78.45 charges 0.00 booked 78.44 difference 0.01 open 0.01',
    ],
    [
      'one percent less, which was passed over before',
      aRow(2, 20),
      [inPounds('77.66')],
      'differs 2@2',
      'GBP lines 77.66 charges 0.00 booked 78.44 difference -0.78 open -0.78',
    ],
    [
      'between the quote and the rate when it was sent',
      moved,
      [inPounds('78.60')],
      'matched 2@2',
      'GBP lines 78.60 charges 0.00 booked 79.03 difference -0.43 open 0.00',
    ],
    [
      'above both',
      moved,
      [inPounds('79.04')],
      'differs 2@2',
      'GBP lines 79.04 charges 0.00 booked 79.03 difference 0.01 open 0.01',
    ],
    [
      'principal and fee in two lines',
      aRow(2, 20),
      [inPounds('77.42'), inPounds('1.02', 'Fee PF-2AAAAAAA')],
      'matched 2@2,3',
      'GBP lines 77.42 charges 1.02 booked 78.44 difference 0.00 open 0.00',
    ],
    [
      'principal and another fee',
      aRow(2, 20),
      [inPounds('77.42'), inPounds('1.50', 'Fee PF-2AAAAAAA')],
      'matched 2@2,3',
      'GBP lines 77.42 charges 1.50 booked 78.44 difference 0.48 open 0.00',
    ],
    [
      'principal, and no line with the fee',
      aRow(2, 20),
      [inPounds('77.42')],
      'differs 2@2',
      'GBP lines 77.42 charges 0.00 booked 78.44 difference -1.02 open -1.02',
    ],
    [
      'the debit, and a charge of the bank',
      aRow(2, 20),
      [inPounds('78.44'), inPounds('0.25', 'SMS charge PF-2AAAAAAA')],
      'matched 2@2,3',
      'GBP lines 78.44 charges 0.25 booked 78.44 difference 0.25 open 0.00',
    ],
    [
      'paid by half',
      aRow(2, 20),
      [inPounds('39.22')],
      'differs 2@2',
      'GBP lines 39.22 charges 0.00 booked 78.44 difference -39.22 open -39.22',
    ],
    [
      'in a currency of neither side',
      aRow(2, 20),
      [inPounds('101.20', 'PF-2AAAAAAA', { currency: 'USD' })],
      'differs 2@2',
      'USD lines 101.20 charges 0.00 booked 0.00 difference 101.20 open 101.20',
    ],
    [
      'the amount that was asked for',
      aRow(2, 20),
      [inPounds('1200.00', 'PF-2AAAAAAA', { currency: 'GHS' })],
      'matched 2@2',
      'GHS lines 1200.00 charges 0.00 booked 1200.00 difference 0.00 open 0.00',
    ],
    [
      'without a currency',
      aRow(2, 20),
      [inPounds('78.45', 'PF-2AAAAAAA', { currency: '' })],
      'differs 2@2',
      'GBP lines 78.45 charges 0.00 booked 78.44 difference 0.01 open 0.01',
    ],
    [
      'no amount at all',
      aRow(2, 20),
      [inPounds('')],
      'differs 2@2',
      'GHS lines 0.00 charges 0.00 booked 1200.00 difference -1200.00 open -1200.00',
    ],
    [
      'a charge for a payment that was refused',
      refused(2, 20),
      [inPounds('1.02', 'Fee PF-2AAAAAAA')],
      'differs 2@2',
      'GBP lines 0.00 charges 1.02 booked 0.00 difference 1.02 open 1.02',
    ],
  ])('%s', (_, row, lines, finding, sum) => {
    expect(told(judged([row], lines))).toEqual([finding]);
    expect(sums([row], lines)).toEqual([sum]);
  });

  it('is told with the difference', () => {
    expect(judged([aRow(2, 20)], [inPounds('77.42')])).toMatchObject([
      { text: 'line 2 shows 77.42: GBP 1.02 less than booked (GBP 78.44)' },
    ]);
    expect(judged([aRow(2, 20)], [inPounds('')])).toMatchObject([
      { text: 'line 2 shows no amount, which cannot be compared' },
    ]);
  });
});

it('adds up all payments in the currency of the statement, also those without a line', () => {
  // Row 3 is not in it: 78.44 are missing. Row 4 was refused: nothing is booked. Row 5 costs GBP 20.00 and 0.50.
  const fifth = { debit: money('GBP 20.50'), principal: money('GBP 20.00') };
  const rows = [aRow(2, 20), aRow(3, 20), refused(4, 20), aRow(5, 20, fifth)];
  const lines = [inPounds('78.44'), inPounds('20.00', 'PF-5AAAAAAA'), inPounds('0.50', 'Fee PF-5AAAAAAA')];
  // Lines 78.44 + 20.00, charges 0.50, booked 78.44 + 78.44 + 20.50.
  expect(sums(rows, lines)).toEqual([
    'GBP lines 98.44 charges 0.50 booked 177.38 difference -78.44 open -78.44',
  ]);
});

describe('one line for several payments', () => {
  // 1,200.00 each; GBP 78.44 each, 77.42 without the fee.
  const rows = [aRow(2, 20), aRow(3, 20), aRow(4, 21)];
  const line = (amount: string, more: Line = {}): Line => ({
    date,
    amount,
    text: 'BULK',
    account: '',
    ...more,
  });

  it.each<[string, readonly Line[], readonly string[]]>([
    [
      'that names two, and is their sum',
      [line('2400.00', { text: 'PF-2AAAAAAA PF-3AAAAAAA' }), line('1200.00', { text: 'PF-4AAAAAAA' })],
      ['matched 2@2', 'matched 3@2', 'matched 4@3'],
    ],
    [
      'that names two, and is another amount',
      [line('2400.01', { text: 'PF-2AAAAAAA PF-3AAAAAAA' }), line('1200.00', { text: 'PF-4AAAAAAA' })],
      ['differs 2@2', 'differs 3@2', 'matched 4@3'],
    ],
    ['is the total of the batch', [line('3600.00')], ['matched 2@2', 'matched 3@2', 'matched 4@2']],
    [
      'is the total in pounds: 3 × 78.44',
      [line('235.32', { currency: 'GBP' })],
      ['matched 2@2', 'matched 3@2', 'matched 4@2'],
    ],
    ['is a day’s total', [line('2400.00')], ['matched 2@2', 'matched 3@2', 'ours_only 4']],
    [
      'is the total of those without a line of their own',
      [line('1200.00', { text: 'PF-2AAAAAAA' }), line('2400.00')],
      ['matched 2@2', 'matched 3@3', 'matched 4@3'],
    ],
    ['is a penny more', [line('3600.01')], ['ours_only 2', 'ours_only 3', 'ours_only 4']],
    [
      'came in',
      [line('3600.00', { status: 'Reversed' })].map((each) => ({ ...each, amount: '3600.00 CR' })),
      ['ours_only 2', 'ours_only 3', 'ours_only 4'],
    ],
    ['is too late', [line('3600.00', { date: '2026-11-27' })], ['ours_only 2', 'ours_only 3', 'ours_only 4']],
    [
      'and another one like it',
      [line('3600.00'), line('3600.00')],
      ['duplicate 2@2,3', 'duplicate 3@2,3', 'duplicate 4@2,3'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(told(judged(rows, lines))).toEqual(expected);
  });

  it('counts once in the sums, by what it shows of each', () => {
    expect(sums(rows, [line('235.32', { currency: 'GBP' })])).toEqual([
      'GBP lines 235.32 charges 0.00 booked 235.32 difference 0.00 open 0.00',
    ]);
  });

  it('rules on no row in doubt, whether it is the total with it or without it', () => {
    const some = [aRow(2, 20), aRow(3, 20), doubt(4, 20)];
    expect(told(judged(some, [line('3600.00')]))).toEqual([
      'matched 2@2',
      'matched 3@2',
      'still_in_doubt 4@2',
    ]);
    expect(judged(some, [line('2400.00')])).toMatchObject([
      { kind: 'matched' },
      { kind: 'matched' },
      {
        kind: 'propose_not_paid',
        weakness: expect.stringContaining('no other payment of this batch in GHS'),
      },
    ]);
  });
});

describe('a tag', () => {
  const shown = (text: string, more: Line = {}): Line => ({ date, text, account: '', ...more });
  // Row 2 has PF-2AAAAAAA, row 3 PF-3AAAAAAA.
  it.each<[string, string, readonly string[]]>([
    ['without its dash', 'NIP/PF 2AAAAAAA/SALARY', ['matched 2@2', 'ours_only 3']],
    ['without any mark', 'NIP PF2AAAAAAA SALARY', ['matched 2@2', 'ours_only 3']],
    ['cut, and only one begins so', 'SALARY PF-2AAA', ['matched 2@2', 'ours_only 3']],
    ['cut too short to tell', 'SALARY PF-2AA', ['ours_only 2', 'ours_only 3']],
    ['of nobody', 'PF PAYMENTS', ['ours_only 2', 'ours_only 3']],
  ])('%s', (_, text, expected) => {
    expect(told(judged([aRow(2, 20), aRow(3, 20)], [shown(text)]))).toEqual(expected);
  });

  it('that several payments may have names none of them', () => {
    const twin = aRow(3, 20, { tag: 'PF-2AAABBBB' });
    expect(told(judged([aRow(2, 20), twin], [shown('SALARY PF-2AAA')]))).toEqual([
      'unclear 2@2',
      'unclear 3@2',
    ]);
  });

  it('that is cut proposes a row in doubt, and a person rules', () => {
    expect(judged([doubt(2, 20)], [shown('SALARY PF-2AAA', { id: 'tr-9' })])).toMatchObject([
      { kind: 'propose_paid', by: 'tag', weakness: 'the line shows only the beginning of its tag' },
    ]);
    expect(judged([doubt(2, 20)], [shown('PF 2AAAAAAA', { id: 'tr-9' })])).toMatchObject([
      { kind: 'propose_paid', by: 'tag', weakness: undefined },
    ]);
  });
});
