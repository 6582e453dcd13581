/** Totals by a column of the file, such as a cost centre: of a batch and over days. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GOOD, type Office, openOffice, REFUSED } from '../builders/office.ts';
import { faultsAgainst } from '../files/report/schema-check.ts';

let office: Office;
beforeEach(() => {
  office = openOffice();
});
afterEach(() => office.close());

const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');
const DAYS = ['--from', '2026-01-01', '--to', '2099-12-31'];

/** Clinic: 50.00 and 60.00; School: 70.00 that is refused; nothing: 80.00. */
async function aBatch() {
  const centres = ['Clinic', ' Clinic ', 'School', ''];
  const accounts = [GOOD[0], GOOD[1], REFUSED, GOOD[2]];
  const rows = accounts.map(
    (account, at) => `R-${at},GH,GCB Bank,${account},${50 + at * 10}.00,${centres[at]}`,
  );
  office.file('may.csv', `Reference,Country,Institution,Account,Amount,Cost centre\n${rows.join('\n')}\n`);
  expect((await sandbox('run', 'may.csv', '--batch', 'may', '--yes')).code).toBe(3);
}

const sums = (grouped: {
  groups: { value: string; rows: number; totals: { status: string; amount: string }[] }[];
}) =>
  grouped.groups.map(({ value, rows, totals }) => [
    value,
    rows,
    ...totals.map(({ status, amount }) => `${status} ${amount}`),
  ]);

const WANTED = [
  ['Clinic', 2, 'settled 110.00'],
  ['School', 1, 'failed 70.00'],
  ['', 1, 'settled 80.00'],
];

it('gives the totals of a batch by a column, on the screen and in each report that has totals', async () => {
  await aBatch();
  const shown = await sandbox('report', 'may', '--group-by', 'cost centre');
  expect(shown.stdout).toMatch(/Clinic +GHS +2 +110\.00 +110\.00 +– +GBP/);
  expect(shown.stdout).toMatch(/School +GHS +1 +70\.00 +– +70\.00 +–/);
  expect(shown.stdout).toMatch(/\(empty\) +GHS +1 +80\.00/);
  for (const end of ['json', 'html', 'xlsx'])
    expect((await sandbox('report', 'may', '--group-by', 'Cost centre', '-o', `may.${end}`)).code).toBe(0);
  const json = JSON.parse(readFileSync(join(office.folder, 'may.json'), 'utf8'));
  expect(faultsAgainst(JSON.parse(readFileSync('samples/report.schema.json', 'utf8')), json)).toEqual([]);
  expect(sums(json.grouped)).toEqual(WANTED);
  expect(readFileSync(join(office.folder, 'may.html'), 'utf8')).toContain('Money by Cost centre');
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(join(office.folder, 'may.xlsx'));
  const summary = JSON.stringify(workbook.getWorksheet('Summary')?.getSheetValues());
  expect(summary).toContain('"Cost centre"');
  expect(summary).toContain('"Clinic"');
});

it('gives them over days, and refuses a column that no file has', async () => {
  await aBatch();
  const told = await sandbox('report', ...DAYS, '--group-by', 'Cost centre', '--json');
  expect(sums(JSON.parse(told.stdout).grouped)).toEqual(WANTED);
  const wrong = await sandbox('report', ...DAYS, '--group-by', 'Department');
  expect(wrong.code).toBe(64);
  expect(wrong.stderr).toContain('--group-by: no column is called “Department”');
});

it('says where a report has no room for a column that is to be kept', async () => {
  await aBatch();
  for (const [format, name] of [
    ['html', 'may.html'],
    ['journal-by-day', 'days.csv'],
  ]) {
    const kept = ['--keep', 'Cost centre', '-o', name ?? '', '--format', format ?? ''];
    const told = await sandbox('report', 'may', ...kept);
    expect(told.code).toBe(64);
    expect(told.stderr).toContain(`A ${format} report has no room for --keep.`);
  }
});
