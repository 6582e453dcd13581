/** A kept reading binds the columns of files with its headers, of both formats, and of no others. */
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { Said } from '../../src/domain/reading/answer.ts';
import type { Reading, ReadingAsked } from '../../src/domain/reading/reading.ts';
import type { Field } from '../../src/domain/rows/row.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { readBytes, refusal } from './read-file.ts';

const HEADERS = ['Who', 'Where to', 'House', 'Number of it', 'How much', 'Account'];
const map = (field: Field, header: string): Said => ({
  ...{ kind: 'map', field, headers: [header] },
  ...{ by: 'ada', at: timestampOf(0) },
});
const ACME: Reading = {
  name: 'acme',
  headers: HEADERS,
  answers: [
    map('name', 'Who'),
    map('country', 'Where to'),
    map('institution', 'House'),
    map('account', 'Number of it'),
    map('amount', 'How much'),
  ],
};
const ROW = ['Ama', 'GH', 'GCB Bank', '0244', '9.00', 'ledger 7'];
const csv = (...lines: readonly (readonly string[])[]) => lines.map((line) => `${line.join(';')}\n`).join('');
const asked: ReadingAsked = { answers: [], edits: [], kept: [ACME] };

async function xlsx(...lines: readonly (readonly string[])[]): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('May');
  for (const line of lines) sheet.addRow([...line]);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

describe('[F27] the columns of a recognised file', () => {
  it('are those that were said, also where another column has a better known name', async () => {
    for (const bytes of [csv(HEADERS, ROW), await xlsx(HEADERS, ROW)]) {
      const { source } = await readBytes(bytes, { asked });
      expect(source.columns.get('account')).toBe(3);
      expect([...source.columns.keys()].sort()).toEqual([
        ...['account', 'amount', 'country', 'institution', 'name'],
      ]);
      expect(source.reading?.name).toBe('acme');
    }
  });

  it('are found below a title and in another order', async () => {
    const title = ['Acme', 'Country: GH', 'Account: payroll', '', '', ''];
    const order = [5, 3, 0, 4, 2, 1];
    const turned = (line: readonly string[]) => order.map((at) => line[at] ?? '');
    const { source } = await readBytes(csv(title, turned(HEADERS), turned(ROW)), { asked });
    expect(source.headerRow).toBe(2);
    expect(source.columns.get('account')).toBe(1);
    expect(source.columns.get('country')).toBe(5);
  });

  it('give way to what is said now', async () => {
    const now = { ...asked, answers: [map('account', 'Account')] };
    const { source } = await readBytes(csv(HEADERS, ROW), { asked: now });
    expect(source.columns.get('account')).toBe(5);
    expect(source.columns.get('amount')).toBe(4);
  });

  it('never lose the column that says which payout a row replaces', async () => {
    const { source } = await readBytes(csv([...HEADERS, 'payfile_replaces'], [...ROW, '17']), { asked });
    expect(source.reading?.name).toBe('acme');
    expect(source.columns.get('replaces')).toBe(6);
  });

  it('are not taken from a reading of other headers', async () => {
    const message = await refusal(csv([...HEADERS, 'Team'], [...ROW, 'Sales']), { asked });
    expect(message).toMatch(/may be the header, but no column of it is known for country/);
  });
});
