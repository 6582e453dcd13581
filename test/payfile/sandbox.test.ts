/** The sandbox as a program uses it: a service for other processes, and the book of what it executed. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPayfile, type PayfileOptions } from '../../src/payfile.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

const clock = createBriskClock().withPauses(9_000);
const LIVE = {
  service: { baseUrl: 'https://a.example', authUrl: 'https://b.example', id: 'i', password: 'secret-word' },
};

function open(more: Partial<PayfileOptions> = { sandbox: true }) {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-sandbox-'));
  const options = { ledger: join(folder, 'ledger.db'), actor: 'ada', source: 'GB', ...more };
  const payfile = createPayfile(options as PayfileOptions, { env: { HOME: folder }, clock });
  onTestFinished(async () => {
    await payfile.close();
    rmSync(folder, { recursive: true });
  });
  return { payfile, at: (name: string) => join(folder, name) };
}

it('runs as a service until payfile is closed', async () => {
  const { payfile } = open();
  const { baseUrl, environmentVariables, exitCode } = await payfile.sandbox.start();
  expect([environmentVariables['PAYFILE_BASE_URL'], exitCode]).toEqual([baseUrl, 0]);
  expect((await fetch(baseUrl)).status).toBeGreaterThan(0);
  await payfile.close();
  await expect(fetch(baseUrl)).rejects.toThrow();
});

it('shows what it executed with masked accounts, and writes a statement over no other file', async () => {
  const { payfile, at } = open();
  await expect(payfile.sandbox.book()).rejects.toMatchObject({ code: 'file_missing' });
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  await payfile.run({ file: 'samples/suppliers.csv', batch: 'may', consent });
  const { entries } = await payfile.sandbox.book();
  expect(entries.length).toBeGreaterThan(3);
  expect(entries.filter(({ account }) => !account.startsWith('••••'))).toEqual([]);
  const { entries: whole } = await payfile.sandbox.book({ fullAccounts: true });
  expect(whole.map(({ account }) => account.slice(-4))).toEqual(
    entries.map(({ account }) => account.slice(-4)),
  );
  for (const _time of [1, 2]) await payfile.sandbox.book({ output: at('statement.csv') });
  expect(readFileSync(at('statement.csv'), 'utf8').split('\r\n')).toHaveLength(entries.length + 3);
  writeFileSync(at('mine.csv'), 'mine');
  const over = payfile.sandbox.book({ output: at('mine.csv') });
  await expect(over).rejects.toMatchObject({ code: 'report_unwritable' });
  expect(readFileSync(at('mine.csv'), 'utf8')).toBe('mine');
});

it('keeps the book of a ledger in memory in memory, too', async () => {
  const before = readdirSync('.');
  const { payfile } = open({ sandbox: true, ledger: ':memory:' });
  expect((await payfile.sandbox.start()).book).toBeNull();
  expect(readdirSync('.')).toEqual(before);
  await expect(payfile.sandbox.book()).rejects.toThrow('writes no book. Use a ledger in a file.');
});

it('is not there beside a live service', async () => {
  const { payfile, at } = open(LIVE);
  for (const asked of [() => payfile.sandbox.start(), () => payfile.sandbox.book({ output: at('a.csv') })])
    await expect(asked()).rejects.toMatchObject({ code: 'usage' });
  expect(existsSync(at('a.csv'))).toBe(false);
  expect((await payfile.sandbox.scenarios()).accounts.length).toBeGreaterThan(10);
});
