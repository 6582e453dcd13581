import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { LineCounter, withParts } from '../../src/domain/reporting/control-totals.ts';
import { agreedSum } from '../../src/domain/reporting/debits.ts';
import { GROUPS } from '../../src/domain/reporting/status-words.ts';
import type { ReportRow } from '../../src/ports/ledger/reports.ts';
import { aPayoutIn, aPricing, money } from '../builders/payouts.ts';
import { aLine, aRow, aRowPerState, debitsOf, ledgerTotalsOf, sentAtRate } from '../builders/report-rows.ts';

/** SOAK=1 tries ten thousand batches and more for each law. */
const IS_SOAK = process.env['SOAK'] === '1';
const RUNS = IS_SOAK ? 10_000 : 150;
const PATIENCE_MS = IS_SOAK ? 600_000 : 30_000;

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
  const one = {
    currency: 'GBP',
    paid: 'GHS',
    count: 1,
    feeMinor: 102n,
    debitMinor: 7844n,
    backMinor: 0n,
    daysMinor: 7844n,
  };
  const two = {
    count: 2,
    feeMinor: 204n,
    debitMinor: 15_688n,
    backMinor: 0n,
    daysMinor: 15_688n,
  };
  expect(count(aRowPerState()).costs).toEqual([
    { ...one, group: 'settled' },
    { ...one, group: 'on_its_way' },
    { ...one, ...two, group: 'in_doubt' },
    { ...one, group: 'returned', backMinor: 7742n },
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

it('does not tie if one more sum differs', () => {
  const totals = { ...count(aRowPerState()), ties: true, parts: ['as before'] };
  expect(withParts(totals, [])).toBe(totals);
  const { ties, parts } = withParts(totals, ['one more']);
  expect([ties, ...parts.slice(0, 2)]).toEqual([false, 'as before', 'one more']);
  expect(parts.at(-1)).toContain('make the report again when it has ended');
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

it(
  '[E16] requested is always the sum of the nine groups, for any mixture of rows and any size of amount',
  () => {
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
      { numRuns: RUNS * 2 },
    );
  },
  PATIENCE_MS,
);

it(
  '[E16] never ties when a row is lost, doubled, or changes its status or amount, whatever the batch',
  () => {
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
      { numRuns: RUNS },
    );
  },
  PATIENCE_MS,
);

/** Currencies with a newer rate at the sending; all approved quotes are 15.5 and 1.02. */
const someMoved = fc.uniqueArray(fc.constantFrom('GHS', 'XOF', 'TND', 'KES'));

/** The debit of a row, reckoned by hand: amount ÷ rate, in pence, rounded half up, and GBP 1.02. */
function penceOf(minor: bigint, code: string, rateInTenths: bigint): bigint {
  const unit = { GHS: 100n, KES: 100n, XOF: 1n, TND: 1000n }[code] ?? 0n;
  const below = rateInTenths * unit;
  return (2n * minor * 1000n + below) / (2n * below) + 102n;
}

const SENT: readonly string[] = ['accepted', 'settled', 'returned'];
const AGREED: readonly string[] = [...SENT, 'approved', 'sending', 'in_doubt', 'failed'];

type Draft = typeof aBatchOfRows extends fc.Arbitrary<(infer One)[]> ? One : never;

function rowOf({ status, minor, code, priced }: Draft, at: number, moved: readonly string[]): ReportRow {
  const state = priced ? {} : { pricing: aPricing({ quote: undefined }) };
  const instruction = { amount: { ...money(`${code} 1`), minor } };
  const row = aRow(aPayoutIn(status, { rowNumber: at + 2, state, instruction }));
  return moved.includes(code) ? sentAtRate(row, '15.4') : row;
}

it(
  '[E16] the debit agreed to is always the sum of what failed, is in doubt, is not sent and was sent, row by row',
  () => {
    fc.assert(
      fc.property(aBatchOfRows, someMoved, (drafts, moved) => {
        const rows = drafts.map((draft, at) => rowOf(draft, at, moved));
        const { totals, unpriced } = debitsOf(rows);
        const agreed = drafts.filter(({ status }) => AGREED.includes(status));
        const unknown = new Set(agreed.flatMap(({ priced, code }) => (priced ? [] : [code])));
        expect(unpriced).toHaveLength(unknown.size);
        for (const total of totals) {
          const { currency } = total;
          const mine = agreed.filter(({ code, priced }) => priced && code === currency);
          const planned = mine.reduce((sum, { minor, code }) => sum + penceOf(minor, code, 155n), 0n);
          const { failed, inDoubt, unsent, sent } = total;
          const parts = [failed, inDoubt, unsent, sent];
          expect(agreedSum(total)).toBe(planned);
          expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(mine.length);
          const rate = moved.includes(currency as never) ? 154n : 155n;
          const went = mine.filter(({ status }) => SENT.includes(status));
          const came = went.reduce((sum, { minor, code }) => sum + penceOf(minor, code, rate), 0n);
          expect(sent).toMatchObject({ count: went.length, atSend: came });
        }
      }),
      { numRuns: RUNS },
    );
  },
  PATIENCE_MS,
);
