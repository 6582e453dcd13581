/** What payfile writes at a user's word never costs a ledger, an input or another file, and costs no payment either. */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  GOOD,
  type Office,
  openOffice,
  payrollCsv,
  REFUSED,
  type Row,
  startLiveService,
} from '../builders/office.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
function office(env: Record<string, string> = { PAYFILE_SOURCE: 'GB' }): Office {
  const made = openOffice(env);
  closers.push(made.close);
  made.file('may.csv', payrollCsv(GOOD.slice(0, 2).map((account): Row => [account, '100.50'])));
  return made;
}
const SANDBOX = ['--sandbox', '--yes', '--batch', 'may'];

it('no output of a live run is the ledger or leads to it: refused with 73 before a transfer', {
  timeout: 60_000,
}, async () => {
  const live = await startLiveService();
  closers.push(() => live.sandbox.close());
  const at = office(live.env);
  const ledger = join(at.folder, 'state/payfile/ledger.db');
  expect((await at.payfile('init')).code).toBe(0);
  const before = readFileSync(ledger);
  symlinkSync(ledger, join(at.folder, 'planted.csv'));
  linkSync(ledger, join(at.folder, 'hard.csv'));
  linkSync(join(at.folder, 'may.csv'), join(at.folder, 'input.csv'));
  const run = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=1000', '--deadline', '20s'];
  for (const [flags, reason] of [
    [['--report', 'planted.csv'], `it is the ledger ${ledger}`],
    [['--report', 'hard.csv', '--overwrite'], `it is the ledger ${ledger}`],
    [['--report', 'input.csv', '--overwrite'], 'it is a file that this call reads'],
    [['--metrics-file', ledger], `it is the ledger ${ledger}`],
    [['--metrics-file', `${ledger}-journal`], `it is part of the ledger ${ledger}`],
    [['--metrics-file', 'config/payfile/known-ledgers.json'], 'where payfile keeps its lists'],
    [['--log-file', `${ledger}.emergency`], `it is part of the ledger ${ledger}`],
    [['--log-file', 'planted.csv'], `it is the ledger ${ledger}`],
  ] as const) {
    const ended = await at.payfile(...run, ...flags);
    expect([ended.code, ended.stderr], flags.join(' ')).toEqual([73, expect.stringContaining(reason)]);
    // Said once, also where it would be said again at the end.
    expect(ended.stderr.split('Cannot write')).toHaveLength(2);
  }
  expect(live.sandbox.book.entries()).toEqual([]);
  expect(readFileSync(ledger).equals(before)).toBe(true);
  // A second name of the ledger is refused by itself.
  rmSync(join(at.folder, 'hard.csv'));
  expect((await at.payfile(...run)).code).toBe(0);
  expect(live.sandbox.book.entries()).toHaveLength(2);
});

it('what cron writes each night is replaced without a new flag, and what somebody else made is not', {
  timeout: 60_000,
}, async () => {
  const at = office();
  const out = ['may-out.csv', 'may.json', 'may.xlsx', 'may.html', 'may.xml'];
  const flags = [...out.flatMap((name) => ['--report', name]), '--metrics-file', 'may.prom'];
  for (const _night of [1, 2])
    expect((await at.payfile('run', 'may.csv', ...SANDBOX, ...flags)).code).toBe(0);
  for (const name of ['may-out.csv', 'may.prom']) {
    at.file(name, 'the work of somebody else');
    const refused = await at.payfile('run', 'may.csv', ...SANDBOX, ...flags);
    expect([refused.code, refused.stderr]).toEqual([
      73,
      expect.stringContaining(`“${name}”: a file is there`),
    ]);
    expect(readFileSync(join(at.folder, name), 'utf8')).toBe('the work of somebody else');
    expect((await at.payfile('run', 'may.csv', ...SANDBOX, ...flags, '--overwrite')).code).toBe(0);
    expect(readFileSync(join(at.folder, name), 'utf8')).not.toContain('somebody else');
  }
  at.file('later.csv', 'the work of somebody else');
  const later = await at.payfile('report', 'may', '--sandbox', '-o', 'later.csv');
  expect([later.code, later.stderr]).toEqual([73, expect.stringContaining('or add --overwrite')]);
});

it('two outputs of one call with one place are a usage error, and nothing is paid', async () => {
  const at = office();
  at.configure({ metricsFile: 'out.prom' });
  for (const [flags, sentence] of [
    [
      ['--report', 'a.csv', '--report', 'a.csv'],
      'a.csv is named for two outputs. Give each a file of its own.',
    ],
    [['--report', 'a.csv', '--report', './a.csv'], 'a.csv and ./a.csv are the same file.'],
    [['--log-file', 'out.prom'], 'out.prom is named for two outputs.'],
    [['--report', 'a.xlsx', '--fix-file', './a.xlsx'], 'a.xlsx and ./a.xlsx are the same file.'],
  ] as const) {
    const ended = await at.payfile('run', 'may.csv', ...SANDBOX, ...flags);
    expect([ended.code, ended.stderr], flags.join(' ')).toEqual([64, expect.stringContaining(sentence)]);
  }
  expect(existsSync(join(at.folder, 'state/payfile/sandbox-ledger-book.jsonl'))).toBe(false);
});

it('a file that a person may have worked in is kept: fix file, rows to be paid again', {
  timeout: 60_000,
}, async () => {
  const at = office();
  at.file(
    'bad.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.50'],
      [GOOD[1] ?? '', 'ten'],
    ]),
  );
  const fixing = ['check', 'bad.csv', '--sandbox', '--fix-file', 'mend.xlsx'];
  expect((await at.payfile(...fixing)).stderr).toContain('Fix file: mend.xlsx');
  const again = await at.payfile(...fixing);
  expect([again.code, again.stderr]).toEqual([73, expect.stringContaining('it may be half mended')]);
  expect((await at.payfile(...fixing, '--overwrite')).code).toBe(65);
  // Without a name, the usual way of checking and mending needs no flag.
  expect((await at.payfile('check', 'bad.csv', '--sandbox', '--fix-file')).stderr).toContain('bad.fix.xlsx');
  const mended = await at.payfile('check', 'bad.fix.xlsx', '--sandbox', '--fix-file');
  expect(mended.stderr).toContain('bad.fix-2.xlsx');
  at.file(
    'some.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.50'],
      [REFUSED, '5.00'],
    ]),
  );
  expect((await at.payfile('run', 'some.csv', ...SANDBOX)).code).toBe(3);
  const redo = ['report', 'may', '--sandbox', '--only', 'unpaid', '--as-input', '-o', 'redo.csv'];
  expect((await at.payfile(...redo)).code).toBe(0);
  expect((await at.payfile(...redo)).stderr).toContain('somebody may have worked in it');
  expect((await at.payfile(...redo, '--overwrite')).code).toBe(0);
});

it('a database of another program is not opened as a ledger, and stays byte for byte as it was', async () => {
  const at = office({
    PAYFILE_BASE_URL: 'https://api.example.com',
    PAYFILE_AUTH_URL: 'https://login.example.com',
    PAYFILE_ID: 'ama',
    PAYFILE_PASSWORD: 'a-long-word',
  });
  expect((await at.payfile('init', '--ledger', 'one.db')).code).toBe(0);
  const theirs = join(at.folder, 'theirs.db');
  renameSync(join(at.folder, 'one.db'), theirs);
  const bytes = readFileSync(theirs);
  // Another program's mark, and a rollback journal instead of a log.
  bytes.writeUInt32BE(0x12345678, 68);
  bytes[18] = 1;
  bytes[19] = 1;
  writeFileSync(theirs, bytes, { mode: 0o644 });
  const ended = await at.payfile('init', '--ledger', 'theirs.db');
  expect([ended.code, ended.stderr]).toEqual([78, expect.stringContaining('a database of another program')]);
  expect(readFileSync(theirs).equals(bytes)).toBe(true);
});
