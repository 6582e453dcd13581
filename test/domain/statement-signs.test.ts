/**
 * One column of amounts: what is a payment and what came back, as the person says. No line that came back, or that may
 * have, ever says of a row that it was paid. Tables by hand; the days are those of November 2026.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { aRow, doubt, judged, type Line, refused, told } from '../builders/judged-statement.ts';

const out = (row: number, changes: Line = {}): Line => ({
  ...{ date: '2026-11-20', amount: '-1.200,00', text: `PF-${row}AAAAAAA salary` },
  ...changes,
});
const back = (row: number, changes: Line = {}): Line => ({
  ...{ date: '2026-11-25', amount: '+1.200,00', text: `RETURN PF-${row}AAAAAAA` },
  ...changes,
});
/** Lines 2 and 3: other rows of the batch, paid. */
const paid = [out(7), out(8)];
const others = [aRow(7, 20), aRow(8, 20)];
const returned = aRow(2, 20, { status: 'returned' });
const unsent = aRow(2, 20, { status: 'approved', transferId: undefined, window: undefined });
const of2 = (row: StatementEntry, lines: readonly Line[]) =>
  told(judged([row, ...others], [...paid, ...lines], { payments: 'minus' })).filter(
    (text) => !/ [78]@/.test(text),
  );

const failed = aRow(2, 20, { status: 'failed', basis: 'service_status' });

describe('where payments have a minus, a line with a plus came back', () => {
  it.each<[string, StatementEntry, readonly Line[], string]>([
    ['returned, both lines', returned, [out(2), back(2)], 'matched 2@4,5'],
    ['returned, newest first', returned, [back(2), out(2)], 'matched 2@5,4'],
    ['returned, only what came back', returned, [back(2)], 'matched 2@4'],
    ['settled, both lines', aRow(2, 20), [out(2), back(2)], 'differs 2@4,5'],
    ['settled, only what came back', aRow(2, 20), [back(2)], 'differs 2@4'],
    ['settled, without the word', aRow(2, 20), [back(2, { text: 'PF-2AAAAAAA' })], 'differs 2@4'],
    [
      'settled, without tags',
      aRow(2, 20),
      [out(2, { text: '' }), back(2, { text: '', date: '2026-11-23' })],
      'unclear 2@4,5',
    ],
    ['settled, paid twice', aRow(2, 20), [out(2), out(2)], 'duplicate 2@4,5'],
    ['in doubt, both lines', doubt(2, 20), [out(2, { id: 'tr-9' }), back(2)], 'still_in_doubt 2@4,5'],
    ['in doubt, only what came back', doubt(2, 20), [back(2, { id: 'tr-9' })], 'still_in_doubt 2@4'],
    [
      'in doubt, by its account',
      doubt(2, 20),
      [back(2, { id: 'tr-9', text: '', date: '2026-11-23' })],
      'still_in_doubt 2@4',
    ],
    ['in doubt, the payment alone', doubt(2, 20), [out(2, { id: 'tr-9' })], 'propose_paid 2@4'],
    ['refused, both lines', refused(2, 20), [out(2), back(2)], 'differs 2@4,5'],
    ['failed, taken and given back', failed, [out(2), back(2)], 'matched 2@4,5'],
    ['failed, a part given back', failed, [out(2), back(2, { amount: '+1.199,99' })], 'differs 2@4,5'],
    ['refused, the payment alone', refused(2, 20), [out(2)], 'incident 2@4'],
    ['never sent, what came back', unsent, [back(2)], 'theirs_only 2@4'],
  ])('%s', (_, row, lines, expected) => {
    expect(of2(row, lines)).toEqual([expected]);
  });

  it('and what is paid and came back is left to a person', () => {
    const lines = [...paid, out(2, { id: 'tr-9' }), back(2)];
    const [found] = judged([doubt(2, 20), ...others], lines, { payments: 'minus' });
    expect(found).toMatchObject({
      text: 'line 4 shows it as paid and line 5 shows +1.200,00 coming back: it seems paid and not kept; a person decides',
    });
  });

  it('keeps a row in doubt for a line with its amount, whatever its sign says', () => {
    const alike = { date: '2026-11-20', amount: '+1200.00', account: '0001112223' };
    expect(of2(doubt(2, 20), [alike])).toEqual(['still_in_doubt 2@4']);
    expect(of2(doubt(2, 20), [])).toEqual(['propose_not_paid 2']);
  });
});

describe('where payments have no sign, a line with a minus came back', () => {
  const list = [out(7, { amount: '1200.00' }), out(8, { amount: '1200.00' })];
  const minus = back(2, { amount: '-1200.00', id: 'tr-9' });

  it.each<[string, StatementEntry, readonly Line[], string]>([
    ['settled', aRow(2, 20), [out(2, { amount: '1200.00' }), minus], 'differs 2@4,5'],
    ['in doubt', doubt(2, 20), [minus], 'still_in_doubt 2@4'],
    [
      'in doubt and paid',
      doubt(2, 20),
      [out(2, { amount: '1200.00', id: 'tr-9' }), { amount: '-5.00' }],
      'propose_paid 2@4',
    ],
  ])('%s', (_, row, lines, expected) => {
    const found = told(judged([row, ...others], [...list, ...lines], { payments: 'plus' }));
    expect(found.filter((text) => !/ [78]@/.test(text))).toEqual([expected]);
  });
});

it('shows what came back of a batch that was booked as one sum', () => {
  const sum = { date: '2026-11-20', amount: '-36000.00', account: '' };
  const lines = [7, 8].map((row) => back(row, { amount: '1200.00' }));
  const rows = [...others, aRow(3, 20), doubt(2, 20)];
  const written = [sum, ...lines, back(2, { amount: '1200.00', id: 'tr-9' })];
  const found = told(judged(rows, written, { payments: 'minus' }));
  expect(found).toEqual(['differs 7@3', 'differs 8@4', 'ours_only 3', 'still_in_doubt 2@5']);
});

it('rules nothing by the wrong sign: no payment is shown then', () => {
  const rows = [...others, doubt(2, 20)];
  const found = judged(rows, [...paid, out(2, { id: 'tr-9' })], { payments: 'plus' });
  expect(told(found)).toEqual(['differs 7@2', 'differs 8@3', 'still_in_doubt 2@4']);
  expect(judged(rows, paid, { payments: 'plus' })[2]).toMatchObject({
    kind: 'propose_not_paid',
    weakness: expect.stringContaining('no other payment of this batch'),
  });
});

describe('a list of payments without signs', () => {
  const plain = (text: string, id = ''): Line => ({ date: '2026-11-20', text, id });

  it.each<[string, StatementEntry, readonly Line[], string]>([
    ['shows payments', aRow(2, 20), [plain('PF-2AAAAAAA')], 'matched 2@2'],
    ['whose lines the bank numbers itself', aRow(2, 20), [plain('PF-2AAAAAAA', 'BNK-0001')], 'matched 2@2'],
    ['with minus throughout as well', aRow(2, 20), [out(2)], 'matched 2@2'],
    ['shows no payment by a line of a return', aRow(2, 20), [plain('RETURN PF-2AAAAAAA')], 'unclear 2@2'],
    ['in other languages', aRow(2, 20), [plain('Rückgabe PF-2AAAAAAA')], 'unclear 2@2'],
    ['', aRow(2, 20), [plain('REJET VIR PF-2AAAAAAA')], 'unclear 2@2'],
    ['', aRow(2, 20), [plain('Devolução PF-2AAAAAAA')], 'unclear 2@2'],
    ['rules nothing by it', doubt(2, 20), [plain('RETURN PF-2AAAAAAA', 'tr-9')], 'still_in_doubt 2@2'],
    [
      'nor beside a payment',
      doubt(2, 20),
      [plain('PF-2AAAAAAA', 'tr-9'), plain('RETURN PF-2AAAAAAA')],
      'still_in_doubt 2@3,2',
    ],
    [
      'nor says whether it is the second payment',
      aRow(2, 20),
      [plain('PF-2AAAAAAA'), plain('RETURN PF-2AAAAAAA')],
      'unclear 2@2,3',
    ],
    [
      'reads the note of a payment as its note',
      aRow(2, 20),
      [plain('PF-2AAAAAAA refund of May')],
      'matched 2@2',
    ],
  ])('%s', (_, row, lines, expected) => {
    expect(told(judged([row], lines))).toEqual([expected]);
  });

  it('lets a person rule where the text speaks of a return in any place', () => {
    expect(judged([doubt(2, 20)], [plain('PF-2AAAAAAA refund of May', 'tr-9')])).toMatchObject([
      { kind: 'propose_paid', weakness: 'its text speaks of a return (“refund”)' },
    ]);
  });

  it.each(['failed', 'reversed', 'returned'])('rules nothing by a line whose status is “%s”', (status) => {
    const [found] = judged([doubt(2, 20)], [{ ...plain('PF-2AAAAAAA', 'tr-9'), status }]);
    expect(found).toMatchObject({ kind: 'still_in_doubt', text: expect.stringContaining(status) });
  });
});

it('never rules “paid” by a line that is not money going out, and loses no line of a row', () => {
  const amount = fc.constantFrom('1200.00', '-1200.00', '+1200.00', '-5.00', '7.00', 'x');
  const text = fc.constantFrom('PF-2AAAAAAA', 'RETURN PF-2AAAAAAA', 'PF-3AAAAAAA', '', 'PF-2AAA', 'tr-3000');
  const date = fc.constantFrom('2026-11-20', '2026-11-22', '2026-11-27', '');
  const line = fc.record({ amount, text, date, id: fc.constantFrom('', 'tr-9') });
  const payments = fc.constantFrom(undefined, 'minus' as const, 'plus' as const);
  const status = fc.constantFrom('settled', 'in_doubt', 'returned', 'failed', 'accepted');
  const row = (rowNumber: number) =>
    status.map((word) =>
      word === 'in_doubt' ? doubt(rowNumber, 20) : aRow(rowNumber, 20, { status: word }),
    );
  // A fee names the payment and is far below it; with a word of a return it is another matter.
  const isFee = (each: Line) => ['-5.00', '7.00'].includes(each.amount ?? '') && each.text === 'PF-2AAAAAAA';
  fc.assert(
    fc.property(fc.tuple(row(2), row(3)), fc.array(line, { maxLength: 9 }), payments, (rows, lines, pays) => {
      const found = judged(rows, lines, { payments: pays });
      for (const finding of found)
        if (finding.kind === 'propose_paid' && finding.weakness === undefined) {
          const [shown] = finding.lines;
          expect(shown?.direction).toBe('out');
          const isOther = (each: Line, at: number) =>
            at + 2 !== shown?.rowNumber && each.text?.includes('PF-2AAAAAAA') && !isFee(each);
          if (finding.entry?.rowNumber === 2) expect(lines.some(isOther)).toBe(false);
        }
      const named = new Set(told(found).flatMap((each) => each.split('@')[1]?.split(',') ?? []));
      for (const [at, { text: words }] of lines.entries())
        if (words.includes('PF-2AAAAAAA') || words.includes('PF-3AAAAAAA'))
          expect(named).toContain(String(at + 2));
    }),
    {
      numRuns: 400,
      examples: [
        [
          [doubt(2, 20), aRow(3, 20)],
          [
            { amount: '-5.00', text: 'PF-2AAAAAAA', date: '2026-11-20', id: '' },
            { amount: '-1200.00', text: 'PF-2AAAAAAA', date: '2026-11-20', id: 'tr-9' },
          ],
          'minus',
        ],
      ],
    },
  );
});
