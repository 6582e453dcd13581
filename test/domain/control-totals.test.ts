import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GROUPS, LineCounter } from '../../src/domain/control-totals.ts';
import { STATUSES } from '../../src/domain/payout.ts';
import type { ReportRow } from '../../src/ports/ledger.ts';
import { aPayoutIn, aPricing, money } from '../builders/payouts.ts';
import { aLine, aRow, aRowPerState, ledgerTotalsOf } from '../builders/report-rows.ts';

function count(rows: readonly ReportRow[], ledger = ledgerTotalsOf(rows)) {
  const counter = new LineCounter();
  for (const row of rows) counter.add(aLine(row));
  return counter.result(ledger);
}

it('ties when the report has exactly what the ledger has', () => {
  const totals = count(aRowPerState());
  expect(totals.parts).toEqual([]);
  expect([totals.rowsIn, totals.linesOut, totals.ties]).toEqual([12, 12, true]);
});

it('puts every status into exactly one group, and what may have moved money into none that says it did not', () => {
  const [ghs] = count(aRowPerState()).currencies;
  const counts = Object.fromEntries(GROUPS.map((group) => [group, ghs?.groups[group].count]));
  expect(counts).toEqual({
    settled: 1,
    on_its_way: 1,
    in_doubt: 2,
    failed: 1,
    returned: 1,
    held: 1,
    canceled: 1,
    invalid: 0,
    not_yet_sent: 3,
  });
});

it('keeps currencies apart', () => {
  const rows = [
    aRow(aPayoutIn('settled', { rowNumber: 2 })),
    aRow(aPayoutIn('failed', { rowNumber: 3, instruction: { amount: money('XOF 150000') } })),
    aRow(aPayoutIn('settled', { rowNumber: 4, instruction: { amount: money('XOF 1') } })),
  ];
  expect(count(rows).currencies.map(({ currency, requested }) => [currency, requested])).toEqual([
    ['GHS', { count: 1, minor: 120_000n }],
    ['XOF', { count: 2, minor: 150_001n }],
  ]);
});

it('says how many invalid rows have an amount that nobody can read, and counts them as rows', () => {
  const totals = count(aRowPerState());
  expect(totals.amountUnreadable).toBe(1);
  expect(totals.byStatus.at(-1)).toEqual({ status: 'invalid', currency: undefined, count: 1, minor: 0n });
});

it('counts the readable money of an invalid row although the ledger keeps none', () => {
  const totals = count([aRow(aPayoutIn('invalid', { rowNumber: 2 }), { cells: { 5: '10.00' } })]);
  expect(totals.ties).toBe(true);
  expect(totals.currencies[0]?.groups.invalid).toEqual({ count: 1, minor: 1000n });
});

it('adds up quoted fees and debits of what was or may have been taken, per source currency', () => {
  expect(count(aRowPerState()).costs).toEqual([
    { currency: 'GBP', group: 'settled', count: 1, feeMinor: 102n, debitMinor: 7844n },
    { currency: 'GBP', group: 'on_its_way', count: 1, feeMinor: 102n, debitMinor: 7844n },
    { currency: 'GBP', group: 'in_doubt', count: 2, feeMinor: 204n, debitMinor: 15_688n },
  ]);
});

describe('says where report and ledger part', () => {
  const rows = aRowPerState();

  it('when a line is missing', () => {
    const totals = count(rows.slice(0, -1), ledgerTotalsOf(rows));
    expect(totals.parts).toEqual([
      'The ledger has 12 rows, the report 11 rows.',
      'Not sent: canceled in GHS: the ledger has 1 row, GHS 1,200.00, the report 0 rows, GHS 0.00.',
    ]);
  });

  it('when a line is written twice', () => {
    const totals = count([...rows, rows[11] as ReportRow], ledgerTotalsOf(rows));
    expect(totals.parts).toContain('Row 13 was given twice or out of the file’s order.'.replace('’', "'"));
    expect(totals.ties).toBe(false);
  });

  it('when an amount differs although the number of rows is right', () => {
    const other = [aRow(aPayoutIn('settled', { instruction: { amount: money('GHS 1200.01') } }))];
    const totals = count(other, ledgerTotalsOf([aRow(aPayoutIn('settled'))]));
    expect(totals.parts).toEqual([
      'Settled in GHS: the ledger has 1 row, GHS 1,200.00, the report 1 row, GHS 1,200.01.',
    ]);
  });

  it('when a row stands in another status', () => {
    const totals = count([aRow(aPayoutIn('settled'))], ledgerTotalsOf([aRow(aPayoutIn('in_doubt'))]));
    expect(totals.parts).toHaveLength(2);
  });

  it('when an invalid row is missing', () => {
    expect(count([], ledgerTotalsOf([aRow(aPayoutIn('invalid'))])).ties).toBe(false);
  });
});

/** A batch with any mixture of outcomes, amounts, currencies and readable or unreadable invalid rows. */
const aBatchOfRows = fc.array(
  fc.record({
    status: fc.constantFrom(...STATUSES),
    minor: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 7n }), fc.bigInt({ min: 0n, max: 10n ** 17n })),
    code: fc.constantFrom('GHS', 'XOF', 'TND', 'KES'),
    written: fc.constantFrom('10.00', '1.500', 'abc', '', '7'),
    priced: fc.boolean(),
  }),
  { maxLength: 40 },
);

it('[E16] requested is always the sum of the nine groups, for any mixture of rows and any size of amount', () => {
  fc.assert(
    fc.property(aBatchOfRows, (drafts) => {
      const rows = drafts.map(({ status, minor, code, written, priced }, at) => {
        const amount = { ...money(`${code} 1`), minor };
        const state = priced ? {} : { pricing: aPricing({ quote: undefined }) };
        const payout = aPayoutIn(status, { rowNumber: at + 2, state, instruction: { amount } });
        return aRow(payout, { cells: { 5: written } });
      });
      const totals = count(rows);
      expect(totals.parts).toEqual([]);
      expect([totals.ties, totals.rowsIn, totals.linesOut]).toEqual([true, rows.length, rows.length]);
      let counted = totals.amountUnreadable;
      for (const { requested, groups } of totals.currencies) {
        const sums = GROUPS.map((group) => groups[group]);
        expect(sums.reduce((sum, { minor }) => sum + minor, 0n)).toBe(requested.minor);
        expect(sums.reduce((sum, { count: some }) => sum + some, 0)).toBe(requested.count);
        counted += requested.count;
      }
      expect(counted).toBe(rows.length);
      const valid = drafts.filter(({ status }) => status !== 'invalid');
      const asked = valid.reduce((sum, { minor }) => sum + minor, 0n);
      const told = totals.byStatus.filter(({ status }) => status !== 'invalid');
      expect(told.reduce((sum, { minor }) => sum + minor, 0n)).toBe(asked);
    }),
    { numRuns: process.env['SOAK'] === '1' ? 10_000 : 1_000 },
  );
});

it('[E16] never ties when a row is lost, doubled, or changes its status or amount, whatever the batch', () => {
  const harm = fc.constantFrom('lost', 'doubled', 'status', 'amount');
  fc.assert(
    fc.property(aBatchOfRows, harm, fc.nat(), (drafts, kind, at) => {
      const rows = drafts.map(({ status, minor, code }, nth) =>
        aRow(
          aPayoutIn(status, {
            rowNumber: nth + 2,
            instruction: { amount: { ...money(`${code} 1`), minor } },
          }),
        ),
      );
      const nth = rows.length === 0 ? 0 : at % rows.length;
      const row = rows[nth];
      const draft = drafts[nth];
      if (row === undefined || draft === undefined) return;
      if (kind === 'amount' && draft.status === 'invalid') return;
      const other = draft.status === 'settled' ? 'failed' : 'settled';
      const amount = { ...money(`${draft.code} 1`), minor: draft.minor + (kind === 'amount' ? 1n : 0n) };
      const changed = aRow(
        aPayoutIn(kind === 'status' ? other : draft.status, {
          rowNumber: row.payout.rowNumber,
          instruction: { amount },
        }),
      );
      const harmed = { lost: [], doubled: [row, row], status: [changed], amount: [changed] }[kind];
      const written = [...rows.slice(0, nth), ...harmed, ...rows.slice(nth + 1)];
      expect(count(written, ledgerTotalsOf(rows)).ties).toBe(false);
    }),
    { numRuns: process.env['SOAK'] === '1' ? 10_000 : 500 },
  );
});
