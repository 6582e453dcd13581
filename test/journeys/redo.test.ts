/** Paying again: a redo file links each row to what it replaces, and the same payment never lives twice. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBook } from '../../src/sandbox/book.ts';
import { GOOD, type Office, openOffice, payrollCsv, REFUSED } from '../builders/office.ts';

let office: Office;
beforeEach(() => {
  office = openOffice();
});
afterEach(() => office.close());

const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');
const read = (name: string) => readFileSync(join(office.folder, name), 'utf8');
const paidAccounts = () =>
  readBook(join(office.folder, 'state/payfile/sandbox-ledger-book.jsonl'))
    .entries()
    .map(({ account }) => account)
    .sort();

async function aFailedRowAndItsRedoFile() {
  office.file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '50.00'],
      [REFUSED, '60.00'],
    ]),
  );
  expect((await sandbox('run', 'may.csv', '--batch', 'may', '--yes')).code).toBe(3);
  const redo = await sandbox('report', 'may', '--only', 'unpaid', '--as-input', '-o', 'redo.csv');
  expect(redo.code, redo.stderr).toBe(0);
  expect(redo.stderr).toContain('The scenario plain-accounts turns that off (--scenario plain-accounts).');
  // The cause is mended: another account of the same person.
  writeFileSync(join(office.folder, 'redo.csv'), read('redo.csv').replace(REFUSED, GOOD[1] ?? ''));
}

/** Its row goes to another account than before: it is held until a person let it go. */
async function runLetGo(file: string, batch: string) {
  const run = ['run', file, '--batch', batch, '--yes'];
  const held = await sandbox(...run);
  expect(held.stdout.replace(/\s+/g, ' ')).toContain('The account is new for this person');
  await sandbox('release', batch, '--all', '--kind', 'other_account', '--reason', 'asked by telephone');
  return sandbox(...run);
}

it('pays a row no more that its redo file paid, and tells nobody to', async () => {
  await aFailedRowAndItsRedoFile();
  const piped = await sandbox('report', 'may', '--only', 'unpaid', '--as-input', '--format', 'csv', '--json');
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect((await runLetGo('redo.csv', 'redo')).code).toBe(0);
  const again = await sandbox('reissue', 'may', '3');
  expect(again.code).toBe(64);
  expect(again.stdout).toContain('Nothing was planned again in batch may.');
  expect(again.stderr).toContain('paid again as row 2 of batch redo, which is settled');
  const run = await sandbox('run', 'may.csv', '--batch', 'may', '--yes');
  const status = await sandbox('status', 'may');
  const told = await sandbox('explain', 'may', '3');
  for (const { stdout, stderr } of [run, status, told]) expect(stdout + stderr).not.toContain('reissue');
  expect(status.stdout).toContain('1 settled, 1 failed; 1 paid again in another batch.');
  expect(run.stderr).toContain('Another batch paid its unpaid rows again: 1 failed.');
  expect(told.stdout).toContain('Paid again as row 2 of batch redo: settled.');
  const left = await sandbox('report', 'may', '--only', 'unpaid', '--as-input', '-o', 'none.csv');
  expect(left.stdout).toContain('Nothing to pay again: none.csv has no rows.');
  expect(left.stdout).toContain('1 row left out: paid again in batch redo');
  expect(left.stderr).not.toContain('Next:');
  expect(paidAccounts()).toEqual([GOOD[0], GOOD[1]]);
}, 60_000);

it('refuses a link to a payment that this ledger does not have, or that is another one, or paid', async () => {
  await aFailedRowAndItsRedoFile();
  const link = (id: string, name: string) =>
    writeFileSync(join(office.folder, name), read('redo.csv').replace(/,2(\r?\n|$)/, `,${id}$1`));
  link('999', 'unknown.csv');
  link('1', 'other.csv');
  for (const name of ['unknown.csv', 'other.csv']) {
    const run = await sandbox('run', name, '--batch', name, '--yes');
    expect(run.code).toBe(65);
    expect(run.stdout).toContain('payfile_replaces');
  }
  const whole = `${read('redo.csv').split('\n')[0]}\nR-1,GH,GCB Bank,${GOOD[0]},50.00,,1\n`;
  office.file('paid.csv', whole);
  const paid = await sandbox('run', 'paid.csv', '--batch', 'paid', '--yes');
  expect(paid.code).toBe(65);
  expect(paid.stdout.replace(/\s+/g, ' ')).toContain('proven unpaid; row 2 of batch may is settled');
  expect(paidAccounts()).toEqual([GOOD[0]]);
}, 60_000);

it('holds what failed and nothing that is still open, was withdrawn, or was paid', async () => {
  const [first = '', , third = ''] = GOOD;
  // The last row repeats the first one, and is held.
  const rows = [[first, '50.00', 'A'] as const, [REFUSED, '60.00'] as const, [third, '70.00'] as const];
  office.file('may.csv', payrollCsv([...rows, [first, '50.00', 'A']]));
  await sandbox('plan', 'may.csv', '--batch', 'may');
  await sandbox('cancel', 'may', '4', '--reason', 'left the company');
  expect((await sandbox('run', 'may.csv', '--batch', 'may', '--yes')).code).toBe(3);
  const redo = await sandbox('report', 'may', '--only', 'unpaid', '--as-input', '-o', 'redo.csv');
  expect(redo.stdout).toContain('1 row is proven unpaid and written to redo.csv');
  expect(redo.stdout).toContain('1 row left out: already paid');
  expect(redo.stdout).toContain('1 row left out: still open in the batch');
  expect(redo.stdout).toContain(
    '1 row left out: withdrawn by a person (written too if canceled rows are included)',
  );
  expect(read('redo.csv')).toContain(REFUSED);
  expect(read('redo.csv').trim().split('\n')).toHaveLength(2);
  const both = ['report', 'may', '--only', 'unpaid', '--as-input', '--include', 'canceled', '-o', 'both.csv'];
  expect((await sandbox(...both)).stdout).toContain('2 rows are proven unpaid and written to both.csv');
  // The withdrawn row is paid as the same row, so that it is never paid beside the one in the batch.
  writeFileSync(join(office.folder, 'both.csv'), read('both.csv').replace(REFUSED, GOOD[1] ?? ''));
  expect((await runLetGo('both.csv', 'both')).code).toBe(0);
  expect((await sandbox('reissue', 'may', '4')).code).toBe(64);
  expect(paidAccounts()).toEqual([GOOD[0], GOOD[1], GOOD[2]]);
  const alone = await sandbox('report', 'may', '--include', 'canceled', '-o', 'may.csv');
  expect(alone.code).toBe(64);
  expect(alone.stderr).toContain('--only unpaid --as-input --include canceled -o redo.xlsx');
}, 90_000);

/** The command behind the n-th `Next:` or `Then:`, as it is typed after the program. */
const typedIn = (text: string) =>
  [...text.matchAll(/^(Next|Then): payfile (.*) --sandbox$/gm)].map(([, word, words]) => `${word}: ${words}`);

const mayWithAFailedRow = (account = REFUSED) =>
  office.file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '50.00'],
      [account, '60.00'],
    ]),
  );

it('names a new file and a new batch for a closed account, and unused names for the next one, in every output', async () => {
  const failed = [REFUSED, '70.00'] as const;
  office.file('may.csv', payrollCsv([[GOOD[0] ?? '', '50.00'], [REFUSED, '60.00'], failed]));
  const run = await sandbox('run', 'may.csv', '--batch', 'may', '--yes');
  const write = 'report may --only unpaid --as-input -o may-redo.csv';
  expect(typedIn(run.stderr)).toEqual([`Next: ${write}`]);
  const redo = await sandbox(...write.split(' '), '--json');
  expect(redo.json()['andThen']).toBe('payfile plan may-redo.csv --batch may-redo --sandbox');
  writeFileSync(office.at('may-redo.csv'), read('may-redo.csv').replace(/^.*60\.00.*\n/m, ''));
  await sandbox('run', 'may-redo.csv', '--batch', 'may-redo', '--yes');
  await sandbox('report', 'may', '-o', 'may.json');
  const settled = await sandbox('settle', 'may');
  const told = [settled, await sandbox('status', 'may'), await sandbox('explain', 'may', '3')];
  for (const text of [...told.map(({ stdout, stderr }) => stdout + stderr), read('may.json')]) {
    expect(text).toContain('-o may-redo-2.csv');
    expect(text).not.toContain('-o may-redo.csv');
  }
}, 60_000);

it('refuses a corrected row after a reissue with the commands that pay it, in their order', async () => {
  mayWithAFailedRow();
  await sandbox('run', 'may.csv', '--batch', 'may', '--yes');
  const corrected = () => mayWithAFailedRow(GOOD[1] ?? '');
  corrected();
  const unpaid = await sandbox('run', 'may.csv', '--batch', 'may', '--yes');
  expect(unpaid.code).toBe(65);
  expect(typedIn(unpaid.stderr)).toEqual([
    'Next: report may --only unpaid --as-input -o may-redo.csv',
    'Then: plan may-redo.csv --batch may-redo',
  ]);
  expect((await sandbox('reissue', 'may', '3')).code).toBe(0);
  const refused = await sandbox('run', 'may.csv', '--batch', 'may', '--yes', '--json');
  expect(refused.code).toBe(65);
  const steps = [
    'Then: cancel may 3 --reason TEXT',
    'Then: report may --only unpaid --as-input --include canceled -o may-redo.csv',
    'Then: plan may-redo.csv --batch may-redo',
  ];
  expect(typedIn(refused.stderr)).toEqual(steps);
  expect(refused.json()['andThen']).toBe('payfile cancel may 3 --reason TEXT --sandbox');
  const [cancel = '', write = ''] = steps.map((step) =>
    step.slice('Then: '.length).replace('TEXT', 'closed'),
  );
  for (const step of [cancel, write]) expect((await sandbox(...step.split(' '))).code).toBe(0);
  expect(read('may-redo.csv')).toContain(REFUSED);
  writeFileSync(office.at('may-redo.csv'), read('may-redo.csv').replace(REFUSED, GOOD[1] ?? ''));
  expect((await sandbox('plan', 'may-redo.csv', '--batch', 'may-redo')).code).toBe(0);
}, 60_000);
