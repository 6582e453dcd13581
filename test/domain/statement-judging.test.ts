/**
 * What the lines of a statement mean for each row: payments booked days later, equal payments on following days,
 * fee lines that repeat a tag, tags that the bank cut off. Tables by hand; the days are those of November 2026.
 */
import { describe, expect, it } from 'vitest';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import type { Finding } from '../../src/domain/statement/findings.ts';
import { SENT_MAX, StatementIndex } from '../../src/domain/statement/match.ts';
import {
  aRow,
  day,
  doubt,
  judged,
  type Line,
  refused,
  ruledUnpaid,
  told,
} from '../builders/judged-statement.ts';
import { money } from '../builders/payouts.ts';

const HOUR = 3_600_000;
const first = (findings: readonly Finding[]) => findings[0];

describe('a payment of Friday noon, the 20th', () => {
  it.each([
    ['2026-11-18', 'ours_only 2'],
    // Noon of the 20th, less 15 hours for the zone.
    ['2026-11-19', 'matched 2@2'],
    ['2026-11-20', 'matched 2@2'],
    ['2026-11-23', 'matched 2@2'],
    ['2026-11-24', 'matched 2@2'],
    // Noon of the 24th and 15 hours for the zone.
    ['2026-11-25', 'matched 2@2'],
    ['2026-11-25 03:03', 'ours_only 2@2'],
    ['2026-11-26', 'ours_only 2@2'],
  ])('may be booked until the fourth day after it, over a weekend and a holiday: %s', (date, expected) => {
    expect(told(judged([aRow(2, 20)], [{ date }]))).toEqual([expected]);
  });

  it.each([
    // A tag of row 3 shows what the statement is able to show.
    ['2026-11-23', 'still_in_doubt 2'],
    ['2026-11-25', 'still_in_doubt 2'],
    ['2026-11-26', 'propose_not_paid 2'],
  ])('is not called unpaid by a statement that ends on %s', (last, expected) => {
    const shown = { date: '2026-11-12', text: 'PF-3AAAAAAA' };
    const found = judged([doubt(2, 20), aRow(3, 12)], [shown], { last });
    expect(told(found)).toEqual([expected, 'matched 3@2']);
    if (expected === 'still_in_doubt 2')
      expect(first(found)).toMatchObject({ text: expect.stringContaining('to 4 days after it') });
    const begun = judged([doubt(2, 20), aRow(3, 12)], [shown], { first: '2026-11-20', last });
    expect(told(begun)[0]).toBe('still_in_doubt 2');
  });
});

describe('two equal payments a day apart, the 23rd and the 24th, without tag or id', () => {
  const lines = (...dates: string[]) => dates.map((date) => ({ date }));

  it.each([
    ['on their days', ['2026-11-23', '2026-11-24'], ['unclear 2@2,3', 'unclear 3@2,3']],
    ['both late', ['2026-11-27', '2026-11-27'], ['unclear 2@2,3', 'unclear 3@2,3']],
    ['only one of them', ['2026-11-25'], ['unclear 2@2', 'unclear 3@2']],
    ['only the first, by its hour', ['2026-11-23 13:00'], ['matched 2@2', 'ours_only 3']],
    ['neither', [], ['ours_only 2', 'ours_only 3']],
  ])('both made by the service, shown %s', (_, dates, expected) => {
    expect(told(judged([aRow(2, 23), aRow(3, 24)], lines(...dates)))).toEqual(expected);
  });

  it('and a third line is said aloud: one may have been paid twice', () => {
    const found = judged([aRow(2, 23), aRow(3, 24)], lines('2026-11-24', '2026-11-25', '2026-11-25'));
    expect(told(found)).toEqual(['unclear 2@2,3,4', 'unclear 3@2,3,4']);
    expect(first(found)).toMatchObject({ isPressing: true, text: expect.stringContaining('paid twice') });
  });

  it.each([
    ['one line that may be either', ['2026-11-25'], ['unclear 2@2', 'still_in_doubt 3@2']],
    [
      'the first on its day, one later',
      ['2026-11-23 13:00', '2026-11-27'],
      ['unclear 2@3,2', 'still_in_doubt 3@3'],
    ],
    ['a line for each', ['2026-11-24', '2026-11-25'], ['unclear 2@2,3', 'still_in_doubt 3@2,3']],
  ])('the second in doubt is not proposed as paid by %s', (_, dates, expected) => {
    const found = judged([aRow(2, 23), doubt(3, 24)], lines(...dates));
    expect(told(found)).toEqual(expected);
    expect(found[1]).toMatchObject({ text: expect.stringContaining('or another payment like it') });
  });

  it('the second in doubt is proposed where the first is known by its tag', () => {
    const found = judged([aRow(2, 23), doubt(3, 24)], [{ text: 'PF-2AAAAAAA' }, { date: '2026-11-26' }]);
    expect(found).toMatchObject([
      { kind: 'matched', lines: [{ rowNumber: 2 }] },
      {
        kind: 'propose_paid',
        lines: [{ rowNumber: 3 }],
        weakness: expect.stringContaining('only a tag or a transfer id'),
      },
    ]);
  });

  it('and while they cannot be told apart, no third row is called unpaid for certain', () => {
    const tagged = { date: '2026-11-12', text: 'PF-5AAAAAAA', account: '9' };
    const other = { amount: money('GHS 70.00'), account: '0201112223' };
    const rows = [aRow(2, 23), aRow(3, 24), doubt(4, 20, other), aRow(5, 12)];
    const found = judged(rows, [{ date: '2026-11-25' }, tagged]);
    expect(found[2]).toMatchObject({
      kind: 'propose_not_paid',
      weakness: expect.stringContaining('told apart'),
    });
  });

  it.each([
    ['refused, then paid: one line', refused(2, 23), 1, ['unclear 2@2', 'unclear 3@2']],
    ['refused, then paid: two lines', refused(2, 23), 2, ['unclear 2@2,3', 'unclear 3@2,3']],
    ['ruled not paid, then paid again: one line', ruledUnpaid(2, 23), 1, ['unclear 2@2', 'unclear 3@2']],
    ['ruled not paid, then paid again: two lines', ruledUnpaid(2, 23), 2, ['unclear 2@2,3', 'unclear 3@2,3']],
  ])('the first was %s', (_, row, count, expected) => {
    const found = judged([row, aRow(3, 24)], Array<Line>(count).fill({ date: '2026-11-25' }));
    expect(told(found)).toEqual(expected);
    for (const finding of found)
      if (finding.kind === 'unclear' && finding.entry?.status === 'failed')
        expect(finding.isPressing).toBe(true);
  });
});

describe('a line of a row that was called unpaid', () => {
  it.each([
    ['by its tag', { text: 'PF-2AAAAAAA' }, { kind: 'incident' }],
    ['by account, amount and date', {}, { kind: 'unclear', isPressing: true }],
    ['by the end of its account', { account: '****3456' }, { kind: 'unclear', isPressing: true }],
  ])('%s', (_, changes, expected) => {
    for (const row of [refused(2, 20), ruledUnpaid(2, 20)])
      expect(judged([row], [{ date: '2026-11-20', ...changes }])).toMatchObject([
        { ...expected, lines: [{ rowNumber: 2 }] },
      ]);
  });

  it('by its account alone is not called its payment: the row is looked at before it is paid again', () => {
    expect(judged([refused(2, 20)], [{ date: '2026-11-20' }])).toMatchObject([
      {
        text: 'refused, and line 2 may be its payment, found by account, amount and date: look before it is paid again',
      },
    ]);
  });
});

describe('[F18] a line whose amount has three digits after its mark', () => {
  const tagged = { date: '2026-11-20', id: 'tr-9', text: 'PF-2AAAAAAA salary', amount: '27,500' };
  const small = { amount: money('GHS 27.50'), debit: money('GBP 1.80') };

  it('is no line of 27.50: it is shown as a difference, and paid is not ruled by it', () => {
    expect(told(judged([aRow(2, 20, small)], [tagged]))).toEqual(['differs 2@2']);
    expect(first(judged([doubt(2, 20, small)], [tagged]))).toMatchObject({
      kind: 'propose_paid',
      weakness: 'the line shows 27,500',
    });
  });

  it('is a line of 27,500', () => {
    const large = { amount: money('GHS 27500.00'), debit: money('GBP 1800.00') };
    expect(told(judged([aRow(2, 20, large)], [tagged]))).toEqual(['matched 2@2']);
    expect(first(judged([doubt(2, 20, large)], [tagged]))).toMatchObject({
      kind: 'propose_paid',
      weakness: undefined,
    });
  });

  it('may be 27.50 all the same, so nobody rules that one not paid', () => {
    const shown = { date: '2026-11-12', text: 'PF-5AAAAAAA', account: '9' };
    const untold = { date: '2026-11-20', amount: '27,500', account: '' };
    const found = (lines: readonly Line[]) => first(judged([doubt(2, 20, small), aRow(5, 12)], lines));
    expect(found([shown])).toMatchObject({ kind: 'propose_not_paid', weakness: undefined });
    expect(found([shown, untold])).toMatchObject({
      kind: 'still_in_doubt',
      text: expect.stringContaining('the same amount'),
    });
  });

  it('is a line of either in a currency of three decimals', () => {
    const dinars = { amount: money('TND 27.500'), debit: money('GBP 6.80') };
    expect(told(judged([aRow(2, 20, dinars)], [{ ...tagged, currency: 'TND' }]))).toEqual(['matched 2@2']);
  });
});

describe('a second line with the tag of a payment', () => {
  const text = 'Fee PF-2AAAAAAA';
  const payment = { date: '2026-11-20', text: 'PF-2AAAAAAA salary' };
  const inPounds = { ...payment, amount: '78.44', currency: 'GBP' };

  it.each<[string, readonly Line[], readonly string[]]>([
    ['a small one: a fee', [payment, { text, amount: '12.00' }], ['matched 2@2,3']],
    ['a small one, before it', [{ text, amount: '12.00' }, payment], ['matched 2@3,2']],
    ['in pounds, beside cedis', [payment, { text, amount: '1.02', currency: 'GBP' }], ['matched 2@2,3']],
    [
      'a fee and its tax',
      [payment, { text, amount: '12.00' }, { text, amount: '1.80' }],
      ['matched 2@2,3,4'],
    ],
    [
      'without currencies',
      [
        { ...payment, currency: '' },
        { text, amount: '2.50', currency: '' },
      ],
      ['matched 2@2,3'],
    ],
    ['the same amount, which came back', [payment, { ...payment, status: 'Reversed' }], ['differs 2@2,3']],
    ['[N21] the same amount: twice', [payment, payment], ['duplicate 2@2,3']],
    ['the same amount, and a fee', [payment, { text, amount: '12.00' }, payment], ['duplicate 2@2,4,3']],
    ['the debit beside the amount: twice', [payment, inPounds], ['duplicate 2@2,3']],
    ['a debit at a lower rate: twice', [inPounds, { ...inPounds, amount: '75.10' }], ['duplicate 2@2,3']],
    [
      'such a debit without currencies',
      [
        { ...payment, currency: '' },
        { ...payment, amount: '75.10', currency: '' },
      ],
      ['duplicate 2@2,3'],
    ],
    ['more than half of it', [payment, { text, amount: '600.01' }], ['duplicate 2@2,3']],
    ['a larger one', [payment, { text, amount: '1250.00' }], ['duplicate 2@2,3']],
    [
      'in a currency that says nothing',
      [payment, { text, amount: '2.00', currency: 'USD' }],
      ['duplicate 2@2,3'],
    ],
    ['no amount that can be read', [payment, { text, amount: 'free' }], ['duplicate 2@2,3']],
    [
      'two others, neither of them exact',
      [
        { ...payment, amount: '700' },
        { ...payment, amount: '500' },
      ],
      ['duplicate 2@2,3'],
    ],
    ['alone, with a single minor unit more', [{ text, amount: '1200.01' }], ['differs 2@2']],
    ['alone, with another amount', [{ ...payment, amount: '240.01' }], ['differs 2@2']],
    ['alone, a fifth of it: a charge and no payment', [{ ...payment, amount: '240.00' }], ['ours_only 2@2']],
    ['alone, half of it, which the bank calls a fee', [{ text, amount: '600.00' }], ['ours_only 2@2']],
    [
      'half of it, whose note speaks of fees',
      [payment, { ...payment, text: 'PF-2AAAAAAA school fees', amount: '600.00' }],
      ['duplicate 2@2,3'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(told(judged([aRow(2, 20)], lines))).toEqual(expected);
  });

  it('is no fee where there are so many lines that a payment among them may not have been kept', () => {
    const fees = Array<Line>(10).fill({ text, amount: '1.00' });
    expect(told(judged([aRow(2, 20)], [payment, ...fees, payment]))[0]).toMatch(/^duplicate/);
  });

  it('does not stand in the way of a row in doubt, whose payment is proposed by its own line', () => {
    const found = judged(
      [doubt(2, 20)],
      [
        { text, amount: '12.00', id: 'F-1' },
        { ...payment, id: 'tr-9' },
      ],
    );
    expect(found).toMatchObject([
      {
        kind: 'propose_paid',
        lines: [{ rowNumber: 3 }, { rowNumber: 2 }],
        text: expect.stringContaining('line 2 is a charge'),
        transferId: 'tr-9',
        weakness: undefined,
      },
    ]);
  });

  it.each(['RETURN PF-2AAAAAAA', 'Fee for return PF-2AAAAAAA', 'PF-2AAAAAAA refund fee'])(
    'lets a person rule where it speaks of a return: %s',
    (words) => {
      const fee = { date: '2026-11-22', text: words };
      const plain = [{ ...payment, id: 'tr-9' }];
      const minus = [{ ...payment, amount: '-1200.00', id: 'tr-9' }, { amount: '7.00' }];
      for (const [lines, amount, row, reading] of [
        [plain, '5.00', 3, {}],
        [minus, '-5.00', 4, { payments: 'minus' }],
      ] as const)
        expect(judged([doubt(2, 20)], [...lines, { ...fee, amount }], reading)).toMatchObject([
          {
            kind: 'propose_paid',
            weakness: expect.stringMatching(`line ${row} is a fee that speaks of a return`),
          },
        ]);
    },
  );

  it('alone proves no payment of a row in doubt', () => {
    const found = judged([doubt(2, 20)], [{ text, amount: '12.00', id: 'F-1' }]);
    expect(found).toMatchObject([
      {
        kind: 'still_in_doubt',
        text: 'its payment is not there, and a charge for it is; line 2 is a charge',
      },
    ]);
  });
});

describe('a tag that the bank cut off', () => {
  const date = '2026-11-23';
  /** Another row, whose line shows that the statement has tags. */
  const shown = { date: '2026-11-12', text: 'PF-5AAAAAAA', account: '' };
  const line = (changes: Line) => ({ date, account: '0001112223', ...changes });
  const found = (changes: Line) => first(judged([doubt(2, 20), aRow(5, 12)], [line(changes), shown]));

  it.each<[string, Line, RegExp]>([
    [
      'in dollars',
      { text: 'VIR 77 PF-2AAA', currency: 'USD', amount: '101.20' },
      /beginning of its tag \(PF-2AAA\)/,
    ],
    ['in pounds, far from the quote', { text: 'VIR 77 PF-2', currency: 'GBP', amount: '99.00' }, /\(PF-2\)/],
    [
      'with nothing left of it but its head',
      { text: 'VIR PF-', currency: 'GBP', amount: '99.00' },
      /\(PF-\)/,
    ],
    ['coming back', { text: 'PF-2AAA', currency: 'GBP', amount: '99.00', status: 'Reversed' }, /\(PF-2AAA\)/],
    [
      'long after, when it is long enough to tell',
      { text: 'PF-2AAA', currency: 'USD', date: '2026-11-28' },
      /PF-2AAA/,
    ],
    [
      'with all of it gone, in dollars',
      { currency: 'USD', amount: '101.20' },
      /is in USD, which cannot be compared/,
    ],
    ['with all of it gone, near the debit', { currency: 'GBP', amount: '84.10' }, /an amount near its debit/],
    [
      'with all of it gone, the debit without a currency',
      { currency: '', amount: '72.00' },
      /near its debit/,
    ],
    ['with all of it gone, and no amount', { amount: '' }, /no amount that can be read/],
    ['with all of it gone, the same amount', {}, /shows the same amount/],
  ])('keeps the row in doubt: %s', (_, changes, why) => {
    expect(found(changes)).toMatchObject({ kind: 'still_in_doubt', text: expect.stringMatching(why) });
  });

  it.each<[string, Line]>([
    ['is too old', { text: 'PF-2', currency: 'USD', date: '2026-11-10' }],
    ['is of another currency and too old', { currency: 'USD', date: '2026-11-10' }],
    ['is far from its debit', { currency: 'GBP', amount: '99.00' }],
    ['is far from its amount', { currency: 'GHS', amount: '1199.00' }],
  ])('leaves the row proposed as unpaid where the only other line %s', (_, changes) => {
    expect(found(changes)).toMatchObject({ kind: 'propose_not_paid', weakness: undefined });
  });

  it('is no hint for a row whose debit is not known: then no foreign amount can be compared', () => {
    const rows = [doubt(2, 20, { debit: undefined }), aRow(5, 12)];
    const text = expect.stringContaining('is in GBP');
    expect(first(judged(rows, [line({ currency: 'GBP', amount: '9.00' }), shown]))).toMatchObject({ text });
  });

  it.each<[string, StatementEntry, boolean]>([
    ['settled', aRow(2, 20), false],
    ['refused', refused(2, 20), true],
    ['ruled not paid', ruledUnpaid(2, 20), true],
    [
      'approved and unsent',
      aRow(2, 20, { status: 'approved', transferId: undefined, window: undefined }),
      true,
    ],
  ])('is told of a row that is %s, and does not count as its payment', (_, row, isPressing) => {
    const cut = line({ text: 'VIR 77 PF-2AAAA', currency: 'USD', amount: '101.20' });
    expect(judged([row], [cut])).toMatchObject([
      { kind: 'unclear', lines: [{ rowNumber: 2 }], text: expect.stringContaining('PF-2AAAA'), isPressing },
    ]);
  });

  it('of another row weakens what account and amount seem to say', () => {
    const cut = { date, id: 'B-1', text: 'VIR 77 PF-9Z' };
    expect(judged([doubt(2, 20)], [cut])).toMatchObject([
      { kind: 'propose_paid', by: 'account', weakness: expect.stringContaining('another tag (PF-9Z)') },
    ]);
    const own = { date, id: 'B-1', text: 'VIR 77 PF-2A' };
    expect(judged([doubt(2, 20)], [own])).toMatchObject([
      { kind: 'propose_paid', weakness: expect.stringContaining('only a tag or a transfer id') },
    ]);
  });
});

it('keeps a row in doubt for a line of four days and a zone later, and not for one after that', () => {
  const rows = [doubt(2, 20), aRow(5, 12)];
  const shown = { date: '2026-11-12', text: 'PF-5AAAAAAA', account: '' };
  const at = (hours: number) => new Date(day(20) + 120_000 + hours * HOUR).toISOString().slice(0, 19);
  const found = (hours: number) => first(judged(rows, [{ date: at(hours), account: '7' }, shown]))?.kind;
  expect(found(4 * 24 + 15)).toBe('still_in_doubt');
  expect(found(4 * 24 + 16)).toBe('propose_not_paid');
});

it('limits the number of sent payments, and counts unsent rows apart', () => {
  const index = new StatementIndex();
  for (let rows = 0; rows < SENT_MAX; rows += 1) index.add(aRow(2, 20));
  index.add(aRow(2, 20, { status: 'planned', window: undefined }));
  expect(index.isOverfull).toBe(false);
  index.add(aRow(2, 20));
  expect(index.isOverfull).toBe(true);
});
