/** Workbooks of people: what stands beside the cells, as comments and names of sheets, is asked about as what stands in them. */
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { type Brought, checked, settled } from './a-file-brought.ts';

const ROWS = [
  ['Name', 'Country', 'Bank', 'Account Number', 'Amount'],
  ['Peter Mwangi Kariuki', 'Kenya', 'KCB Bank Kenya', '1182345670', '48250'],
  ['Wanjiru Kamau', 'Kenya', 'M-PESA', '0712345678', '25000'],
  ['Brian Otieno Odhiambo', 'Kenya', 'M-PESA', '0722904417', '19000'],
];

async function workbook(notes: Readonly<Record<string, string>>, sheet = 'Nov'): Promise<Brought> {
  const book = new ExcelJS.Workbook();
  const table = book.addWorksheet(sheet);
  table.addRows(ROWS);
  for (const [cell, note] of Object.entries(notes)) table.getCell(cell).note = note;
  return { name: 'payroll.xlsx', bytes: Buffer.from(await book.xlsx.writeBuffer()) };
}

const THREADED =
  '[Threaded comment]\n\nYour version of Excel allows you to read this. Learn more: https://go.microsoft.com/fwlink/?linkid=870924\n\nComment:\n    hold for now\nReply:\n    ok';

it.each([
  ['Ada Lovelace:\nDO NOT PAY - on unpaid leave', 'do not pay'],
  ['stop', 'stop'],
  ['Hold\n\t-Ada Lovelace', 'hold'],
  [THREADED, 'hold for now'],
])('a comment on a cell that says not to pay is a question: %s', async (note, word) => {
  const file = await workbook({ A1: 'paid by bank', A3: 'checked with HR', E3: note });
  const { questions, offered } = await checked(file);
  expect(questions).toEqual(['rows_not_to_pay']);
  expect(offered).toEqual([`--leave-out 'Cell comments=${word}'`, "--pay-anyway 'Cell comments'"]);
  const { paid } = await settled(file, ['--leave-out', `Cell comments=${word}`], true);
  expect(paid.map(([row]) => row)).toEqual([2, 4]);
});

it('other comments are said to be not used', async () => {
  const { questions, notes } = await checked(await workbook({ B2: 'new branch' }));
  expect(questions).toEqual([]);
  expect(notes).toContain('Not used for the payment, kept for the report: Cell comments');
});

it('a comment on a header speaks of all rows, as a title does', async () => {
  const inThousands = await checked(await workbook({ E1: 'Amounts in thousands' }));
  expect(inThousands.questions).toEqual(['in_thousands']);
  const stopped = await checked(await workbook({ A1: 'DO NOT PAY before the board has met' }));
  expect(stopped.questions).toEqual(['title_against_paying']);
  const harmless = await checked(await workbook({ B1: 'as in the register of 0712345678' }));
  expect(harmless.questions).toEqual([]);
  expect(harmless.notes).toContain('comment above the rows: “as in the register of ••••5678”');
});
