/** What the doctor says to somebody who sets a job up: only what needs fixing, and whether the pager works. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPayfile } from '../../src/payfile.ts';
import { type Office, openOffice, startLiveService } from '../builders/office.ts';

vi.setConfig({ testTimeout: 60_000 });

let office: Office;
beforeEach(() => {
  office = openOffice({ PAYFILE_SOURCE: 'GB', CI: 'true' });
});
afterEach(() => {
  office.close();
});

function pager(ending: string): string {
  const path = office.at('page.sh');
  writeFileSync(path, `#!/bin/sh\ncat > ${office.at('paged.json')}\n${ending}\n`);
  chmodSync(path, 0o755);
  return `exec:${path}`;
}

it('tries the pager only when it is asked to, with a document that is marked as a test', async () => {
  const words = ['doctor', '--sandbox', '--notify', pager('exit 0')];
  const looked = await office.payfile(...words);
  expect(looked.stdout).toContain('(not tested: add --try-notify)');
  expect(existsSync(office.at('paged.json'))).toBe(false);
  const tried = await office.payfile(...words, '--try-notify');
  expect(tried.code, tried.stdout).toBe(0);
  expect(JSON.parse(readFileSync(office.at('paged.json'), 'utf8'))).toMatchObject({
    isTest: true,
    needsAttention: false,
    exitCode: 0,
  });
});

it('says what is wrong with a pager that fails, and with --quiet nothing else', async () => {
  const words = ['doctor', '--sandbox', '--quiet', '--try-notify', '--notify', pager('exit 9')];
  const tried = await office.payfile(...words);
  expect(tried.code).toBe(78);
  expect(tried.stdout.split('\n')[0]).toMatch(/^✖ Notification: .*page\.sh: it ended with 9$/);
  expect(tried.stdout).not.toContain('✔');
});

it('is not content without a country that the money comes from, or with one that the service does not have', async () => {
  const live = await startLiveService();
  try {
    const { PAYFILE_SOURCE: _none, ...env } = live.env;
    Object.assign(office.env, env);
    expect((await office.payfile('init')).code).toBe(0);
    const source = async () => {
      const { code, stdout } = await office.payfile('doctor');
      return [code, /^. Source country: .*$/m.exec(stdout)?.[0]];
    };
    expect(await source()).toEqual([0, '✔ Source country: United Kingdom (GB)']);
    office.env['PAYFILE_SOURCE'] = 'Atlantis';
    expect(await source()).toEqual([
      78,
      expect.stringContaining('✖ Source country: The originating country “Atlantis”'),
    ]);
    delete office.env['PAYFILE_SOURCE'];
    expect(await source()).toEqual([78, expect.stringContaining('✖ Source country: not set')]);
  } finally {
    await live.sandbox.close();
  }
});

it('misses a live ledger that was used on this machine and is gone', async () => {
  Object.assign(office.env, {
    PAYFILE_BASE_URL: 'http://127.0.0.1:9/',
    PAYFILE_AUTH_URL: 'http://127.0.0.1:9/login',
    PAYFILE_ID: 'ama',
    PAYFILE_PASSWORD: 'a-long-word',
  });
  for (const name of ['old.db', 'new.db'])
    expect((await office.payfile('init', '--ledger', office.at(name))).code).toBe(0);
  rmSync(office.at('old.db'));
  const told = async () => (await office.payfile('doctor', '--ledger', office.at('new.db'))).stdout;
  const stdout = await told();
  expect(stdout).toContain(`✖ Known ledgers: ${office.at('old.db')} is missing`);
  expect(stdout).toContain(`✔ Known ledgers: ${office.at('new.db')}`);
  // It says how to forget one that paid nothing.
  const [, file = ''] = /If that ledger paid nothing, remove (\S+\.json)/.exec(stdout) ?? [];
  rmSync(file);
  expect(await told()).not.toContain('is gone');
});

it('prints the chmod that keeps others out of what lies beside a ledger', async () => {
  const ledger = office.at('l.db');
  expect((await office.payfile('init', '--sandbox', '--ledger', ledger)).code).toBe(0);
  chmodSync(`${ledger}.emergency`, 0o644);
  const told = await office.payfile('doctor', '--sandbox', '--ledger', ledger);
  expect(told.stdout).toContain(`✖ Ledger files: other users can read ${ledger}.emergency`);
  expect(told.stdout).toContain(`chmod 600 ${ledger}.emergency`);
});

it('names the password of the environment as the source, and not the file that it is taken in place of', async () => {
  office.file('password', 'another\n');
  Object.assign(office.env, { PAYFILE_PASSWORD: 'one', PAYFILE_PASSWORD_FILE: office.at('password') });
  const { stdout } = await office.payfile('doctor');
  const [settings = ''] = /^. Settings: .*$/m.exec(stdout) ?? [];
  expect(settings).toContain('password (environment)');
  expect(settings).not.toContain('password file');
});

it('answers a program with the checks of the command, and refuses an input that it does not know', async () => {
  const { machine, close } = createPayfile(
    { sandbox: true, ledger: office.at('p.db'), actor: 'ada', source: 'GB' },
    { env: office.env },
  );
  const { checks, exitCode } = await machine.doctor();
  expect([exitCode, checks.filter(({ isGood }) => !isGood)]).toEqual([0, []]);
  expect(checks.map(({ what }) => what)).toContain('Source country');
  const misspelt = machine.doctor({ tryNotfy: true } as never);
  await expect(misspelt).rejects.toThrow('no option “tryNotfy”. Did you mean tryNotify?');
  await close();
});
