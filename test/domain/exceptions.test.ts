/** Which rows of a report a person has to look at, and which only tell a story. */
import { expect, it } from 'vitest';
import type { FamilyMember } from '../../src/domain/payouts/family.ts';
import { asBatchId } from '../../src/domain/payouts/instruction.ts';
import { Exceptions } from '../../src/domain/reporting/exceptions.ts';
import { lineContext, type ReportLine, reportLineOf } from '../../src/domain/reporting/report-line.ts';
import { aPayoutIn, NOW } from '../builders/payouts.ts';
import { aHeader, aRow } from '../builders/report-rows.ts';
import { utcDays } from '../builders/utc-days.ts';

const failed = aPayoutIn('failed', { rowNumber: 2 });
const MAY = utcDays('2026-05-01', '2026-05-31');

function other(status: FamilyMember['status']): FamilyMember {
  const { id: payoutId } = aPayoutIn('settled', { rowNumber: 9 });
  const place = { payoutId, batchId: asBatchId('9'), batchName: 'redo', rowNumber: 9 };
  return { ...place, status, at: NOW, isCurrent: true, isIncident: false, wasIncident: false };
}

function told(line: ReportLine): readonly string[] {
  const exceptions = new Exceptions<string>(10);
  exceptions.add(line, () => line.texts.row);
  return exceptions.sums().map(({ word, isStory }) => (isStory ? `(${word})` : word));
}

function replacedBy(status: FamilyMember['status']): readonly string[] {
  const paidAgain = new Map([[failed.id, other(status)]]);
  return told(reportLineOf(aRow(failed), lineContext(aHeader({ paidAgain }))));
}

it('leaves a failed row to the batch that took it over, and in a month to the payment that replaced it', () => {
  expect(replacedBy('held')).toEqual(['(Taken over by another batch)']);
  expect(replacedBy('settled')).toEqual(['(Paid again in another batch)']);
  const inMonth = reportLineOf(aRow(failed), lineContext(aHeader({ period: MAY })));
  expect(told(inMonth)).toEqual(['Failed']);
  expect(told({ ...inMonth, isReplaced: true })).toEqual([]);
});

it('shows a failed row while the payment of another batch that stands for it is in doubt', () => {
  for (const status of ['in_doubt', 'sending'] as const) {
    const batch = aHeader({ paidAgain: new Map([[failed.id, other(status)]]) });
    const line = reportLineOf(aRow(failed), lineContext(batch));
    expect(told(line)).toEqual(['Failed']);
    expect([line.texts.reason, line.texts.next_step]).toEqual([
      expect.stringContaining('Perhaps paid again as row 9 of batch redo'),
      'Look at the other payment: payfile explain redo 9',
    ]);
  }
});

it('asks nobody to look at a settled row because of its earlier try, or of days', () => {
  const lineOf = (period?: typeof MAY) => {
    const row = aRow(aPayoutIn('settled', { rowNumber: 2 }), { replaced: [failed] });
    return reportLineOf(row, lineContext(aHeader({ period })));
  };
  for (const line of [lineOf(), lineOf(MAY), lineOf(utcDays('2026-06-01', '2026-06-30'))]) {
    expect(line.texts.reason).toContain('The first attempt (failed');
    expect(told(line)).toEqual(['(Settled at a later try)']);
  }
});

it('shows what differs from what was asked until a person accepts it, on its way or settled', () => {
  const discrepancies = ['amount: the service shows another'];
  const accepted = { by: 'ben', reason: 'the bank took its fee', saw: discrepancies, at: NOW };
  const toldOf = (status: 'accepted' | 'settled', state: object) =>
    told(reportLineOf(aRow(aPayoutIn(status, { rowNumber: 2, state })), lineContext(aHeader())));
  expect(toldOf('accepted', { discrepancies })).toEqual(['On its way, differs']);
  expect(toldOf('settled', { discrepancies })).toEqual(['Settled, differs']);
  for (const status of ['accepted', 'settled'] as const) {
    const over = { discrepancies, shown: { amount: '100000.00' } };
    expect(toldOf(status, over)).toEqual(['More than was asked']);
    expect(toldOf(status, { ...over, acceptedDifference: accepted })).toEqual([]);
  }
});

it('counts rows and money per kind and currency, the gravest first', () => {
  const exceptions = new Exceptions<number>(1);
  for (const status of ['held', 'failed', 'in_doubt', 'failed'] as const)
    exceptions.add(reportLineOf(aRow(aPayoutIn(status)), lineContext(aHeader())), () => 1);
  expect(exceptions.sums().map(({ word, currency, count, minor }) => [word, currency, count, minor])).toEqual(
    [
      ['In doubt', 'GHS', 1, 120_000n],
      ['Failed', 'GHS', 2, 240_000n],
      ['Not sent: held', 'GHS', 1, 120_000n],
    ],
  );
});

it('shows a failed row as failed where the service no longer calls it unpaid: it is not on its way', () => {
  if (failed.state.status !== 'failed') throw new TypeError('it has not failed');
  const unclear = { ...failed, state: { ...failed.state, unclear: 'says “Processing” now' } };
  const line = reportLineOf(aRow(unclear), lineContext(aHeader({})));
  expect(told(line)).toEqual(['Failed']);
  expect(line.texts.reason).toContain('the service no longer calls it unpaid. It says “Processing” now');
});

it('shows it also where another batch paid the row: it may have been paid twice, and is counted as differing', () => {
  if (failed.state.status !== 'failed') throw new TypeError('it has not failed');
  const unclear = { ...failed, state: { ...failed.state, unclear: 'says “Processing” now' } };
  const paidAgain = new Map([[failed.id, other('settled')]]);
  expect(told(reportLineOf(aRow(unclear), lineContext(aHeader({ paidAgain }))))).toEqual(['Failed']);
});
