import { join } from 'node:path';
import { expect, it } from 'vitest';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { openRows } from '../../../src/files/payout-file.ts';
import { openRedoSink } from '../../../src/files/report/open-report-sink.ts';
import { aPayoutIn, NOW } from '../../builders/payouts.ts';
import { aHeader, aRow, aRowPerState, DAY, HEADERS } from '../../builders/report-rows.ts';
import { folder, redo, sheetOf, workbook } from './written.ts';

const later = aHeader({ madeAt: timestampOf(NOW + 2 * DAY) });

async function readBack(name: string): Promise<string[][]> {
  const source = await openRows({ path: join(folder, name) });
  const rows: string[][] = [[...source.headers]];
  for await (const page of source.rows()) rows.push(...page.map((row) => [...row.cells]));
  await source.close();
  return rows;
}

it.each(['redo.xlsx', 'redo.csv'])('writes a file that loads again as input: %s', async (name) => {
  const written = await redo(name, aRowPerState(), later);
  const cells = aRow(aPayoutIn('held')).cells.map((cell) => (cell === '1,200.00' ? '1200.00' : cell));
  expect(await readBack(name)).toEqual([
    [...HEADERS, 'source', 'payfile_replaces'],
    [...cells, 'c-gb', 'p11'],
    [...cells, 'c-gb', 'p12'],
  ]);
  expect(written.rows).toBe(2);
});

it('tells how many rows went in and why others were left out', async () => {
  const written = await redo('told.xlsx', aRowPerState(), later);
  expect(written.unpaid).toEqual({ failed: 1, returned: 1 });
  expect(Object.fromEntries(written.leftOut)).toEqual({
    'already paid': 1,
    'on the way': 1,
    'perhaps paid': 2,
    'approved, and paid by the next send': 1,
    'still open in the batch': 3,
    'not readable: correct it in the file and run the batch again': 1,
    'withdrawn by a person (written too if canceled rows are included)': 1,
  });
});

it('keeps every cell as text, with its leading zeros and without a formula', async () => {
  await redo('text.xlsx', [aRow(aPayoutIn('returned'), { cells: { 0: '=1+1', 3: '0244123456' } })], later);
  const sheet = sheetOf(await workbook('text.xlsx'), 'Payments');
  for (const column of [1, 4]) {
    const cell = sheet.getRow(2).getCell(column);
    expect([typeof cell.value, cell.numFmt, cell.formula]).toEqual(['string', '@', undefined]);
  }
  expect(sheet.getRow(2).getCell(1).value).toBe('=1+1');
});

it('is a workbook or a CSV and nothing else', async () => {
  const opening = openRedoSink({ path: join(folder, 'redo.json'), format: undefined });
  await expect(opening).rejects.toThrow('is a .xlsx or a .csv');
});
