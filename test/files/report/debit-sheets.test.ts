/** The agreed debit and the debit sent, in the workbook: sums by hand. */
import type ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { STATUSES } from '../../../src/domain/payouts/payout.ts';
import type { ReportRow } from '../../../src/ports/ledger/reports.ts';
import { aPayoutIn, money } from '../../builders/payouts.ts';
import { aHeader, aRow, aRowPerState, rowsIn, sentAtRate } from '../../builders/report-rows.ts';
import { utcDays } from '../../builders/utc-days.ts';
import { cellOf, report, rowWith, sheetOf, workbook } from './written.ts';

const rowOf = (sheet: ExcelJS.Worksheet, row: number, count: number): unknown[] =>
  Array.from({ length: count }, (_, at) => sheet.getRow(row).getCell(at + 1).value);

const sentDearer = (rows: readonly ReportRow[]) => rows.map((row) => sentAtRate(row, '15.4'));
const partOf = (book: ExcelJS.Workbook) => {
  const control = sheetOf(book, 'Summary');
  return { control, at: rowWith(control, 'Planned and actual debit') + 2 };
};

it('shows what was agreed to, what became of it, and by how much the rate of sending moved it', async () => {
  await report('debits.xlsx', sentDearer(aRowPerState()));
  const { control, at } = partOf(await workbook('debits.xlsx'));
  // Each 78.44 as quoted; the three that were sent came to 78.94 each.
  expect(rowOf(control, at, 10)).toEqual([
    ...['GHS', 'GBP', 549.08, 78.44, 156.88, 78.44, 235.32],
    ...[1.5, 236.82, 150 / 23_532],
  ]);
  expect(control.getCell('A4').value).toBe('ties');
  const words = JSON.stringify(control.getSheetValues());
  expect(words).toContain('the service reports neither the debit, nor its rate, nor its fee');
});

it('shows each payment at the rate of sending', async () => {
  await report('debit-rows.xlsx', sentDearer(aRowPerState()));
  const book = await workbook('debit-rows.xlsx');
  const payments = sheetOf(book, 'Payments');
  const sent = STATUSES.map((status, at) => [status, cellOf(payments, at + 2, 'Debit when sent').value]);
  expect(sent.filter(([, debit]) => debit !== null)).toEqual([
    ['accepted', 78.94],
    ['settled', 78.94],
    ['returned', 78.94],
  ]);
});

it('is silent about rates that did not move', async () => {
  await report('unmoved.xlsx', aRowPerState());
  const control = sheetOf(await workbook('unmoved.xlsx'), 'Summary');
  expect(JSON.stringify(control.getSheetValues())).not.toMatch(/Rate moved/);
});

it('is text where a sheet cannot count that far', async () => {
  const amount = { ...money('GHS 1'), minor: 10n ** 19n };
  const rows = [2, 3].map((rowNumber) => aRow(aPayoutIn('settled', { rowNumber, instruction: { amount } })));
  await report('debits-huge.xlsx', sentDearer(rows));
  const { control, at } = partOf(await workbook('debits-huge.xlsx'));
  expect(rowOf(control, at, 8)[2]).toMatch(/^[\d,]{20,}\.\d\d$/);
});

it('is left out where nothing was agreed to, and in a report over days, whose plans are of other days', async () => {
  await report('debits-none.xlsx', rowsIn('held', 'quoted', 'canceled', 'invalid'));
  const period = aHeader({ period: utcDays('2026-05-01', '2026-05-31') });
  await report('debits-days.xlsx', rowsIn('settled'), { header: period });
  for (const name of ['debits-none.xlsx', 'debits-days.xlsx']) {
    const words = JSON.stringify(sheetOf(await workbook(name), 'Summary').getSheetValues());
    expect(words).not.toContain('Planned and actual debit');
  }
});
