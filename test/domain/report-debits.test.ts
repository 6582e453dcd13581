/** What people are told of planned and actual debits: sums by hand, and why they differ. */
import { describe, expect, it } from 'vitest';
import { debitReport, debitSentences, withDebitParts } from '../../src/domain/reporting/debit-report.ts';
import { DebitTotals } from '../../src/domain/reporting/debits.ts';
import type { ReportRow } from '../../src/ports/ledger/reports.ts';
import { aPayoutIn, aPricing, money } from '../builders/payouts.ts';
import {
  aHeader,
  aLine,
  aRateAtSend,
  aRow,
  aRowPerState,
  debitsOf,
  rowsIn,
} from '../builders/report-rows.ts';

function told(rows: readonly ReportRow[], now: string | undefined, held = rows) {
  const header = aHeader(now === undefined ? {} : { ratesAtSend: [aRateAtSend('GHS', '15.5', now)] });
  const lines = new DebitTotals();
  for (const row of rows) lines.add(aLine(row, header));
  return debitReport(debitsOf(held, header), lines.finish());
}

describe('why planned and actual debit differ', () => {
  it('is told for what failed, is in doubt or is not sent, and for a rate that moved', () => {
    // 1200 ÷ 15.5 + 1.02 = 78.44; 1200 ÷ 15.4 + 1.02 = 78.94.
    expect(debitSentences(told(aRowPerState(), '15.4'))).toEqual([
      'GHS from GBP: 7 payments agreed to, GBP 549.08 with fees. Of these: 1 payment failed, nothing is taken (GBP 78.44); 2 payments in doubt, may have been taken (GBP 156.88); 1 payment not yet sent (GBP 78.44).',
      'GHS from GBP: 3 payments sent, planned at GBP 235.32, GBP 236.82 at the rate of sending. The rate moved: GBP 1.50 more (0.64 %).',
    ]);
  });

  it('is told of a rate that moved the other way, too', () => {
    // 1200 ÷ 15.6 + 1.02 = 77.94.
    expect(debitSentences(told(rowsIn('settled'), '15.6'))).toEqual([
      'GHS from GBP: 1 payment sent, planned at GBP 78.44, GBP 77.94 at the rate of sending. The rate moved: GBP 0.50 less (-0.64 %).',
    ]);
  });

  it('is nothing where everything was sent at the quoted rate', () => {
    expect(debitSentences(told(rowsIn('settled', 'accepted', 'canceled', 'held'), undefined))).toEqual([]);
  });

  it('names payments whose debit nobody knows instead of leaving them out without a word', () => {
    const unpriced = aPayoutIn('settled', { state: { pricing: aPricing({ quote: undefined }) } });
    expect(debitSentences(told([aRow(unpriced)], undefined))).toEqual([
      'GHS: 1 payment without a known debit, in no sum here.',
    ]);
  });
});

it('says where ledger and report part, and then nothing ties any more', () => {
  const held = rowsIn('settled', 'failed');
  const found = told(held.slice(0, 1), undefined, held);
  expect(found.parts).toEqual([
    'GHS from GBP, debit agreed to: the ledger has 2 payments, GBP 156.88, the report 1 payment, GBP 78.44.',
  ]);
  const totals = { ties: true, parts: ['as before'] } as unknown as Parameters<typeof withDebitParts>[0];
  const whole = withDebitParts(totals, found);
  expect(whole.ties).toBe(false);
  expect(whole.parts.slice(0, 2)).toEqual(['as before', ...found.parts]);
  expect(whole.parts.at(-1)).toContain('make the report again when it has ended');
  expect(withDebitParts(totals, told(held, undefined))).toMatchObject({ ties: true, parts: ['as before'] });
});

it('keeps sums exact that no double can hold', () => {
  const amount = money('GHS 999999999999999.99');
  const rows = [2, 3].map((rowNumber) => aRow(aPayoutIn('settled', { rowNumber, instruction: { amount } })));
  // 999999999999999.99 ÷ 15.5 + 1.02 = 64516129032259.0838…
  expect(told(rows, undefined).pairs[0]?.report.sent.atSend.minor).toBe(12_903_225_806_451_816n);
});
