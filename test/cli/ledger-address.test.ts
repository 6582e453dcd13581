/** The address of a ledger on a server may be typed with a password in it: that is refused, and repeated nowhere. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callMain } from '../builders/process-context.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-address-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  callMain(words, { folder, env: { HOME: folder, ...env } });

const ODD = [
  'postgres://ama:secret@db.example/pay',
  'postgres://ama:secret@db.example:5432/pay?schema=x',
  'postgresql://ama:se%63ret-secret@db.example/pay',
  'postgres://ama:x@secret@db.example/pay',
  'postgres://ama:12/secret@db.example/pay',
  'postgres://ama:x/secret@db.example/pay',
  'postgres://ama:x?secret@db.example/pay',
  'postgres://ama:1#secret@db.example/pay',
  'postgres://ama@db.example/pay?password=secret',
  'postgres://:secret@db.example/pay',
];

it.each(ODD)('refuses %s, and says nothing of the password', async (address) => {
  const metrics = join(folder, 'payfile.prom');
  const told = join(folder, 'told.json');
  for (const words of [
    ['run', 'may.csv', '--ledger', address, '--metrics-file', metrics, '--notify', `exec:tee ${told}`],
    ['run', 'may.csv', '--ledger', address, '--json'],
    ['status', `--ledger=${address}`],
    ['run', 'may.csv', '--ledger', address, '--no-such-flag'],
    ['ledger', 'move', '--to', address, '--sandbox'],
  ]) {
    const said = await call(words);
    expect([64, 78], said.text).toContain(said.code);
    expect(said.text).not.toContain('secret');
  }
  const byVariable = await call(['status'], { PAYFILE_LEDGER: address });
  expect(byVariable.code).toBe(78);
  expect(byVariable.text).not.toContain('secret');
  expect(readFileSync(metrics, 'utf8')).not.toContain('secret');
});

it('shows the address without the password in the next command', async () => {
  const said = await call(['status', '--ledger', 'postgres://ama:secret@db.example/pay?schema=x']);
  expect(said.stderr).toContain("Next: payfile doctor --ledger 'postgres://ama@db.example/pay?schema=x'\n");
  expect(said.stderr).toContain('PAYFILE_LEDGER_PASSWORD_FILE');
});

it('ends every command with 69 if the server does not answer, and doctor still shows the good checks', async () => {
  writeFileSync(join(folder, 'password'), 'secret', { mode: 0o600 });
  const env = {
    // Nobody listens on the first port.
    PAYFILE_LEDGER: 'postgres://ama@127.0.0.1:1/pay',
    PAYFILE_LEDGER_PASSWORD_FILE: 'password',
    PAYFILE_BASE_URL: 'https://pay.example/v1',
    PAYFILE_AUTH_URL: 'https://pay.example/auth',
    PAYFILE_ID: 'shop',
    PAYFILE_PASSWORD: 'x',
    PAYFILE_SOURCE: 'GB',
  };
  for (const verb of ['status', 'fleet', 'init', 'doctor']) {
    const { code, stdout, text } = await call([verb], env);
    expect(code, text).toBe(69);
    expect(text).toMatch(/cannot be (reached|opened)/);
    expect(text).not.toMatch(/wrote last|became of the payments/);
    if (verb === 'doctor') expect(stdout).toMatch(/✔ Program.*✔ Settings.*✖ Ledger: .*payfile help server/s);
  }
});
