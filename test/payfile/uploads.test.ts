/** What a page asks about a file that somebody brought: its columns, and the rows to mend. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import { checkFile, columnsOf, nameFor, planFile } from '../builders/library-calls.ts';

let payfile: Payfile;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-uploads-'));
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  payfile = createPayfile(options, { env: { HOME: folder }, cwd: folder });
});
afterEach(async () => {
  await payfile.close();
  rmSync(folder, { recursive: true, force: true });
});
const file = (name: string, ...lines: string[]) => {
  writeFileSync(join(folder, name), lines.join('\n'));
  return join(folder, name);
};
const FAULTS = join(process.cwd(), 'samples/every-fault.csv');

it('gives the rows that cannot be paid whole, with what is wrong in which cell, and how many more there are', async () => {
  const whole = await checkFile(payfile, FAULTS, { keepRows: 10_000 });
  expect(whole.wrongRows.map(({ row, issues }) => ({ row, issues }))).toEqual(whole.issues);
  expect(whole.moreWrongRows).toBe(0);
  const [first] = whole.wrongRows;
  expect(first?.cells).toHaveLength(whole.headers.length);
  const [issue] = first?.issues ?? [];
  expect(whole.headers[whole.columns.get(issue?.field ?? 'account') ?? -1]).toBe(issue?.column);
  const some = await checkFile(payfile, FAULTS, { keepRows: 2 });
  expect([some.wrongRows.length, some.moreWrongRows]).toEqual([2, whole.invalid - 2]);
  const none = await checkFile(payfile, FAULTS);
  expect([none.wrongRows, none.moreWrongRows]).toEqual([[], whole.invalid]);
});

it('refuses to keep more rows than a page can use', async () => {
  await expect(checkFile(payfile, FAULTS, { keepRows: 10_001 })).rejects.toThrow('from 0 to 10000');
});

it('says how the columns of a file are read, with the first values of each', async () => {
  const path = file(
    'may.csv',
    'Country,Bank,Account,Amount,Name,Team',
    'Ghana,MTN Mobile Money,0241234567,10.00,Ama,red',
    'Ghana,MTN Mobile Money,,20.00,Ben,0241234567',
    'Ghana,MTN Mobile Money,0241234569,30.00,Eve,',
    'Ghana,MTN Mobile Money,0241234560,40.00,Max,blue',
  );
  const found = await columnsOf(payfile, path);
  expect(found).toMatchObject({ headerRow: 1, missing: [], refusal: undefined, sheets: [], format: 'csv' });
  expect(found.columns.map(({ letter, header, field }) => [letter, header, field])).toEqual([
    ['A', 'Country', 'country'],
    ['B', 'Bank', 'institution'],
    ['C', 'Account', 'account'],
    ['D', 'Amount', 'amount'],
    ['E', 'Name', 'name'],
    ['F', 'Team', undefined],
  ]);
  expect(found.columns[2]?.values).toEqual(['••••4567', '••••4569', '••••4560']);
  expect(found.columns[5]?.values).toEqual(['red', '••••4567', 'blue']);
});

it('shows the columns of a file that cannot be used: what is missing, and which two mean the same', async () => {
  const path = file(
    'may.csv',
    'Country,Bank,Currency,Devise,Amount,Who',
    'Ghana,MTN Mobile Money,GHS,GHS,9.00,Ama',
  );
  const { columns, missing, refusal } = await columnsOf(payfile, path);
  expect(missing).toEqual(['account']);
  expect(refusal).toContain('currency');
  expect(columns.filter(({ isDoubled }) => isDoubled).map(({ header }) => header)).toEqual([
    'Currency',
    'Devise',
  ]);
  const mapped = await columnsOf(payfile, path, {
    map: new Map([
      ['currency', 'Devise'],
      ['account', 'Who'],
    ]),
  });
  expect([mapped.refusal, mapped.missing]).toEqual([undefined, []]);
  expect(mapped.columns.find(({ field }) => field === 'currency')?.header).toBe('Devise');
});

it('names the sheets of a workbook, also where one has to be chosen', async () => {
  const rows = [
    ['Country', 'Bank', 'Account', 'Amount'],
    ['Ghana', 'MTN Mobile Money', '0241234567', '10.00'],
  ];
  const path = join(folder, 'may.xlsx');
  const book = new ExcelJS.Workbook();
  for (const name of ['May', 'June']) book.addWorksheet(name).addRows(rows);
  await book.xlsx.writeFile(path);
  const open = await columnsOf(payfile, path);
  expect([open.sheets, open.columns]).toEqual([['May', 'June'], []]);
  expect(open.refusal).toContain('more than one sheet');
  expect(await columnsOf(payfile, path, { sheet: 'June' })).toMatchObject({
    sheet: 'June',
    refusal: undefined,
  });
});

it('finds no columns where there is no table', async () => {
  await expect(columnsOf(payfile, file('may.csv', 'hello'))).rejects.toThrow('no header row');
});

it('proposes a name that no batch has, after the name of the file and the month', async () => {
  const proposed = await nameFor(payfile, 'suppliers.csv');
  expect(proposed).toMatch(/^suppliers 20\d\d-[01]\d$/);
  await planFile(payfile, join(process.cwd(), 'samples/suppliers.csv'), { batch: proposed });
  expect(await nameFor(payfile, 'suppliers.csv')).toBe(`${proposed}-2`);
});

it('proposes a name where there is no ledger yet, and creates none', async () => {
  const ledger = join(folder, 'l.db');
  const without = createPayfile(
    { sandbox: true, ledger, actor: 'ada', source: 'GB' },
    { env: { HOME: folder } },
  );
  expect(await nameFor(without, 'pay.csv')).toMatch(/^pay 20\d\d-[01]\d$/);
  await without.close();
  expect(existsSync(ledger)).toBe(false);
});
