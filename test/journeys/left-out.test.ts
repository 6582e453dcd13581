/** Rows that stay out of a batch: each is in the report with its name, amount and reason, and in no sum. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GOOD, type Office, openOffice } from '../builders/office.ts';
import { faultsAgainst } from '../files/report/schema-check.ts';

let office: Office;
beforeEach(() => {
  office = openOffice();
});
afterEach(() => office.close());

const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');
const pathTo = (name: string) => join(office.folder, name);

/** Row 3 says Paid, and in its name stands an account; row 4 is zero; below is the total. */
function aBatch() {
  const lines = [
    'Name,Country,Institution,Account,Amount,Status',
    `Ama Mensah,Ghana,MTN Mobile Money,${GOOD[0]},50.00,`,
    `Ben Osei 1011130024509,Ghana,MTN Mobile Money,${GOOD[1]},60.00,PAID 20/11`,
    `Efua Boateng,Ghana,MTN Mobile Money,${GOOD[2]},0.00,`,
    'Total,,,,110.00,',
  ];
  office.file('may.csv', `${lines.join('\n')}\n`);
  const said = ['--leave-out', 'Status=Paid', '--skip-zero', '--names', 'no_match=warn,close_match=warn'];
  return sandbox('run', 'may.csv', '--batch', 'may', ...said, '--yes');
}

it('names each line that is left out, with who said so, in every report that people read', async () => {
  const { code, stdout, stderr } = await aBatch();
  expect(code, stdout + stderr).toBe(0);
  for (const end of ['json', 'html', 'xlsx'])
    expect((await sandbox('report', 'may', '-o', `may.${end}`)).code).toBe(0);
  const json = JSON.parse(readFileSync(pathTo('may.json'), 'utf8'));
  expect(faultsAgainst(JSON.parse(readFileSync('samples/report.schema.json', 'utf8')), json)).toEqual([]);
  expect(json.file.leftOut).toMatchObject({
    rows: [
      { row: 3, why: 'said', amount: '60.00', says: 'Status: PAID 20/11', by: expect.stringMatching(/./) },
      { row: 4, why: 'zero', amount: '0.00', by: expect.stringMatching(/./) },
      { row: 5, why: 'total', name: 'Total', amount: '110.00' },
    ],
    more: 0,
  });
  expect(json.file.leftOut.rows[0].name).toMatch(/ ••••4509$/);
  expect(json.rows).toHaveLength(1);
  const page = readFileSync(pathTo('may.html'), 'utf8');
  expect(page).toContain('Rows of the file that are left out');
  expect(page).toContain('Status: PAID 20/11');
  expect(page).not.toContain('1011130024509');
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(pathTo('may.xlsx'));
  const sheet = workbook.getWorksheet('Left out');
  expect(sheet?.getRow(2).values).toContain('a person said to leave it out');
  expect(sheet?.rowCount).toBe(4);
});

it('says of a row that is left out why it is none of the batch, by its number and its name', async () => {
  await aBatch();
  for (const row of ['4', '3']) {
    const told = await sandbox('explain', 'may', row);
    expect(told.code).toBe(64);
    expect(told.stderr.replace(/\s+/g, ' ')).toContain(`Row ${row} of the file is left out`);
  }
  const released = await sandbox('release', 'may', '3', '--reason', 'paid by cheque');
  expect(released.stderr.replace(/\s+/g, ' ')).toContain(
    'Row 3 of the file is left out, so it is not a payment of this batch: a person said to leave it out (Status: PAID 20/11;',
  );
});
