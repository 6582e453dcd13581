/** How the amounts of a file were read stands wherever a person agrees to them or looks at them afterwards. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GOOD, type Office, openOffice } from '../builders/office.ts';

const READ = 'decimal comma, proven by the amounts of the file; row 3: “27.500” is read as 27500';
const STYLE = { decimal: 'comma', basis: 'proven', example: { row: 3, text: '27.500', read: '27500' } };

let office: Office;
beforeEach(() => {
  office = openOffice({ PAYFILE_SOURCE: 'GB' });
});
afterEach(() => office.close());

/** Cells with commas in them stand between semicolons. */
const file = (...amounts: string[]) =>
  office.file(
    'may.csv',
    [
      'Reference;Country;Institution;Account;Amount',
      ...amounts.map((amount, at) => `R-${at + 1};GH;GCB Bank;${GOOD[at] ?? ''};${amount}`),
      '',
    ].join('\n'),
  );

describe('the number style of a file', () => {
  it('makes no 27.50 of 27,500, whoever else proves a decimal comma', { timeout: 60_000 }, async () => {
    file('12.500,00', '27,500');
    const checked = await office.payfile('check', 'may.csv', '--sandbox');
    expect(checked.code).toBe(65);
    expect(checked.stdout.replace(/\s+/g, ' ')).toContain(
      'Row 3, Amount (E): saw “27,500”; expected an amount with one reading; with three digits after the comma, this may ' +
        'be 27500 or 27.500. Write 27500 if that is meant; write 27,50 if 27.500 is meant.',
    );
    expect(checked.stdout).toContain('1 row can be paid');
    expect(checked.stdout).toContain(
      'amounts: decimal comma, proven by the amounts of the file; row 2: “12.500,00” is read as 12500.00',
    );
    expect((await office.payfile('run', 'may.csv', '--sandbox', '--yes')).code).toBe(65);
  });

  it('is told by check and plan, and by every report but CSV, also one that is made later', {
    timeout: 120_000,
  }, async () => {
    file('12.500,00', '27.500');
    const places = ['html', 'xlsx', 'json', 'csv'].map((kind) => join(office.folder, `report.${kind}`));
    expect((await office.payfile('check', 'may.csv', '--sandbox')).stdout).toContain(`amounts: ${READ}`);
    const declared = await office.payfile('check', 'may.csv', '--sandbox', '--decimal', 'comma');
    expect(declared.stdout).toContain('amounts: decimal comma, as declared; row');
    expect((await office.payfile('plan', 'may.csv', '--sandbox', '--json')).json()['file']).toMatchObject({
      amountStyle: STYLE,
    });
    const run = await office.payfile('run', 'may.csv', '--sandbox', '--yes', '--batch', 'may', '--json');
    expect([run.code, run.json()['file']]).toMatchObject([0, { amountStyle: STYLE }]);
    for (const place of places)
      expect((await office.payfile('report', 'may', '--sandbox', '-o', place)).code).toBe(0);
    const [html = '', , json = '', csv = ''] = places.map((place) => readFileSync(place, 'utf8'));
    expect(html).toContain(READ);
    expect(JSON.parse(json).file).toMatchObject({ name: 'may.csv', sheet: null, amountStyle: STYLE });
    expect(csv).not.toContain('decimal comma');
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(places[1] ?? '');
    expect(JSON.stringify(book.getWorksheet('Summary')?.getSheetValues())).toContain(READ);
  });
});
