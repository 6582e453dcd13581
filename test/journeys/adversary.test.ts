/** Stories that once went wrong, kept as tests: each would have paid twice, hidden a payment, or told an untruth. */

import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readBook } from '../../src/sandbox/book.ts';
import { ANSWER_LOST, GOOD, type Office, openOffice, payrollCsv } from '../builders/office.ts';

let office: Office;
afterEach(() => office.close());

const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');
const posts = () => readBook(join(office.folder, 'state/payfile/sandbox-ledger-book.jsonl')).entries().length;
const HEAD = 'Country,Institution,Account,Name,Amount';

it('[B6] holds rows that were paid without references when the file comes back with references', async () => {
  office = openOffice();
  office.file('a.csv', `${HEAD}\nGH,GCB Bank,${GOOD[0]},,50.00\nGH,GCB Bank,${GOOD[1]},,60.00\n`);
  expect((await sandbox('run', 'a.csv', '--batch', 'a', '--yes')).code).toBe(0);
  office.file(
    'b.csv',
    `Reference,${HEAD}\nN-1,GH,GCB Bank,${GOOD[0]},,50.00\nN-2,GH,GCB Bank,${GOOD[1]},,60.00\n`,
  );
  expect((await sandbox('run', 'b.csv', '--batch', 'b', '--yes')).code).toBe(3);
  expect(posts()).toBe(2);
}, 60_000);

it('holds a row in doubt that is written again under another reference', async () => {
  office = openOffice();
  office.file(
    'a.csv',
    payrollCsv([
      [GOOD[0] ?? '', '50.00', 'A-1'],
      [ANSWER_LOST, '60.00', 'A-2'],
    ]),
  );
  expect((await sandbox('run', 'a.csv', '--batch', 'a', '--yes')).code).toBe(5);
  office.file(
    'b.csv',
    payrollCsv([
      [ANSWER_LOST, '60.00', 'B-2'],
      [GOOD[2] ?? '', '70.00', 'B-3'],
    ]),
  );
  const run = await sandbox('run', 'b.csv', '--batch', 'b', '--yes');
  expect(run.code, run.stdout).toBe(3);
  expect(run.stdout).toContain('Same payment as row 3 of batch a');
  expect(posts()).toBe(3);
}, 60_000);

it('refuses a file that renames whoever was paid, naming both names', async () => {
  office = openOffice();
  office.file('a.csv', `Reference,${HEAD}\nA-1,GH,GCB Bank,${GOOD[0]},,50.00\n`);
  expect((await sandbox('run', 'a.csv', '--batch', 'a', '--yes')).code).toBe(0);
  office.file('a.csv', `Reference,${HEAD}\nA-1,GH,GCB Bank,${GOOD[0]},Kofi Somebody,50.00\n`);
  const run = await sandbox('run', 'a.csv', '--batch', 'a', '--yes');
  expect(run.code).toBe(65);
  expect(run.stdout).toContain('name (none) → Kofi Somebody');
}, 60_000);

it('shows a payment that the service describes otherwise, although it is settled', async () => {
  office = openOffice();
  office.file('half.csv', payrollCsv([['1011130990014', '80.00']]));
  const run = await sandbox('run', 'half.csv', '--batch', 'half', '--yes', '--quiet');
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/describes row 2 differently from what was asked/);
  expect((await sandbox('status', 'half')).stdout).toMatch(/asked was GHS 80.00/);
}, 60_000);

it('takes no mistyped path for evidence', async () => {
  office = openOffice({ PAYFILE_POST_TIMEOUT_MS: '1000' });
  office.file('a.csv', payrollCsv([[ANSWER_LOST, '60.00', 'A-2']]));
  await sandbox('run', 'a.csv', '--batch', 'a', '--yes');
  const ruled = await sandbox('resolve', 'a', '2', '--not-paid', '--evidence', './statment.pdf', '--yes');
  expect(ruled.code).toBe(64);
  expect(ruled.stderr).toContain('looks like a file, and there is none');
}, 60_000);

it('asks for the originating country once, before anything is read into the ledger', async () => {
  const { startLiveService } = await import('../builders/office.ts');
  const service = await startLiveService();
  const { PAYFILE_SOURCE: _none, ...env } = service.env;
  office = openOffice(env);
  office.file(
    'a.csv',
    payrollCsv([
      [GOOD[0] ?? '', '50.00'],
      [GOOD[1] ?? '', '60.00'],
    ]),
  );
  await office.payfile('init');
  const run = await office.payfile('run', 'a.csv', '--batch', 'a', '--max-total', 'GHS=999');
  await service.sandbox.close();
  expect(run.code).toBe(78);
  expect(run.stderr).toContain('--source GB, PAYFILE_SOURCE');
}, 60_000);
