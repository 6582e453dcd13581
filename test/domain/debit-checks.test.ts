/** The agreed debit and the debit sent: sums by hand, and differences between ledger and report. */
import { expect, it } from 'vitest';
import { debitChange, debitChecks } from '../../src/domain/reporting/debit-checks.ts';
import { DebitTotals } from '../../src/domain/reporting/debits.ts';
import type { ReportRow } from '../../src/ports/ledger/reports.ts';
import { aPayoutIn, aPricing, money } from '../builders/payouts.ts';
import { aLine, aRow, aRowPerState, debitsOf, rowsIn, sentAtRate } from '../builders/report-rows.ts';

function checked(rows: readonly ReportRow[], held = rows) {
  const lines = new DebitTotals();
  for (const row of rows) lines.add(aLine(row));
  return debitChecks(debitsOf(held), lines.finish());
}
const allSentAt = (rows: readonly ReportRow[], rate: string) => rows.map((row) => sentAtRate(row, rate));

it('shows what failed, is in doubt, is not sent and was sent at which rate', () => {
  // 1200 ÷ 15.5 + 1.02 = 78.44; 1200 ÷ 15.4 + 1.02 = 78.94.
  expect(checked(allSentAt(aRowPerState(), '15.4')).lines).toMatchObject([
    {
      name: 'GHS from GBP',
      agreed: { count: 7, planned: money('GBP 549.08') },
      report: {
        failed: { count: 1, planned: money('GBP 78.44') },
        inDoubt: { count: 2, planned: money('GBP 156.88') },
        unsent: { count: 1, planned: money('GBP 78.44') },
        sent: { count: 3, planned: money('GBP 235.32'), atSend: money('GBP 236.82') },
        driftPercent: '0.64',
      },
      verdict: 'ties',
    },
  ]);
});

it('shows a rate that lowered the debit as a negative amount', () => {
  // 1200 ÷ 15.6 + 1.02 = 77.94.
  const [line] = checked(allSentAt(rowsIn('settled'), '15.6')).lines;
  if (line === undefined) throw new TypeError('no line');
  expect(debitChange(line.report)).toEqual({ minor: -50n, currency: 'GBP' });
  expect(line.report.driftPercent).toBe('-0.64');
});

it('names payments without a known debit', () => {
  const unpriced = aPayoutIn('settled', { state: { pricing: aPricing({ quote: undefined }) } });
  const { lines, unpriced: left, notes } = checked([aRow(unpriced)]);
  expect(lines).toEqual([]);
  expect(left).toEqual(['GHS: 1 payment without a known debit, not in these sums.']);
  expect(notes[0]).toBe(left[0]);
});

it('shows nothing where nothing was agreed to', () => {
  const nothing = { lines: [], unpriced: [], notes: [], parts: [] };
  expect(checked(rowsIn('held', 'quoted', 'canceled', 'invalid'))).toEqual(nothing);
});

it('names each difference between ledger and report', () => {
  const held = rowsIn('settled', 'failed');
  const found = checked(held.slice(0, 1), held);
  expect(found.parts).toEqual([
    'GHS from GBP, agreed debit: the ledger has 2 payments, GBP 156.88, the report 1 payment, GBP 78.44.',
  ]);
  expect(found.lines[0]?.verdict).toBe('differs by -1 payments');
  expect(checked(held)).toMatchObject({ parts: [], lines: [{ verdict: 'ties' }] });
});

it('keeps sums exact that are too large for a double', () => {
  const amount = money('GHS 999999999999999.99');
  const rows = [2, 3].map((rowNumber) => aRow(aPayoutIn('settled', { rowNumber, instruction: { amount } })));
  // 999999999999999.99 ÷ 15.5 + 1.02 = 64516129032259.0838…
  expect(checked(rows).lines[0]?.report.sent.atSend.minor).toBe(12_903_225_806_451_816n);
});
