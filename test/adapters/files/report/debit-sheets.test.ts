/** Planned and actual debit in the workbook: sums by hand, checks that can fail, nothing that a reader must guess. */
import type ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { STATUSES } from '../../../../src/domain/payouts/payout.ts';
import { periodOf } from '../../../../src/domain/reporting/period.ts';
import { aPayoutIn, money } from '../../../builders/payouts.ts';
import { aHeader, aRateAtSend, aRow, aRowPerState, rowsIn } from '../../../builders/report-rows.ts';
import { bytes, cellOf, report, sheetOf, workbook } from './written.ts';

const resultOf = (cell: ExcelJS.Cell): unknown => cell.result ?? cell.value;
const rowOf = (sheet: ExcelJS.Worksheet, row: number, count: number): unknown[] =>
  Array.from({ length: count }, (_, at) => resultOf(sheet.getRow(row).getCell(at + 1)));

const header = aHeader({ ratesAtSend: [aRateAtSend('GHS', '15.5', '15.4')] });
const partOf = (book: ExcelJS.Workbook) => {
  const control = sheetOf(book, 'Control totals');
  return { control, at: rowWith(control, 'Planned and actual debit') + 2 };
};

it('shows what was agreed to, what became of it, and by how much the rate of sending moved it', async () => {
  await report('debits.xlsx', aRowPerState(), { header });
  const { control, at } = partOf(await workbook('debits.xlsx'));
  // Each 78.44 as quoted; the three that were sent came to 78.94 each.
  expect(rowOf(control, at, 13)).toEqual([
    ...['GHS', 'GBP', 549.08, 78.44, 156.88, 78.44, 235.32, 'ties'],
    ...[1.5, 236.82, 236.82, 'ties', 150 / 23_532],
  ]);
  expect(control.getCell(`J${at}`).formula).toContain('SUMIFS(Payments!$Z$2:$Z$13,');
  expect(control.getCell(`I${at}`).formula).toBe(`ROUND(J${at}-G${at},2)`);
  expect(control.getCell('B2').formula).toContain(`COUNTIF(H${at}:H${at},"differs*")`);
  expect(control.getCell('B2').formula).toContain(`COUNTIF(L${at}:L${at},"differs*")`);
  expect(resultOf(control.getCell('B2'))).toBe('ties');
  const words = JSON.stringify(control.getSheetValues());
  expect(words).toContain('The rate moved: GBP 1.50 more (0.64 %).');
  expect(words).toContain('1 payment failed, nothing is taken (GBP 78.44)');
  expect(words).toContain('the service reports neither the debit, nor its rate, nor the fee it took');
});

it('shows each payment at the rate of sending, and each corridor', async () => {
  await report('debit-rows.xlsx', aRowPerState(), { header });
  const book = await workbook('debit-rows.xlsx');
  const payments = sheetOf(book, 'Payments');
  const sent = STATUSES.map((status, at) => [status, cellOf(payments, at + 2, 'Debit when sent').value]);
  expect(sent.filter(([, debit]) => debit !== null)).toEqual([
    ['accepted', 78.94],
    ['settled', 78.94],
    ['returned', 78.94],
  ]);
  const fees = sheetOf(book, 'Fees and FX');
  expect(rowOf(fees, 2, 16).slice(12)).toEqual([235.32, 236.82, 1.5, 150 / 23_532]);
  expect(rowOf(fees, 4, 15).slice(12)).toEqual([235.32, 236.82, 1.5]);
});

it('is silent about rates that did not move', async () => {
  await report('unmoved.xlsx', aRowPerState());
  const book = await workbook('unmoved.xlsx');
  const words = ['Fees and FX', 'Control totals'].map((name) => sheetOf(book, name).getSheetValues());
  expect(JSON.stringify(words)).not.toMatch(/Rate moved/);
  expect(JSON.stringify(words[0])).not.toContain('Debit, sent');
});

it('differs, and so does everything above it, where the ledger agreed to more than the rows show', async () => {
  const rows = rowsIn('settled', 'settled');
  const held = rowsIn('settled', 'settled', 'failed');
  await report('debits-lost.xlsx', rows, { header, held });
  const book = await workbook('debits-lost.xlsx');
  const { control, at } = partOf(book);
  expect(rowOf(control, at, 12)).toMatchObject({ 4: 'differs by -1 payments', 8: 'ties' });
  expect(resultOf(control.getCell('B2'))).toBe('differs');
  expect(resultOf(sheetOf(book, 'Summary').getCell('B3'))).toBe('differs');
  const dearer = rowsIn('settled', 'settled').map((row) =>
    aRow({ ...row.payout, instruction: { ...row.payout.instruction, amount: money('GHS 1300') } } as never),
  );
  await report('debits-dearer.xlsx', rows, { header, held: dearer });
  const other = partOf(await workbook('debits-dearer.xlsx'));
  // 1300 ÷ 15.5 + 1.02 = 84.89 and 1300 ÷ 15.4 + 1.02 = 85.44, twice.
  expect(rowOf(other.control, other.at, 12)).toMatchObject({
    2: 169.78,
    4: 'differs by GBP -12.90',
    7: 170.88,
    8: 'differs by GBP -13.00',
  });
});

it('is text and our own check where a sheet cannot count that far', async () => {
  const amount = { ...money('GHS 1'), minor: 10n ** 19n };
  const rows = [2, 3].map((rowNumber) => aRow(aPayoutIn('settled', { rowNumber, instruction: { amount } })));
  await report('debits-huge.xlsx', rows, { header });
  const { control, at } = partOf(await workbook('debits-huge.xlsx'));
  const cells = rowOf(control, at, 12);
  expect(cells[2]).toMatch(/^[\d,]{20,}\.\d\d$/);
  expect([cells[4], cells[8]]).toEqual(['ties', 'ties']);
});

it('is left out where nothing was agreed to, and in a report over days, whose plans are of other days', async () => {
  await report('debits-none.xlsx', rowsIn('held', 'quoted', 'canceled', 'invalid'), { header });
  const period = aHeader({ ...header, period: periodOf('2026-05-01', '2026-05-31') });
  await report('debits-days.xlsx', rowsIn('settled'), { header: period });
  for (const name of ['debits-none.xlsx', 'debits-days.xlsx']) {
    const words = JSON.stringify(sheetOf(await workbook(name), 'Control totals').getSheetValues());
    expect(words).not.toContain('Planned and actual debit');
  }
});

it('is the same to the last byte for the same state', async () => {
  for (const name of ['debits-one.xlsx', 'debits-two.xlsx']) await report(name, aRowPerState(), { header });
  expect(bytes('debits-one.xlsx').equals(bytes('debits-two.xlsx'))).toBe(true);
});

function rowWith(sheet: ExcelJS.Worksheet, text: string): number {
  for (let row = 1; row <= sheet.rowCount; row += 1) if (sheet.getCell(`A${row}`).value === text) return row;
  throw new Error(`No row begins with ${text}`);
}
