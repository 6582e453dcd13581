/** The sheets beyond the payments: what a bookkeeper, an auditor and a stranger find in the workbook. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { BatchDecision } from '../../../src/domain/batches/decisions.ts';
import { bookingsOf } from '../../../src/domain/reporting/booking.ts';
import { entryOf } from '../../../src/domain/reporting/journal.ts';
import { lineContext, reportLineOf } from '../../../src/domain/reporting/report-line.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { openReportSink } from '../../../src/files/report/open-report-sink.ts';
import { openReportFile } from '../../../src/files/report/report-file.ts';
import { Journal, journalSheet } from '../../../src/files/report/xlsx/journal-sheet.ts';
import { DeflatedRows, newWorkbook } from '../../../src/files/report/xlsx/xlsx-workbook.ts';
import type { ReportRow } from '../../../src/ports/ledger/reports.ts';
import { writeReport } from '../../../src/use-cases/report/report-batch.ts';
import { aPayoutIn, money, NOW } from '../../builders/payouts.ts';
import {
  aHeader,
  aRow,
  aRowPerState,
  DAY,
  inPages,
  ledgerTotalsOf,
  rowsIn,
  sentOf,
} from '../../builders/report-rows.ts';
import { UTC, utcDays } from '../../builders/utc-days.ts';
import { bytes, cellOf, folder, partsOf, report, rowWith, sheetOf, workbook } from './written.ts';

const resultOf = (cell: ExcelJS.Cell): unknown => cell.result ?? cell.value;
const rowOf = (sheet: ExcelJS.Worksheet, row: number, count: number): unknown[] =>
  Array.from({ length: count }, (_, at) => resultOf(sheet.getRow(row).getCell(at + 1)));

describe('Journal', () => {
  it('has one debit and one credit line for each event, to accounts that a person may name', async () => {
    await report('journal.xlsx', rowsIn('settled', 'held', 'in_doubt'));
    const book = await workbook('journal.xlsx');
    const journal = sheetOf(book, 'Journal');
    const lines = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((row) => rowOf(journal, row, 9).slice(1));
    expect(lines).toEqual([
      [2, '2100', 'Payments owed', 77.42, null, 'GBP', 'Payment', 'Settled'],
      [2, '1090', 'Payments on their way', null, 77.42, 'GBP', 'Payment', 'Settled'],
      [2, '6800', 'Transfer fees', 1.02, null, 'GBP', 'Fee', 'Settled'],
      [2, '1090', 'Payments on their way', null, 1.02, 'GBP', 'Fee', 'Settled'],
      [2, '1090', 'Payments on their way', 78.44, null, 'GBP', 'Finished', 'Settled'],
      [2, '1010', 'Account at the payment service', null, 78.44, 'GBP', 'Finished', 'Settled'],
      [4, '1999', 'Suspense, outcome not known', 77.42, null, 'GBP', 'Payment', 'In doubt'],
      [4, '1090', 'Payments on their way', null, 77.42, 'GBP', 'Payment', 'In doubt'],
      [4, '1999', 'Suspense, outcome not known', 1.02, null, 'GBP', 'Fee', 'In doubt'],
      [4, '1090', 'Payments on their way', null, 1.02, 'GBP', 'Fee', 'In doubt'],
    ]);
    expect(journal.rowCount).toBe(11);
    expect(journal.getCell('C2').formula).toBe('Accounts!$B$4');
    expect(sheetOf(book, 'Accounts').getCell('B4').value).toBe('2100');
    expect(journal.getCell('A2').value).toEqual(new Date(Date.UTC(2026, 4, 25)));
    expect([2, 3, 7].map((row) => cellOf(journal, row, 'Voucher').value)).toEqual([
      'PF-00000001.1',
      'PF-00000001.1',
      'PF-00000001.3',
    ]);
  });

  it('is checked on the sheet Control totals, against the payments and against the states of the ledger', async () => {
    await report('checked.xlsx', aRowPerState());
    const control = sheetOf(await workbook('checked.xlsx'), 'Summary');
    const at = rowWith(control, 'Booked in') + 1;
    // Settled, on its way, in doubt, being sent, returned, failed: six times 78.44. Finished: settled and returned.
    // Failed: 78.44 back. One principal came back.
    const all = 6 * 78.44 + 2 * 78.44 + 78.44 + 77.42;
    expect(rowOf(control, at, 7)).toEqual([
      ...['GBP', Number(all.toFixed(2)), Number(all.toFixed(2))],
      ...[392.2, 78.44, 470.64, 'ties'],
    ]);
    expect(resultOf(control.getCell('A4'))).toBe('ties');
    const accounts = [3, 4, 5, 6, 7].map((below) => rowOf(control, at + below, 7));
    expect(accounts.map(([name, , days, ledger, check]) => [name, days, ledger, check])).toEqual([
      ['Fees of transfers', 3.06, 3.06, 'ties'],
      ['On its way', -235.32, -235.32, 'ties'],
      ['Owed to the payees', 154.84, 154.84, 'ties'],
      ['The account that pays', -79.46, -79.46, 'ties'],
      ['In suspense', 156.88, 156.88, 'ties'],
    ]);
  });

  it('differs, and so does all above it, when a payment is missing in it or the ledger has another one', async () => {
    await report('lost.xlsx', rowsIn('settled', 'returned'), { held: rowsIn('settled') });
    const book = await workbook('lost.xlsx');
    const control = sheetOf(book, 'Summary');
    const at = rowWith(control, 'Booked in') + 1;
    expect(rowOf(control, at, 6)).toMatchObject({ 3: 156.88, 4: 78.44, 5: 'differs by GBP 78.44' });
    expect(resultOf(control.getCell('A4'))).toBe('differs');
    const summary = JSON.stringify(sheetOf(book, 'Summary').getSheetValues());
    expect(summary).toContain('the payments have GBP 156.88, the Journal GBP 78.44');
  });

  it('sums up per kind, and says so, where a sheet could not hold every line; the sums stay the same', async () => {
    const [short, whole] = [new Journal(undefined, 4), new Journal()];
    for (const sent of sentOf(rowsIn('settled', 'settled', 'in_doubt')))
      for (const booking of bookingsOf(sent))
        for (const each of [short, whole]) each.add(entryOf(sent, booking, { clock: UTC }));
    expect(short.sums.perCurrency()).toEqual(whole.sums.perCurrency());
    const file = await openReportFile(join(folder, 'short.xlsx'));
    const book = newWorkbook(file, { title: 'Short', createdAt: undefined });
    const sheet = book.addSheet({ ...journalSheet(), frozen: { rows: 1, columns: 0 } });
    await short.writeTo(sheet, journalSheet(), '');
    sheet.close();
    await book.finish([journalSheet().name]);
    await file.commit();
    const journal = sheetOf(await workbook('short.xlsx'), 'Journal');
    const told = [2, 4, 6, 8, 10].map((row) => rowOf(journal, row, 10).slice(4));
    expect(told.map(([debit, , , kind, group, name]) => [debit, kind, group, name])).toEqual([
      [154.84, 'Payment', 'Settled', 'Sum of 2: a sheet cannot hold them all'],
      [2.04, 'Fee', 'Settled', 'Sum of 2: a sheet cannot hold them all'],
      [156.88, 'Finished', 'Settled', 'Sum of 2: a sheet cannot hold them all'],
      [77.42, 'Payment', 'In doubt', 'Sum of 1: a sheet cannot hold them all'],
      [1.02, 'Fee', 'In doubt', 'Sum of 1: a sheet cannot hold them all'],
    ]);
  });

  it('over days books what is dated in them, so that a payment of two months is booked once', async () => {
    const [may, june, after] = [2, 5, 8].map((day) => timestampOf(NOW + day * DAY));
    const rows = [
      aRow(aPayoutIn('settled', { rowNumber: 2, state: { sentAt: NOW, settledAt: june } })),
      aRow(aPayoutIn('returned', { rowNumber: 3, state: { sentAt: may, returnedAt: june } })),
      aRow(aPayoutIn('settled', { rowNumber: 4, state: { sentAt: june, settledAt: after } })),
    ];
    const days = (from: string, to: string) => ({ header: aHeader({ period: utcDays(from, to) }), rows });
    const told = await Promise.all(
      [days('2026-05-01', '2026-05-27'), days('2026-05-28', '2026-06-30')].map(async ({ header }, at) => {
        await report(`days-${at}.xlsx`, rows, { header });
        const book = await workbook(`days-${at}.xlsx`);
        const [journal, control] = [sheetOf(book, 'Journal'), sheetOf(book, 'Summary')];
        const lines = Array.from({ length: journal.rowCount - 1 }, (_, line) => rowOf(journal, line + 2, 8));
        const debits = lines.filter(([, , , , debit]) => debit !== null);
        const checked = rowWith(control, 'Booked in') + 1;
        return {
          booked: debits.map(([, row, , , debit, , , kind]) => [row, debit, kind]),
          checks: rowOf(control, checked, 6),
          way: rowOf(control, checked + 4, 7),
          left: JSON.stringify(control.getSheetValues()),
          all: resultOf(control.getCell('A4')),
        };
      }),
    );
    expect(told[0]).toMatchObject({
      booked: [
        [2, 77.42, 'Payment'],
        [2, 1.02, 'Fee'],
        [3, 77.42, 'Payment'],
        [3, 1.02, 'Fee'],
      ],
      checks: ['GBP', 156.88, 156.88, 156.88, 156.88, 'ties'],
      way: ['On its way', 'GBP', -156.88, 156.88, 0, 'ties', null],
      all: 'ties',
    });
    expect(told[0]?.left).toContain('to the report of those days: 6 pairs.');
    expect(told[1]).toMatchObject({
      booked: [
        [2, 78.44, 'Finished'],
        [3, 78.44, 'Finished'],
        [3, 77.42, 'Return'],
        [4, 77.42, 'Payment'],
        [4, 1.02, 'Fee'],
        [4, 78.44, 'Finished'],
      ],
      way: ['On its way', 'GBP', -156.88, 156.88, 0, 'ties', null],
      all: 'ties',
    });
  });

  it('says that there is nothing to book where nothing was sent', async () => {
    await report('unsent.xlsx', rowsIn('held', 'invalid'));
    const journal = sheetOf(await workbook('unsent.xlsx'), 'Journal');
    expect(journal.getCell('A2').value).toBe('Nothing was sent, so there is nothing to book.');
  });
});

describe('Corridors on the sheet Summary', () => {
  it('show what was paid out and what it cost, one line each', async () => {
    const rows = [
      aRow(aPayoutIn('settled', { rowNumber: 2 })),
      aRow(aPayoutIn('accepted', { rowNumber: 3 })),
      aRow(aPayoutIn('failed', { rowNumber: 4 })),
      aRow(
        aPayoutIn('settled', {
          rowNumber: 5,
          instruction: { amount: money('XOF 150000'), destinationName: 'Senegal' },
        }),
      ),
    ];
    await report('corridors.xlsx', rows);
    const summary = sheetOf(await workbook('corridors.xlsx'), 'Summary');
    const at = rowWith(summary, 'Country');
    expect([0, 1, 2, 3].map((below) => rowOf(summary, at + below, 7))).toEqual([
      ['Country', 'Payments', 'Paid out', 'Currency', 'Fees', 'Debit with fees', 'Debited in'],
      ['Ghana', 2, 2400, 'GHS', 2.04, 156.88, 'GBP'],
      ['Senegal', 1, 150_000, 'XOF', 1.02, 9678.44, 'GBP'],
      [null, null, null, null, null, null, null],
    ]);
  });

  it('are left out where nothing was sent', async () => {
    await report('no-corridors.xlsx', rowsIn('held', 'failed'));
    const summary = sheetOf(await workbook('no-corridors.xlsx'), 'Summary');
    expect(JSON.stringify(summary.getSheetValues())).not.toContain('By corridor');
  });
});

describe('Exceptions of several batches', () => {
  const header = aHeader({ period: utcDays('2026-05-01', '2026-05-31') });
  const batch = { id: aHeader().batch.id, name: 'payroll-2026-05' };
  const linesOf = (rows: readonly ReportRow[]) =>
    rows.map((row) => ({ ...reportLineOf(row, lineContext(header)), batch }));

  it('name the batch of each row; the report of one batch has no such column', async () => {
    const rows = rowsIn('settled', 'failed');
    const sink = await openReportSink({
      path: join(folder, 'month.xlsx'),
      format: undefined,
      fullAccounts: false,
    });
    await sink.begin(header);
    await sink.write(linesOf(rows));
    const { totals, outcome } = await writeReport(inPages(rows), header, {
      sink: undefined,
      ledgerTotals: async () => ledgerTotalsOf(rows),
    });
    await sink.end({ totals, outcome });
    const book = await workbook('month.xlsx');
    expect(cellOf(sheetOf(book, 'Payments'), 2, 'Batch').value).toBe('payroll-2026-05');
    // Beside the row: two batches have the same numbers.
    expect([...'GH'].map((at) => sheetOf(book, 'Payments').getCell(`${at}1`).value)).toEqual([
      'Batch',
      'Row',
    ]);
    await report('one-batch.xlsx', rows);
    const one = await workbook('one-batch.xlsx');
    for (const name of ['Payments']) {
      const heads = sheetOf(one, name).getRow(1).values as unknown[];
      expect(heads).not.toContain('Batch');
      expect(heads).not.toContain('Sent in these days');
    }
  });
});

describe('Summary', () => {
  const failed = aPayoutIn('failed', { rowNumber: 2 });

  it('says what to look at: what, how many, how much and where', async () => {
    await report('look.xlsx', rowsIn('settled', 'failed', 'failed', 'in_doubt'));
    const summary = sheetOf(await workbook('look.xlsx'), 'Summary');
    const at = rowWith(summary, 'What to look at');
    expect([0, 1, 2].map((below) => rowOf(summary, at + below, 5))).toEqual([
      ['What to look at', 'Payments', 'Amount', 'Currency', 'Where'],
      ['In doubt', 1, 1200, 'GHS', 'Sheet Payments, filter “To look at”'],
      ['Failed', 2, 2400, 'GHS', 'Sheet Payments, filter “To look at”'],
    ]);
    await report('quiet.xlsx', rowsIn('settled'));
    expect(rowWith(sheetOf(await workbook('quiet.xlsx'), 'Summary'), 'Nothing to look at.')).toBeGreaterThan(
      5,
    );
  });

  it('says beside a settled payment that differs what the service shows of it', async () => {
    const discrepancies = ['amount: the service shows 555.55, asked was GHS 1111.10'];
    const rows = [2, 3].map((rowNumber) =>
      aRow(aPayoutIn('settled', { rowNumber, state: { discrepancies } })),
    );
    await report('differing.xlsx', [...rowsIn('settled'), ...rows.slice(1)]);
    const summary = sheetOf(await workbook('differing.xlsx'), 'Summary');
    const at = rowWith(summary, 'Settled, differs');
    const payments = sheetOf(await workbook('differing.xlsx'), 'Payments');
    expect([2, 3].map((row) => cellOf(payments, row, 'Status').value)).toEqual([
      '✔ Settled',
      '! Settled, differs',
    ]);
    expect(summary.getCell(`A${at + 1}`).value).toBe(
      'Row 3: What the service shows differs from what was asked: amount: the service shows 555.55, asked was GHS 1111.10',
    );
  });

  it('tells of payments that failed first and are settled now, which nobody has to look at', async () => {
    const rows = [
      aRow(aPayoutIn('settled', { rowNumber: 2 }), { replaced: [failed] }),
      aRow(aPayoutIn('canceled', { rowNumber: 3 }), { replaced: [failed] }),
    ];
    await report('tried.xlsx', rows);
    const book = await workbook('tried.xlsx');
    const summary = sheetOf(book, 'Summary');
    const at = rowWith(summary, 'Nothing to look at.');
    expect([0, 2, 3, 4].map((below) => rowOf(summary, at + below, 5))).toEqual([
      ['Nothing to look at.', null, null, null, null],
      ['Nothing to do, only to know', 'Payments', 'Amount', 'Currency', 'Where'],
      ['Settled at a later try', 1, 1200, 'GHS', 'Sheet Payments, column Reason'],
      ['Tried, then canceled', 1, 1200, 'GHS', 'Sheet Payments, column Reason'],
    ]);
    const payments = sheetOf(book, 'Payments');
    for (const row of [2, 3])
      expect(cellOf(payments, row, 'Reason').value).toContain('The first attempt (failed');
  });
});

describe('Decisions on the sheet Summary', () => {
  const decision = (changes: Partial<BatchDecision>): BatchDecision => ({
    at: NOW,
    kind: 'approved',
    what: 'Approved',
    rows: [],
    by: 'kofi',
    why: '12 payments',
    ...changes,
  });

  it('tell who decided what, when and why, of which rows, and where the journal stood', async () => {
    const list = [
      decision({}),
      decision({ what: 'Released', rows: [3, 7], by: 'ama', why: 'asked her' }),
      decision({ what: 'Paused', by: '' }),
    ];
    const sheet = await summaryWith('audit.xlsx', { list, more: 4, head: 'abc123' });
    const at = rowWith(sheet, 'Decisions') + 2;
    expect(rowOf(sheet, at, 5)).toEqual([new Date(NOW), 'Approved', 'whole batch', 'kofi', '12 payments']);
    expect(rowOf(sheet, at + 1, 5).slice(1)).toEqual(['Released', '3, 7', 'ama', 'asked her']);
    expect(sheet.getCell(`D${at + 2}`).value).toBe('payfile');
    expect(sheet.getCell(`A${at + 3}`).value).toBe('… and 4 later entries of the journal.');
    expect(rowOf(sheet, rowWith(sheet, 'Head of the batch in the ledger'), 2)[1]).toBe('abc123');
  });

  it('say so when nothing was decided', async () => {
    const sheet = await summaryWith('undecided.xlsx', { list: [], more: 0, head: '' });
    expect(rowWith(sheet, 'Nothing was decided yet.')).toBeGreaterThan(10);
    expect(rowOf(sheet, rowWith(sheet, 'Digest of the rows'), 2)[1]).toBe('d1d1');
    expect(rowOf(sheet, rowWith(sheet, 'Digest of the last approved plan'), 2)[1]).toBe('a7a7');
  });

  async function summaryWith(name: string, decisions: { list: BatchDecision[]; more: number; head: string }) {
    const rows = aRowPerState();
    const sink = await openReportSink({ path: join(folder, name), format: undefined, fullAccounts: false });
    await writeReport(inPages(rows), aHeader(), {
      sink,
      ledgerTotals: async () => ledgerTotalsOf(rows),
      decisions: async () => decisions,
    });
    return sheetOf(await workbook(name), 'Summary');
  }
});

describe('Payments', () => {
  it('has every row and column of the file in its order, each cell as the text that it was', async () => {
    const rows = aRowPerState().map((row, at) => ({
      ...row,
      cells: [...row.cells.slice(0, 7), `team ${at}`],
    }));
    await report('input.xlsx', rows, { fullAccounts: true });
    const sheet = sheetOf(await workbook('input.xlsx'), 'Payments');
    const first = (sheet.getRow(1).values as unknown[]).indexOf('File: Ref');
    const heads = ['Ref', 'Country', 'Bank', 'Account', 'Name', 'Amount', 'Currency', 'Team'];
    expect(rowOf(sheet, 1, first + 7).slice(first - 1)).toEqual(heads.map((head) => `File: ${head}`));
    for (const [at, row] of rows.entries())
      expect(rowOf(sheet, at + 2, first + 7).slice(first - 1)).toEqual(row.cells);
    expect(cellOf(sheet, 2, 'File: Amount')).toMatchObject({ value: '1,200.00', numFmt: '@' });
  });

  it('masks an account in its own column and wherever else the row repeats it, unless asked for it whole', async () => {
    const cells = { 3: '0244 123 456', 7: 'pay to 0244-123456 please' };
    await report('input-masked.xlsx', [aRow(aPayoutIn('settled'), { cells })]);
    const sheet = sheetOf(await workbook('input-masked.xlsx'), 'Payments');
    expect(cellOf(sheet, 2, 'File: Account').value).toBe('•••• 456');
    expect(String(cellOf(sheet, 2, 'File: Team').value)).not.toContain('123456');
    expect(bytes('input-masked.xlsx').length).toBeGreaterThan(0);
    for (const { xml } of await partsOf('input-masked.xlsx')) expect(xml).not.toMatch(/0244.?123.?456/);
  });

  it('masks an account that stands in a reference or in the words of the service, on every sheet', async () => {
    const state = { basis: 'refused', reason: 'Account 0244123456 is closed' };
    const instruction = { account: new Sensitive('0244123456'), reference: 'WAGE-0244123456' };
    const rows = [
      aPayoutIn('failed', { state, instruction }),
      aPayoutIn('settled', { instruction, rowNumber: 3, id: 'p3' }),
    ];
    await report(
      'repeated.xlsx',
      rows.map((each) => aRow(each)),
    );
    for (const { xml } of await partsOf('repeated.xlsx')) expect(xml).not.toContain('0244123456');
    await report(
      'repeated.csv',
      rows.map((each) => aRow(each)),
      { format: 'journal' },
    );
    expect(bytes('repeated.csv').toString()).toContain('WAGE-••••3456');
  });

  it('masks a wallet also where another column has its number with the country code', async () => {
    const cells = { 3: '0244123456', 7: '+233 24 412 3456' };
    const lines = [aRow(aPayoutIn('settled'), { cells })];
    await report('wallet-masked.xlsx', lines);
    const sheet = sheetOf(await workbook('wallet-masked.xlsx'), 'Payments');
    expect(cellOf(sheet, 2, 'File: Team').value).toBe('••••3456');
  });

  it.each([
    ['a second account', '2087654399', '••••4399'],
    ['another phone', '+233 24 412 3457', '••••3457'],
    ['a part of the account', '244123', '••••'],
    ['an account in words', 'was 0099887766 before', 'was ••••7766 before'],
    ['a large amount', '12500000.50', '12500000.50'],
    ['a code of a branch', '01201', '01201'],
    ['a day', '20261127', '20261127'],
    ['a day in words', 'INV-20261127-014', 'INV-20261127-014'],
    ['digits that are no day', '20261327', '••••1327'],
  ])('masks what looks like an account in columns of the user: %s', async (_, cell, shown) => {
    const own = aRow(aPayoutIn('settled'), { cells: { 3: '0244123456', 7: cell } });
    const name = `own-${cell}.xlsx`;
    await report(name, [own]);
    const sheet = sheetOf(await workbook(name), 'Payments');
    expect(cellOf(sheet, 2, 'File: Team').value).toBe(shown);
  });
});

it('masks digits like a day where the accounts are as short', async () => {
  const instruction = { account: new Sensitive('70123456') };
  const own = aRow(aPayoutIn('settled', { instruction }), { cells: { 3: '70123456', 7: '20261127' } });
  await report('own-short.xlsx', [own]);
  const sheet = sheetOf(await workbook('own-short.xlsx'), 'Payments');
  expect(cellOf(sheet, 2, 'File: Team').value).toBe('••••1127');
});

it('masks an account that stands in the place of a name or an amount, on every sheet', async () => {
  const cells = { 2: '1011130024576', 3: 'GCB Bank', 4: 'Ama 9040006712384', 5: '0244123456' };
  const swapped = aRow(aPayoutIn('invalid'), { cells });
  await report('swapped.xlsx', [swapped]);
  const found = (await partsOf('swapped.xlsx')).flatMap(({ xml }) => [
    ...xml.matchAll(/1011130024576|9040006712384|0244123456/g),
  ]);
  expect(found).toEqual([]);
  await report('swapped-whole.xlsx', [swapped], { fullAccounts: true });
  const sheet = sheetOf(await workbook('swapped-whole.xlsx'), 'Payments');
  const heads = ['Bank', 'Account', 'Name', 'Amount'];
  expect(heads.map((head) => cellOf(sheet, 2, `File: ${head}`).value)).toEqual([
    '1011130024576',
    'GCB Bank',
    'Ama 9040006712384',
    '0244123456',
  ]);
});

describe('every sheet', () => {
  it('has its parts in the order that the format demands, or an office program would want to repair it', async () => {
    await report('order.xlsx', aRowPerState());
    const order = [
      'sheetPr',
      'sheetViews',
      'sheetFormatPr',
      'cols',
      'sheetData',
      'autoFilter',
      'conditionalFormatting',
      'pageMargins',
      'pageSetup',
      'headerFooter',
    ];
    const sheets = (await partsOf('order.xlsx')).filter(({ name }) => name.includes('worksheets/'));
    expect(sheets).toHaveLength(4);
    for (const { name, xml } of sheets) {
      const top = [
        ...xml.replace(/<sheetData>.*<\/sheetData>/s, '<sheetData/>').matchAll(/<([A-Za-z]+)[\s/>]/g),
      ].flatMap(([, tag = '']) => (order.includes(tag) ? [order.indexOf(tag)] : []));
      expect(top, name).toEqual([...top].sort((one, other) => one - other));
      expect(xml).not.toMatch(/<(hyperlinks|dataValidations|sheetProtection|mergeCells)/);
    }
  });

  it('colours by a rule for a whole range, never by one per cell', async () => {
    await report('rules.xlsx', rowsIn(...Array.from({ length: 40 }, () => 'settled' as const)));
    const sheets = (await partsOf('rules.xlsx')).filter(({ name }) => name.includes('worksheets/'));
    for (const { xml } of sheets)
      expect(xml.split('<conditionalFormatting').length - 1).toBeLessThanOrEqual(10);
    const payments = sheets.find(({ xml }) => xml.includes('>Counted as<'))?.xml ?? '';
    expect(payments).toContain('<conditionalFormatting sqref="A2:AJ41">');
  });

  it('prints lying on A4 with its pages numbered, and repeats its header where it has rows', async () => {
    await report('pages.xlsx', aRowPerState());
    const book = await workbook('pages.xlsx');
    for (const sheet of book.worksheets) {
      expect(sheet.pageSetup, sheet.name).toMatchObject({
        paperSize: 9,
        orientation: 'landscape',
        fitToHeight: 0,
      });
      expect(sheet.headerFooter.oddFooter, sheet.name).toContain('Page &P of &N');
    }
    for (const name of ['Payments', 'Journal']) {
      const sheet = sheetOf(book, name);
      expect(sheet.pageSetup.printTitlesRow, name).toBe('1:1');
      expect(sheet.views[0], name).toMatchObject({ state: 'frozen', ySplit: 1 });
    }
    const payments = sheetOf(book, 'Payments');
    expect(payments.pageSetup).toMatchObject({ printTitlesColumn: 'A:C' });
    expect(payments.headerFooter.oddFooter).toBe('&LLIVE · may-2026&RPage &P of &N');
    expect(payments.views[0]).toMatchObject({ xSplit: 3 });
    expect(payments.autoFilter).toBe('A1:AJ13');
  });
});

it('keeps what waits for its sheet packed, and gives back exactly that, in its order', async () => {
  const kept = new DeflatedRows();
  const rows = Array.from({ length: 3_000 }, (_, at) => [at, `é\n"${at}"\u2028`, '', '😀'.repeat(at % 50)]);
  for (const [at, row] of rows.entries()) {
    kept.add(row);
    if (at % 700 === 0) await kept.packed();
  }
  const given: unknown[] = [];
  for await (const row of kept.rows()) given.push(row);
  expect(given).toEqual(rows);
  expect(kept.count).toBe(3_000);
});

it.runIf(process.env['SOAK'] === '1')('holds 200,000 rows in less than 300 MB', { timeout: 600_000 }, () => {
  const script = fileURLToPath(new URL('large-workbook.ts', import.meta.url));
  const told = execFileSync(process.execPath, [script, '200000', join(folder, 'large.xlsx')]);
  expect(Number(told)).toBeLessThan(300);
});

it('[L38] is the same to the last byte for a thousand rows in pages of any size', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) =>
    aRow(aPayoutIn('settled', { rowNumber: at + 2, id: `p${at}` })),
  );
  for (const [name, size] of [
    ['small-pages.xlsx', 7],
    ['large-pages.xlsx', 900],
  ] as const) {
    const sink = await openReportSink({ path: join(folder, name), format: undefined, fullAccounts: false });
    await writeReport(inPages(rows, size), aHeader(), {
      sink,
      ledgerTotals: async () => ledgerTotalsOf(rows),
    });
  }
  expect(bytes('small-pages.xlsx').equals(bytes('large-pages.xlsx'))).toBe(true);
});
