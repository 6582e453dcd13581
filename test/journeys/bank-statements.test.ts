/** A bank's statement whose columns have names of its own: named once, saved under the bank, and filed as a workbook. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GOOD, payrollCsv, type Row } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const newOffice = officesFor({ PAYFILE_SOURCE: 'GB', PAYFILE_POST_TIMEOUT_MS: '1000' });

it('is refused until its columns are named, and then read by the name of the bank', async () => {
  const { payfile, file, at } = newOffice();
  const sandbox = (...words: string[]) => payfile(...words, '--sandbox');
  const rows = GOOD.slice(0, 2).map((account, index): Row => [account, `${index + 1}00.00`]);
  file('may.csv', payrollCsv(rows));
  expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may')).code).toBe(0);
  const book = (await payfile('sandbox', '--book', '--json', '--full-accounts')).json()['entries'] as {
    at: number;
    amount: string;
    note: string;
  }[];
  const day = (when: number) => new Date(when).toISOString().slice(0, 10);
  const lines = book.map(({ at: when, amount, note }) => [day(when), amount, note].join(','));
  file('st.csv', `Date,Taken,Narration\n${lines.join('\n')}\n`);
  const compare = (...words: string[]) => sandbox('reconcile', 'may', '--statement', 'st.csv', ...words);
  const refused = await compare('--bank', 'Zenith');
  expect(refused.code).toBe(65);
  expect(refused.stderr).toContain(
    'no column is known to hold the amounts of payments. It has “Date”, “Taken”, “Narration”. Name the column, with --map amount=COLUMN',
  );
  const named = await compare('--bank', 'Zenith', '--map', 'debit=Taken', '--json');
  expect(named.json()).toMatchObject({ exitCode: 0, counts: { matched: 2 } });
  expect((await compare()).code).toBe(65);
  const again = await compare('--bank', 'Zenith', '-o', 'may.json');
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toContain('The same statement was compared before, by ');
  expect(JSON.parse(readFileSync(at('may.json'), 'utf8')).payments).toHaveLength(2);
  expect((await sandbox('status', 'may')).stdout).toContain('Compared with st.csv on ');
  // What is said now is stronger, and is saved.
  file('st.csv', `Date,Taken,Out,Narration\n${lines.map((line) => line.replace(/,/, ',,')).join('\n')}\n`);
  expect((await compare('--bank', 'Zenith', '--map', 'debit=Out')).code).toBe(0);
  expect((await compare('--bank', 'Zenith')).code).toBe(0);
  expect((await compare('-o', 'may.pdf')).code).toBe(64);
}, 60_000);
