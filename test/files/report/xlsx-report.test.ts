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
import { bytes, cellOf, names, report, rowWith, sheetOf, workbook } from './written.ts';

it('opens on a summary that says live or sandbox, then the outcome, then whether it ties', async () => {
  await report('live.xlsx', rowsIn('settled', 'failed', 'in_doubt'));
  const book = await workbook('live.xlsx');
  expect(book.worksheets.map((sheet) => sheet.name)).toEqual(['Summary', 'Payments', 'Journal', 'Accounts']);
  const summary = sheetOf(book, 'Summary');
  expect(summary.getCell('A1').value).toBe('LIVE');
  expect(summary.getCell('A3').value).toBe('3 payments: 1 settled, 1 failed, 1 in doubt');
  expect(summary.getCell('A2').value).toBe('GBP 78.44 spent, GBP 78.44 open');
  expect(summary.getCell('A4').value).toBe('ties');
  expect(summary.getCell('B4').value).toBe('Balanced against payfile’s own count');
  await report('rehearsal.xlsx', rowsIn('settled'), { header: aHeader({ environment: 'sandbox' }) });
  expect(sheetOf(await workbook('rehearsal.xlsx'), 'Summary').getCell('A1').value).toBe('SANDBOX');
});

it('has a title with the organisation and the days, and no group of money in which nothing is', async () => {
  await report('title.xlsx', rowsIn('settled', 'failed'), { header: aHeader({ organization: 'Acme Ltd' }) });
  const summary = sheetOf(await workbook('title.xlsx'), 'Summary');
  expect(summary.getCell('B1').value).toBe('Acme Ltd · Payments of may-2026 · sent 2026-05-25 (UTC)');
  const heads = summary.getRow(6).values as unknown[];
  expect(heads.slice(1)).toEqual(['Currency', 'Payments', 'Requested', 'Settled', 'Failed', 'Fees', 'Cost']);
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
    [1200, '#,##0.00 "GHS";[Red](#,##0.00) "GHS";"–"'],
    [150_000, '#,##0 "XOF";[Red](#,##0) "XOF";"–"'],
    [3.333, '#,##0.000 "TND";[Red](#,##0.000) "TND";"–"'],
  ]);
});

it('writes an amount that a double cannot hold as text, and its sums, too', async () => {
  const amount = money('GHS 999999999999999.99');
  await report('huge.xlsx', [aRow(aPayoutIn('settled', { instruction: { amount } }))]);
  const book = await workbook('huge.xlsx');
  expect(cellOf(sheetOf(book, 'Payments'), 2, 'Amount').value).toBe('999,999,999,999,999.99 GHS');
  const control = sheetOf(book, 'Summary');
  expect(control.getCell('C7').value).toBe('999,999,999,999,999.99');
  expect(control.getCell('A4').value).toBe('ties');
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

it('begins Payments with date, reference, name, amount, debit and status, in the zone asked for', async () => {
  await report('first.xlsx', rowsIn('settled'), { header: aHeader({ timeZone: 'Pacific/Kiritimati' }) });
  const payments = sheetOf(await workbook('first.xlsx'), 'Payments');
  const heads = payments.getRow(1).values as unknown[];
  expect(heads.slice(1, 7)).toEqual(['Date', 'Reference', 'Name', 'Amount', 'Debit', 'Status']);
  expect(heads).toContain('Sent (Pacific/Kiritimati)');
  expect(cellOf(payments, 2, 'Sent (Pacific/Kiritimati)').value).toEqual(new Date(NOW + 14 * 3_600_000));
});

it('says in Payments which rows to look at, with reason and steps', async () => {
  await report('look.xlsx', aRowPerState());
  const payments = sheetOf(await workbook('look.xlsx'), 'Payments');
  const marked = STATUSES.filter((_, at) => cellOf(payments, at + 2, 'To look at').value !== null);
  expect([...marked].sort()).toEqual(['failed', 'held', 'in_doubt', 'invalid', 'returned', 'sending']);
  expect(cellOf(payments, 8, 'What to do').value).toContain('payfile resolve may-2026 8 --paid');
});

it('counts on Summary every row to look at, and says how many that differ it does not name', async () => {
  const discrepancies = ['amount: the service shows 555.55, asked was GHS 1200.00'];
  const differing = Array.from({ length: 7 }, (_, at) =>
    aRow(aPayoutIn('settled', { rowNumber: at + 2, state: { discrepancies } })),
  );
  const held = Array.from({ length: 40 }, (_, at) => aRow(aPayoutIn('held', { rowNumber: at + 9 })));
  await report('many.xlsx', [...differing, ...held]);
  const book = await workbook('many.xlsx');
  const summary = sheetOf(book, 'Summary');
  const look = rowWith(summary, 'What to look at');
  expect([1, 2].map((below) => (summary.getRow(look + below).values as unknown[]).slice(1, 3))).toEqual([
    ['Not sent: held', 40],
    ['Settled, differs', 7],
  ]);
  const named = (summary.getColumn(1).values as unknown[]).filter((text) => /^Row \d/.test(String(text)));
  expect(named).toHaveLength(5);
  expect(rowWith(summary, '… and 2 rows more that differ: sheet Payments.')).toBeGreaterThan(look);
  const payments = sheetOf(book, 'Payments');
  const marked = Array.from({ length: 47 }, (_, at) => cellOf(payments, at + 2, 'To look at').value);
  expect(marked).not.toContain(null);
});

describe('the checks', () => {
  it('say by how much lines and ledger part', async () => {
    const rows = rowsIn('settled', 'settled');
    const ledger = ledgerTotalsOf(rows).map((total) => ({ ...total, minor: total.minor + 1n }));
    await report('parts.xlsx', rows, { ledger });
    const summary = sheetOf(await workbook('parts.xlsx'), 'Summary');
    expect(summary.getCell('A4').value).toBe('differs');
    expect(summary.getCell('A5').value).toBe(
      'Settled in GHS: the ledger has 2 rows, GHS 2,400.01, the report 2 rows, GHS 2,400.00.',
    );
    expect(summary.getSheetValues().flat()).toContain('differs by GHS -0.01');
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
  expect(await differingCells('one.xlsx', 'later.xlsx')).toEqual(['Summary 2026-05-25 06:16:00 UTC']);
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
