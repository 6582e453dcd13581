/** Entries that a statement shows again, and whether its balances prove it complete. Sums are calculated by hand. */
import { describe, expect, it } from 'vitest';
import { BalanceCheck, type StatementPart } from '../../src/domain/statement/balances.ts';
import { readStatementLine, type StatementLine } from '../../src/domain/statement/line.ts';
import { RepeatFinder } from '../../src/domain/statement/repeats.ts';
import { bindStatement } from '../../src/domain/statement/statement-columns.ts';

const HEADERS = [
  ...['Date', 'Id', 'Debit', 'Credit', 'Narration', 'Balance', 'Bank reference', 'Status'],
  ...['Account', 'Beneficiary', 'Currency'],
];
type Cells = readonly string[];

/** The first line stands on row 2. */
function linesOf(rows: readonly Cells[], headers = HEADERS): readonly StatementLine[] {
  const bound = bindStatement(headers, new Map());
  if (bound.kind === 'unusable') throw new TypeError('the columns are known');
  return rows.map((cells, at) => readStatementLine({ rowNumber: at + 2, cells }, bound.columns));
}

describe('lines that repeat others', () => {
  const entry = (id: string, day: number, more: Cells = []): Cells => [
    ...[`2026-11-0${day}`, id, '70.00', '', 'salary', ...more],
  ];
  /** Two lines with one reference of the bank that differ in one column. */
  const ofBatch = (one: string, other: string, at: number): readonly Cells[] =>
    [one, other].map((text) => [...entry('', 1, ['', 'B-1', '', '', '', ''])].with(at, text));
  const found = (rows: readonly Cells[]) => {
    const finder = new RepeatFinder();
    const repeats = linesOf(rows).filter((line) => finder.add(line));
    return { repeats: repeats.map(({ rowNumber }) => rowNumber), said: finder.sentences() };
  };
  const five = [1, 2, 3, 4, 5].map((day) => entry(`tr-${day}`, day));

  it('are the same entries where an export overlaps', () => {
    expect(found([entry('tr-0', 1), ...five, ...five])).toEqual({
      repeats: [8, 9, 10, 11, 12],
      said: ['Lines 8 to 12 repeat lines 3 to 7: the export overlaps.'],
    });
    expect(found([five[0] ?? [], five[0] ?? []]).said).toEqual(['Line 3 repeats line 2: it is one entry.']);
  });

  it.each<[string, readonly Cells[], readonly number[]]>([
    ['two ids are two payments', [entry('tr-1', 1), entry('tr-2', 1)], []],
    ['two lines without an id are two payments', [entry('', 1), entry('', 1)], []],
    ['the day tells them apart', [entry('tr-1', 1), entry('tr-1', 2)], []],
    ['the narration tells them apart', [entry('tr-1', 1), entry('tr-1', 1).with(4, 'RETURN salary')], []],
    ['the amount tells them apart', [entry('tr-1', 1), entry('tr-1', 1).with(2, '').with(3, '70.00')], []],
    [
      'without an id the balance after the line decides',
      [entry('', 1, ['930.00']), entry('', 1, ['930.00'])],
      [3],
    ],
    ['another balance makes another entry', [entry('', 1, ['930.00']), entry('', 1, ['860.00'])], []],
    [
      'one id with another balance is booked twice',
      [entry('tr-1', 1, ['930.00']), entry('tr-1', 1, ['860.00'])],
      [],
    ],
    ['a bank’s reference is an id', [entry('', 1, ['', 'B-1']), entry('', 1, ['', 'B-1'])], [3]],
    ['the account tells payments of one batch apart', ofBatch('0241000001', '0241000002', 8), []],
    ['so does the beneficiary', ofBatch('Ama Owusu', 'Kofi Mensah', 9), []],
    ['so does the currency', ofBatch('GHS', 'NGN', 10), []],
    ['one batch to one account twice is one entry', ofBatch('0241000001', '0241000001', 8), [3]],
    ['a payment that failed later is shown twice', ofBatch('Successful', 'Reversed', 7), []],
    ['other bank’s references are two entries', [entry('', 1, ['', 'B-1']), entry('', 1, ['', 'B-2'])], []],
  ])('%s', (_, rows, expected) => {
    expect(found(rows).repeats).toEqual(expected);
  });
});

describe('the balance after each line of a table', () => {
  /** 1,000.00 − 70.00 − 30.00 + 45.50 − 0.50 = 945.00. */
  const oldest: readonly Cells[] = [
    ['2026-11-01', '', '70.00', '', 'a', '930.00'],
    ['2026-11-02', '', '30.00', '', 'b', '900.00'],
    ['2026-11-03', '', '', '45.50', 'c', '945.50'],
    ['2026-11-04', '', '0.50', '', 'd', '945.00 CR'],
  ];
  const check = (rows: readonly Cells[], headers = HEADERS) => {
    const balances = new BalanceCheck();
    for (const line of linesOf(rows, headers)) balances.add(line, false);
    return balances.result();
  };
  const proven = {
    kind: 'proven',
    balances: [{ account: '', currency: '', opening: '1000.00', closing: '945.00' }],
  };

  it('proves it complete, whether the oldest line comes first, the newest, or neither', () => {
    expect(check(oldest)).toEqual(proven);
    expect(check(oldest.toReversed())).toEqual(proven);
    expect(check([oldest[2], oldest[0], oldest[3], oldest[1]].map((line) => line ?? []))).toEqual(proven);
  });

  it('refuses it where a line is missing, and names the difference', () => {
    expect(check(oldest.toSpliced(1, 1))).toEqual({
      kind: 'broken',
      why: 'between lines 2 and 3 the balance moves by -30.00 without an entry',
    });
    expect(check(oldest.toReversed().toSpliced(1, 1))).toMatchObject({
      why: 'between lines 2 and 3 the balance moves by 45.50 without an entry',
    });
    expect(check(oldest.with(1, ['2026-11-02', '', '31.00', '', 'b', '900.00']))).toMatchObject({
      why: 'between lines 2 and 3 the balance moves by 1.00 without an entry',
    });
  });

  it('refuses entries that no balance leads to, though they come back to where they began', () => {
    const apart: readonly Cells[] = [
      ['2026-11-05', '', '70.00', '', 'paid', '430.00'],
      ['2026-11-05', '', '', '70.00', 'returned', '500.00'],
    ];
    expect(check([...oldest, ...apart])).toEqual({
      kind: 'broken',
      why: 'between lines 5 and 6 the balance moves by -445.00 without an entry',
    });
  });

  it.each<[string, readonly Cells[], object]>([
    [
      'a line without one',
      oldest.with(1, ['2026-11-02', '', '30.00', '', 'b', '']),
      { kind: 'unproven', why: 'line 3 shows no balance' },
    ],
    [
      'one that cannot be read',
      oldest.with(1, ['2026-11-02', '', '30.00', '', 'b', '9E2']),
      { kind: 'unproven', why: 'the balance of line 3 cannot be read' },
    ],
    [
      'an amount that cannot be read',
      oldest.with(1, ['2026-11-02', '', '3E1', '', 'b', '900.00']),
      { kind: 'unproven', why: 'line 3 shows “3E1”, which adds to no balance' },
    ],
    ['one line', oldest.slice(0, 1), { kind: 'unproven', why: 'one line with a balance proves nothing' }],
    [
      'overdrawn accounts',
      [
        ['2026-11-01', '', '70.00', '', 'a', '-20.00'],
        ['2026-11-02', '', '30.00', '', 'b', '50.00 DR'],
      ],
      { kind: 'proven', balances: [{ account: '', currency: '', opening: '50.00', closing: '-50.00' }] },
    ],
  ])('%s', (_, rows, expected) => {
    expect(check(rows)).toEqual(expected);
  });

  it('shows that unsigned amounts are not all payments', () => {
    const unsigned = oldest.map(([date = '', , debit = '', credit = '', text = '', balance = '']) => [
      ...[date, debit || credit, text, balance],
    ]);
    expect(check(unsigned, ['Date', 'Amount', 'Narration', 'Balance'])).toMatchObject({
      kind: 'broken',
      why: expect.stringContaining('its amounts do not say which came in'),
    });
  });
});

describe('the balances of statements in a bank’s file', () => {
  const part = (firstRow: number, opening: string, closing: string): StatementPart => ({
    ...{ name: `statement ${firstRow}`, account: 'GB1', currency: 'GBP' },
    ...{ firstRow, opening, closing, dates: [] },
  });
  const debit = (amount: string, id = '', status = ''): Cells => [
    ...['2026-11-01', id, amount, '', 'x', '', '', status],
  ];
  /** Every statement has two lines. */
  const check = (rows: readonly Cells[], ...parts: readonly StatementPart[]) => {
    const finder = new RepeatFinder();
    const balances = new BalanceCheck((row) => Math.floor((row - 2) / 2));
    for (const line of linesOf(rows)) balances.add(line, finder.add(line));
    return balances.result(parts);
  };

  it('prove it complete by opening, entries and closing, one statement after the other', () => {
    const rows = [debit('70.00'), debit('30.00'), debit('5.25'), debit('0.75')];
    expect(check(rows, part(2, '1000.00', '900.00'), part(4, '900.00', '894.00'))).toEqual({
      kind: 'proven',
      balances: [{ account: 'GB1', currency: 'GBP', opening: '1000.00', closing: '894.00' }],
    });
    expect(check(rows, part(2, '1000.00', '850.00'), part(4, '850.00', '844.00'))).toEqual({
      kind: 'broken',
      why: 'statement 2 opens with 1000.00, its entries add up to -100.00, and it closes with 850.00: entries of -50.00 are missing',
    });
    expect(check(rows, part(2, '1000.00', '900.00'), part(4, '880.00', '874.00'))).toEqual({
      kind: 'broken',
      why: 'statement 4 opens with 880.00, and the statement before it closes with 900.00: entries of -20.00 are missing',
    });
  });

  it('count no entry that is pending', () => {
    const rows = [debit('70.00'), debit('30.00', '', 'PDNG')];
    expect(check(rows, part(2, '1000.00', '930.00'))).toMatchObject({ kind: 'proven' });
  });

  it('count a statement once that was loaded twice, or overlaps', () => {
    const rows = [debit('70.00', 'a'), debit('30.00', 'b'), debit('70.00', 'a'), debit('30.00', 'b')];
    expect(check(rows, part(2, '1000.00', '900.00'), part(4, '1000.00', '900.00'))).toMatchObject({
      kind: 'proven',
      balances: [{ closing: '900.00' }],
    });
    const overlapping = rows.with(3, debit('1.00', 'c')).with(2, debit('30.00', 'b'));
    expect(check(overlapping, part(2, '1000.00', '900.00'), part(4, '930.00', '899.00'))).toMatchObject({
      kind: 'proven',
      balances: [{ closing: '899.00' }],
    });
  });

  it('take lines out that repeat others in one statement, unless the balances count them', () => {
    const rows = [debit('70.00', 'a'), debit('70.00', 'a')];
    expect(check(rows, part(2, '1000.00', '930.00'))).toMatchObject({ kind: 'proven' });
    expect(check(rows, part(2, '1000.00', '860.00'))).toEqual({ kind: 'with_repeats' });
    expect(check(rows, part(2, '1000.00', '870.00'))).toMatchObject({ kind: 'broken' });
  });
});
