import type ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { STATUSES } from '../../../src/domain/payouts/payout.ts';
import { STATUS_WORDS } from '../../../src/domain/reporting/status-words.ts';
import { aPayoutIn, aPricing, money, NOW } from '../../builders/payouts.ts';
import {
  aBatch,
  aHeader,
  aRow,
  aRowPerState,
  ledgerTotalsOf,
  rowsIn,
  sentAtRate,
} from '../../builders/report-rows.ts';
import { bytes, cellOf, names, partsOf, report, sheetOf, workbook } from './written.ts';

const valuesOf = (sheet: ExcelJS.Worksheet, column: number): unknown[] =>
  (sheet.getColumn(column).values as unknown[]).filter((value) => value !== undefined && value !== null);

it('opens on a summary that says live or sandbox, then the outcome, then whether it ties', async () => {
  await report('live.xlsx', rowsIn('settled', 'failed', 'in_doubt'));
  const book = await workbook('live.xlsx');
  expect(book.worksheets.map((sheet) => sheet.name)).toEqual([
    'Summary',
    'Exceptions',
    'Payments',
    'Journal',
    'Accounts',
    'Decisions and audit',
    'Input as received',
    'Control totals',
    'Read me',
  ]);
  const summary = sheetOf(book, 'Summary');
  expect(summary.getCell('A1').value).toBe('LIVE');
  expect(summary.getCell('A2').value).toBe('3 payments: 1 settled, 1 failed, 1 in doubt');
  expect(summary.getCell('B3').value).toBe('ties');
  await report('rehearsal.xlsx', rowsIn('settled'), { header: aHeader({ environment: 'sandbox' }) });
  expect(sheetOf(await workbook('rehearsal.xlsx'), 'Summary').getCell('A1').value).toBe('SANDBOX');
});

it('calls the input as it was read, and not as received, where people corrected cells of it', async () => {
  const header = aHeader();
  const { createdAt: day } = header.batch;
  const corrected = { receivedSha256: 'ab'.repeat(32), cells: 1, by: ['ada'], firstAt: day, lastAt: day };
  const batch = { ...header.batch, file: { ...header.batch.file, corrected } };
  await report('corrected.xlsx', rowsIn('settled'), { header: { ...header, batch } });
  const book = await workbook('corrected.xlsx');
  expect(book.worksheets.map((sheet) => sheet.name).at(6)).toBe('Input as read');
  expect(sheetOf(book, 'Read me').getSheetValues().flat()).toContain('Input as read');
});

it('has a title with the organisation and the days, and no group of money in which nothing is', async () => {
  await report('title.xlsx', rowsIn('settled', 'failed'), { header: aHeader({ organization: 'Acme Ltd' }) });
  const summary = sheetOf(await workbook('title.xlsx'), 'Summary');
  expect(summary.getCell('B1').value).toBe('Acme Ltd · Payments of may-2026 · sent 2026-05-25 (UTC)');
  const heads = summary.getRow(8).values as unknown[];
  expect(heads.slice(1)).toEqual(['Currency', 'Payments', 'Requested', 'Settled', 'Failed']);
});

it('names who was paid where the file has no names, and wraps the reason that Summary sends people to', async () => {
  const pricing = aPricing({ nameCheck: { result: 'match', resolved: 'AMA MENSAH', reason: 'same name' } });
  const nameless = aRow(aPayoutIn('failed', { instruction: { name: '' }, state: { pricing } }), {
    cells: { 4: '' },
  });
  await report('nameless.xlsx', [nameless]);
  const payments = sheetOf(await workbook('nameless.xlsx'), 'Payments');
  expect(cellOf(payments, 2, 'Name').value).toBe('AMA MENSAH');
  for (const column of ['Reason', 'What to do'])
    expect(cellOf(payments, 2, column).alignment).toMatchObject({ wrapText: true });
});

it('never cuts the name of a batch: neither in a footer nor beside a filled cell', async () => {
  const name = `payroll of the second half of the month of May in the northern depots, ${'very '.repeat(5)}late`;
  await report('named.xlsx', rowsIn('settled'), { header: aHeader({ batch: aBatch({ name }) }) });
  const book = await workbook('named.xlsx');
  expect(sheetOf(book, 'Payments').headerFooter.oddFooter).toContain(`LIVE · ${name}&R`);
  const batch = cellOf(sheetOf(book, 'Journal'), 2, 'Batch');
  expect(batch).toMatchObject({ value: name, alignment: { wrapText: true } });
  expect(sheetOf(book, 'Journal').getRow(2).height).toBeGreaterThan(30);
});

it('has one payment per row of the file, in its order, each with word and symbol', async () => {
  await report('states.xlsx', aRowPerState());
  const payments = sheetOf(await workbook('states.xlsx'), 'Payments');
  expect(payments.rowCount).toBe(13);
  for (const [at, status] of STATUSES.entries()) {
    expect(cellOf(payments, at + 2, 'Row').value).toBe(at + 2);
    const { symbol, word } = STATUS_WORDS[status];
    expect(cellOf(payments, at + 2, 'Status').value).toBe(`${symbol} ${word}`);
  }
});

it('writes amounts as numbers in the form of their currency', async () => {
  const amounts = ['GHS 1200.00', 'XOF 150000', 'TND 3.333'].map(money);
  const rows = amounts.map((amount, at) =>
    aRow(aPayoutIn('settled', { rowNumber: at + 2, instruction: { amount } })),
  );
  await report('amounts.xlsx', rows);
  const payments = sheetOf(await workbook('amounts.xlsx'), 'Payments');
  const cells = [2, 3, 4].map((row) => cellOf(payments, row, 'Amount'));
  expect(cells.map((cell) => [cell.value, cell.numFmt])).toEqual([
    [1200, '#,##0.00;[Red](#,##0.00);"–"'],
    [150_000, '#,##0;[Red](#,##0);"–"'],
    [3.333, '#,##0.000;[Red](#,##0.000);"–"'],
  ]);
});

it('writes an amount that a double cannot hold as text, and its sums, too', async () => {
  const amount = money('GHS 999999999999999.99');
  await report('huge.xlsx', [aRow(aPayoutIn('settled', { instruction: { amount } }))]);
  const book = await workbook('huge.xlsx');
  expect(cellOf(sheetOf(book, 'Payments'), 2, 'Amount').value).toBe('999,999,999,999,999.99');
  const control = sheetOf(book, 'Control totals');
  expect(control.getCell('C8').value).toBe('999,999,999,999,999.99');
  expect(control.getCell('F8').value).toBe('ties');
});

it('keeps accounts, references and ids as text, and masks accounts unless asked for', async () => {
  const row = aRow(aPayoutIn('settled', { instruction: { reference: '000123' } }));
  await report('masked.xlsx', [row]);
  const payments = sheetOf(await workbook('masked.xlsx'), 'Payments');
  expect(cellOf(payments, 2, 'Account').value).toBe('••••3456');
  expect(cellOf(payments, 2, 'Reference').value).toBe('000123');
  expect(cellOf(payments, 2, 'Reference').numFmt).toBe('@');
  await report('whole.xlsx', [row], { fullAccounts: true });
  expect(cellOf(sheetOf(await workbook('whole.xlsx'), 'Payments'), 2, 'Account').value).toBe('0244123456');
});

it('has no formula but those that look up an account of the books', async () => {
  const evil = '=HYPERLINK("http://evil","x")';
  const row = aRow(
    aPayoutIn('failed', {
      state: { serviceStatus: evil, reason: evil },
      instruction: { reference: evil, name: evil },
    }),
  );
  await report('evil.xlsx', [row], { header: aHeader({ batch: aBatch({ name: evil, maker: evil }) }) });
  const book = await workbook('evil.xlsx');
  expect(cellOf(sheetOf(book, 'Payments'), 2, 'Reference').value).toBe(evil);
  const formulas: string[] = [];
  for (const sheet of book.worksheets)
    sheet.eachRow((cells) => cells.eachCell((cell) => void (cell.formula && formulas.push(cell.formula))));
  expect(formulas.length).toBeGreaterThan(5);
  for (const formula of formulas) expect(formula).toMatch(/^Accounts!\$[BC]\$\d$/);
});

it('lists what a person must look at, the gravest first, with room to work', async () => {
  const incident = aRow(aPayoutIn('settled', { rowNumber: 40, state: { incident: true } }));
  const suspicion = { word: 'Failed', firstAt: NOW };
  const suspected = aRow(aPayoutIn('accepted', { rowNumber: 41, state: { suspicion } }));
  await report('exceptions.xlsx', [...aRowPerState(), suspected, incident]);
  const exceptions = sheetOf(await workbook('exceptions.xlsx'), 'Exceptions');
  expect(valuesOf(exceptions, 4)).toEqual([
    'Status',
    '✔ Settled',
    '? In doubt',
    '? Being sent',
    '! On its way, called failed or returned',
    '✖ Failed',
    '↩ Returned',
    '– Not sent: held',
    '– Not sent: invalid',
  ]);
  expect(cellOf(exceptions, 3, 'What to do').value).toContain('payfile resolve may-2026 8 --paid');
  for (const header of ['Owner', 'Due', 'Note']) expect(cellOf(exceptions, 3, header).value).toBeNull();
});

it('says that nothing is to be looked at when all is settled', async () => {
  await report('calm.xlsx', rowsIn('settled', 'settled'));
  const exceptions = sheetOf(await workbook('calm.xlsx'), 'Exceptions');
  expect(exceptions.getCell('A2').value).toBe('Nothing to look at.');
  expect(exceptions.pageSetup.fitToWidth).toBe(1);
});

it('hides no exception without a word when there are too many to list', async () => {
  const held = Array.from({ length: 5_002 }, (_, at) => aRow(aPayoutIn('held', { rowNumber: at + 2 })));
  await report('many.xlsx', held);
  // Reading so many rows as a workbook takes seconds.
  const exceptions = (await partsOf('many.xlsx')).find(({ xml }) => xml.includes('>Owner<'))?.xml;
  expect(exceptions).toMatch(
    /<c r="A5002"[^>]*>[^/]*>… and 2 more “Not sent: held”: filter the sheet Payments by Status\.</,
  );
});

describe('Control totals', () => {
  it('ties, and its groups come to what was requested', async () => {
    await report('control.xlsx', aRowPerState());
    const control = sheetOf(await workbook('control.xlsx'), 'Control totals');
    expect(control.getCell('B2').value).toBe('ties');
    expect(control.getCell('C5').value).toBe(12);
    const row = ['C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M'].map(
      (letter) => control.getCell(`${letter}8`).value,
    );
    expect(row).toEqual([13_200, 1200, 1200, 2400, 1200, 1200, 1200, 1200, 3600, 13_200, 'ties']);
  });

  it('says by how much lines and ledger part', async () => {
    const rows = rowsIn('settled', 'settled');
    const ledger = ledgerTotalsOf(rows).map((total) => ({ ...total, minor: total.minor + 1n }));
    await report('parts.xlsx', rows, { ledger });
    const book = await workbook('parts.xlsx');
    const control = sheetOf(book, 'Control totals');
    expect(control.getCell('B2').value).toBe('differs');
    expect(control.getCell('G11').value).toBe('differs by GHS -0.01');
    expect(sheetOf(book, 'Summary').getCell('A4').value).toBe(
      'Settled in GHS: the ledger has 2 rows, GHS 2,400.01, the report 2 rows, GHS 2,400.00.',
    );
  });
});

it('is the same to the last byte for the same state, but for the one cell that says when it was made', async () => {
  const header = aHeader();
  const rows = () => aRowPerState().map((row) => sentAtRate(row, '15.4'));
  await report('one.xlsx', rows(), { header });
  await report('two.xlsx', rows(), { header });
  expect(bytes('one.xlsx').equals(bytes('two.xlsx'))).toBe(true);
  const madeAt = (NOW + 60_000) as typeof NOW;
  await report('later.xlsx', rows(), { header: { ...header, madeAt } });
  expect(await differingCells('one.xlsx', 'later.xlsx')).toEqual(['Summary 2026-05-25T06:16:00.000Z']);
});

async function differingCells(left: string, right: string): Promise<string[]> {
  const [one, two] = [await workbook(left), await workbook(right)];
  const differing: string[] = [];
  for (const sheet of two.worksheets) {
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        const before = sheetOf(one, sheet.name).getCell(cell.address).value;
        if (JSON.stringify(before) !== JSON.stringify(cell.value))
          differing.push(`${sheet.name} ${cell.value}`);
      }),
    );
  }
  return differing;
}

it('keeps what Excel would choke on out of the file: long cells, half characters, controls', async () => {
  const odd = `a\u0000b\ud800c\uffff${'x'.repeat(40_000)}`;
  await report('odd.xlsx', [aRow(aPayoutIn('settled', { instruction: { name: odd } }))]);
  const name = String(cellOf(sheetOf(await workbook('odd.xlsx'), 'Payments'), 2, 'Name').value);
  expect(name.length).toBeLessThanOrEqual(32_767);
  expect(name.startsWith('a\\u0000b�c\\uffffxxx')).toBe(true);
});

it('leaves nothing behind when the batch cannot be read to its end', async () => {
  const broken = async function* () {
    yield aRowPerState();
    throw new Error('the disk went away');
  };
  const { openReportSink } = await import('../../../src/files/report/open-report-sink.ts');
  const { writeReport } = await import('../../../src/use-cases/report/report-batch.ts');
  const { folder } = await import('./written.ts');
  for (const name of ['half.xlsx', 'half.csv', 'half.json']) {
    const sink = await openReportSink({ path: `${folder}/${name}`, format: undefined, fullAccounts: false });
    const writing = writeReport(broken(), aHeader(), { sink, ledgerTotals: async () => [] });
    await expect(writing).rejects.toThrow('the disk went away');
  }
  expect(names().filter((name) => name.includes('half'))).toEqual([]);
});
