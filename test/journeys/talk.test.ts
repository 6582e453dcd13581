/** How much is said where nobody watches a line grow: in proportion to what a person has to know. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { officesFor } from '../builders/offices.ts';

const newOffice = officesFor();
const SUPPLIERS = fileURLToPath(new URL('../../samples/suppliers.csv', import.meta.url));

function suppliers() {
  const office = newOffice();
  copyFileSync(SUPPLIERS, join(office.folder, 'suppliers.csv'));
  return office;
}

const linesOf = (text: string) => text.trimEnd().split('\n');
const wordsOf = (text: string) => text.trim().split(/\s+/);

it('says of a clean run of 12 rows one line for each stage, and no more than a screen in all', async () => {
  const ended = await suppliers().payfile('run', 'suppliers.csv', '--sandbox', '--yes');
  expect(ended.code, ended.stderr).toBe(0);
  const all = ended.stdout + ended.stderr;
  expect(linesOf(all).length).toBeLessThanOrEqual(28);
  expect(wordsOf(all).length).toBeLessThanOrEqual(190);
  for (const stage of ['Names and fees', 'Sending', 'Settling'])
    expect(linesOf(ended.stderr).filter((line) => line.startsWith(`${stage}  12 of 12`))).toHaveLength(1);
  expect(ended.stderr).toContain('Read suppliers.csv: 12 rows. New batch 1.');
  expect(ended.stderr).not.toMatch(/header found|cells separated/);
});

it('still says how a file was read where that is asked, or not what one expects', async () => {
  const office = suppliers();
  const checked = await office.payfile('check', 'suppliers.csv', '--sandbox');
  expect(checked.stdout).toMatch(/header found on row 1\n {2}cells separated by “,”, text in utf-8\n/);
  const rows = 'country;institution;account;amount;note\nGH;GCB Bank;1011130024501;500.00;café\n';
  writeFileSync(join(office.folder, 'old.csv'), Buffer.from(rows, 'latin1'));
  const run = await office.payfile('run', 'old.csv', '--sandbox', '--yes', '--encoding', 'windows-1252');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('text in windows-1252');
});

it('tells the demo in three sentences, on one screen, and says everything where it does not go as told', async () => {
  const office = newOffice();
  const ended = await office.payfile('demo');
  expect(ended.code, ended.stderr).toBe(0);
  const all = ended.stdout + ended.stderr;
  expect(linesOf(all).length).toBeLessThanOrEqual(24);
  expect(linesOf(ended.stderr).filter((line) => /^\d\. /.test(line))).toHaveLength(3);
  const failed = await office.payfile('demo', '--names', 'close_match=ok');
  expect([failed.code, failed.stdout]).toEqual([64, '']);
});
