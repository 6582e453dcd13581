/** A month says of each of its batches which rows are not in it, and why: nobody takes it for the whole batch. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GOOD, NEVER_FINISHES, type Office, openOffice, REFUSED } from '../builders/office.ts';
import { faultsAgainst } from '../files/report/schema-check.ts';

const schema = JSON.parse(readFileSync(new URL('../../samples/report.schema.json', import.meta.url), 'utf8'));
type Line = Readonly<Record<string, string>>;
const DAYS = ['--from', '2026-01-01', '--to', '2099-12-31'];

let office: Office;
beforeEach(() => {
  office = openOffice();
});
afterEach(() => office.close());

const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');

/** Rows 2 and 3 are paid, 4 fails and is paid by another batch, 5, 6 and 8 are held, 7 is withdrawn. */
async function aMonth() {
  const rows = [GOOD[0], GOOD[1], REFUSED, ...['', '', '', ''].map((_, at) => `101113002451${at}`)];
  const cells = rows.map(
    (account, at) => `R-${at},GH,GCB Bank,${account},1000.00,${at > 2 ? 'Nobody Else' : ''},CC-${at}`,
  );
  const head = 'Reference,Country,Institution,Account,Amount,Name,Cost centre';
  office.file('may.csv', `${[head, ...cells].join('\n')}\n`);
  expect((await sandbox('run', 'may.csv', '--batch', 'may', '--yes')).code).toBe(3);
  expect((await sandbox('cancel', 'may', '7', '--reason', 'left')).code).toBe(0);
  await sandbox('report', 'may', '--only', 'unpaid', '--as-input', '-o', 'redo.csv');
  office.file('redo.csv', readFileSync(office.at('redo.csv'), 'utf8').replaceAll(REFUSED, GOOD[2] ?? ''));
  const again = ['run', 'redo.csv', '--batch', 'may-redo', '--yes'];
  await sandbox(...again);
  await sandbox('release', 'may-redo', '--all', '--kind', 'other_account', '--reason', 'asked by telephone');
  expect((await sandbox(...again)).code).toBe(0);
}

it('counts the rows left out of it, in the terminal, in JSON and in the workbook, to the last row of each batch', {
  timeout: 60_000,
}, async () => {
  await aMonth();
  const shown = await sandbox('report', ...DAYS, '-o', 'month.xlsx');
  expect(shown.stdout).toContain(
    [
      '  Batch may: 3 of 7 rows. Left out:',
      '    3 held: rows 5-6, 8',
      '    1 canceled: row 7',
      '  Batch may-redo: 1 row',
    ].join('\n'),
  );

  const { batches, next } = (await sandbox('report', ...DAYS, '--json')).json();
  expect(next).toBe('payfile report --from 2026-01-01 --to 2099-12-31 -o payments.xlsx --sandbox');
  expect(batches).toMatchObject([
    { name: 'may', rows: 3, allRows: 7, leftOut: [{ why: 'held' }, { why: 'canceled' }] },
    { name: 'may-redo', rows: 1, allRows: 1, leftOut: [] },
  ]);

  await sandbox('report', ...DAYS, '-o', 'month.json');
  const whole = JSON.parse(readFileSync(office.at('month.json'), 'utf8'));
  expect(faultsAgainst(schema, whole)).toEqual([]);
  type Share = { all_rows: number; rows: number; left_out: { count: number }[] };
  for (const { all_rows, rows, left_out } of whole.batches as Share[])
    expect(left_out.reduce((sum, { count }) => sum + count, rows)).toBe(all_rows);

  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(office.folder, 'month.xlsx'));
  const texts = (name: string) => {
    const lines: unknown[][] = [];
    book.getWorksheet(name)?.eachRow((row) => {
      const cells = Array.from({ length: row.cellCount }, (_, at) => row.getCell(at + 1));
      lines.push(cells.map((cell) => (typeof cell.value === 'object' ? cell.result : cell.value)));
    });
    return lines;
  };
  expect(texts('Summary')).toEqual(
    expect.arrayContaining([
      ['Rows of these batches that are not in this report'],
      ['may', 3, 7, 'held: rows 5-6, 8'],
      ['may', 1, 7, 'canceled: row 7'],
    ]),
  );

  // A column of the file goes into the month and into its journal; one that no file has is refused.
  const kept = ['report', ...DAYS, '--keep', 'cost centre'];
  const columns = (name: string) =>
    parse(readFileSync(office.at(name)), { columns: true, bom: true }) as Line[];
  expect((await sandbox(...kept, '-o', 'month.csv')).code).toBe(0);
  const centres = columns('month.csv').map((line) => [line['Reference'], line['cost centre']]);
  expect(centres).toEqual([
    ['R-0', 'CC-0'],
    ['R-1', 'CC-1'],
    ['R-2', 'CC-2'],
    ['R-2', 'CC-2'],
  ]);
  expect((await sandbox(...kept, '--format', 'journal', '-o', 'journal.csv')).code).toBe(0);
  const booked = columns('journal.csv').map((line) => `${line['reference']} ${line['cost centre']}`);
  expect(new Set(booked)).toEqual(new Set(['R-0 CC-0', 'R-1 CC-1', 'R-2 CC-2']));
  const noJournal = await sandbox('report', ...DAYS, '--journal-profile', 'xero', '-o', 'wrong.csv');
  expect(noJournal.code).toBe(64);
  expect(noJournal.stderr).toContain(
    '--journal-profile is for a journal. Add --format journal, or leave it out.',
  );
  const wrong = await sandbox('report', ...DAYS, '--keep', 'Cost center', '-o', 'wrong.csv');
  expect(wrong.code).toBe(64);
  expect(wrong.stderr).toContain('--keep: no column is called “Cost center”. Did you mean “Cost centre”?');
});

it('has a line for each account of the books, of a kind of batch and of a currency, and the columns that are kept', {
  timeout: 60_000,
}, async () => {
  office.configure({
    journalAccounts: [
      { paying: '1010 Wallet' },
      { batches: 'payroll', owed: '2110 Net wages' },
      { currency: 'GBP', paying: '1020 Wallet in pounds' },
      { currency: 'EUR', paying: '1030 Wallet in euros' },
    ],
  });
  const head = 'Reference,Country,Institution,Account,Amount,Cost centre';
  for (const [at, batch] of ['payroll-1', 'suppliers-1'].entries()) {
    office.file(`${batch}.csv`, `${head}\nP-${at},GH,GCB Bank,${GOOD[at]},${(at + 1) * 1000}.00,CC-${at}\n`);
    expect((await sandbox('run', `${batch}.csv`, '--batch', batch, '--yes')).code).toBe(0);
  }
  const minor = (text: string | undefined) => Math.round(Number(text) * 100);
  const owedBy = async (batch: string) => {
    await sandbox('report', batch, '-o', `${batch}.json`);
    const [row] = JSON.parse(readFileSync(office.at(`${batch}.json`), 'utf8')).rows;
    return minor(row.debit) - minor(row.fee);
  };
  const { accounts } = (await sandbox('report', ...DAYS, '--json')).json() as unknown as {
    readonly accounts: readonly Line[];
  };
  const of = (role: string) =>
    accounts.filter(({ account }) => account === role).map((each) => [each['code'], minor(each['closing'])]);
  const [wages, others] = [await owedBy('payroll-1'), await owedBy('suppliers-1')];
  expect(wages).toBeGreaterThan(0);
  expect(of('owed')).toEqual([
    ['2100', others],
    ['2110', wages],
  ]);
  expect(of('paying').map(([code]) => code)).toEqual(['1020']);
  expect((await sandbox('report', ...DAYS)).stdout).toMatch(/Owed to the payees +2110 +GBP/);

  await sandbox('report', ...DAYS, '--keep', 'Cost centre', '-o', 'month.xlsx');
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(office.at('month.xlsx'));
  const isFormula = (cell: unknown) => typeof cell === 'object' && cell !== null && 'result' in cell;
  const cells = (name: string) =>
    Array.from(book.getWorksheet(name)?.getSheetValues() ?? [], (row) =>
      Array.isArray(row) ? Array.from(row, (cell) => (isFormula(cell) ? cell.result : cell)) : [],
    );
  const journal = cells('Journal');
  const column = (header: string) => journal[1]?.indexOf(header) ?? -1;
  const lines = journal.slice(2).filter((line) => line[column('Account code')] !== undefined);
  const centres = new Set(lines.map((line) => `${line[column('Reference')]} ${line[column('Cost centre')]}`));
  expect(centres).toEqual(new Set(['P-0 CC-0', 'P-1 CC-1']));
  const codes = new Set(lines.map((line) => line[column('Account code')]));
  expect(codes.isSupersetOf(new Set(['2100', '2110', '1020']))).toBe(true);
  const summary = cells('Summary');
  const below = summary.slice(summary.findIndex((line) => line.includes('To be posted')) + 1);
  const posted = below.slice(
    0,
    below.findIndex((line) => line.includes('Total')),
  );
  const owed = posted.filter((line) => line.includes('Owed to the payees')).map((line) => line.slice(1, 4));
  expect(owed).toEqual([
    ['Owed to the payees', '2100', others / 100],
    ['Owed to the payees', '2110', wages / 100],
  ]);
});

it('names the batch whose payment is still on its way at the end of the days, with the command that shows it', async () => {
  office.file('may.csv', `Country,Institution,Account,Amount\nGH,GCB Bank,${NEVER_FINISHES},100.00\n`);
  expect((await sandbox('run', 'may.csv', '--batch', 'may', '--yes', '--deadline', '1s')).code).toBe(4);
  const { stdout, stderr } = await sandbox('report', ...DAYS);
  expect(stdout).toMatch(/Open at the end: 1 payment, GBP \d+\.\d\d on its way\./);
  expect(stderr).toContain('Of batch may. How they stand now: payfile status may --sandbox.');
  expect((await sandbox('status', 'may')).stdout).toContain('on its way');
});
