/**
 * Limits in the configuration: read as money, or refused with what was seen and what was expected; the rule for changed
 * accounts; and where a password file is looked for.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { amounts } from '../../src/domain/setting-kinds.ts';
import { ConfigError } from '../../src/setup/config-file.ts';
import { loadSettings } from '../../src/setup/load-settings.ts';
import { money } from '../builders/payouts.ts';

it('are plain amounts per currency, and none where nothing is written', () => {
  expect(amounts.parse({ GHS: '12500.00', XOF: '900000' })).toEqual([
    money('GHS 12500.00'),
    money('XOF 900000'),
  ]);
  expect(DEFAULT_POLICY.limits.rowMax).toEqual([]);
});

it.each([
  ['separators', { GHS: '1,000' }],
  ['a currency that there is not', { XX: '5' }],
  ['more decimals than the currency has', { XOF: '5.5' }],
  ['thousands marks or three decimals, nobody knows', { GHS: '12.500' }],
  ['one currency twice', { GHS: '5', ghs: '6' }],
])('with %s are refused', (_, written) => {
  expect(amounts.safeParse(written).success).toBe(false);
});

it.each([
  [
    { finished: ['Reversed'] },
    /own\.json cannot be used: “reversed” is in statuses\.finished and in statuses\.returned\./,
  ],
  [{ failed: ['FINISHED'] }, /“FINISHED” is in statuses\.finished and in statuses\.failed\..*Remove it/],
  [{ pending: ['Failed'] }, /“Failed” is in statuses\.failed and in statuses\.pending/],
  [{ failed: ['gone'], returned: [' Gone '] }, /“Gone” is in statuses\.failed and in statuses\.returned/],
  [{ finished: [' '] }, /statuses\.finished\[0\] is “ ”; expected a word/],
])('the words %j have two meanings or none, and are refused', (statuses, message) => {
  const home = mkdtempSync(join(tmpdir(), 'config-'));
  try {
    const config = join(home, 'own.json');
    const read = (written: object) => {
      writeFileSync(config, JSON.stringify({ statuses: written }));
      return loadSettings({ sandbox: true, config }, { env: {}, cwd: home, home });
    };
    expect(() => read(statuses)).toThrow(ConfigError);
    expect(() => read(statuses)).toThrow(message);
    const good = { finished: ['Finished', ' Paid out '], failed: ['gone', 'Gone'] };
    expect(read(good).policy.finishedWords).toEqual(['Finished', 'Paid out']);
  } finally {
    rmSync(home, { recursive: true });
  }
});

it.each([
  ['nothing is configured', undefined, 'hold'],
  ['the configuration says warn', 'warn', 'warn'],
])('changed accounts, where %s: %s → %s', (_, configured, expected) => {
  const home = mkdtempSync(join(tmpdir(), 'config-'));
  try {
    const config = join(home, 'own.json');
    writeFileSync(config, JSON.stringify(configured === undefined ? {} : { accountChanges: configured }));
    const settings = loadSettings({ sandbox: true, config }, { env: {}, cwd: home, home });
    expect(settings.policy.accountChanges).toBe(expected);
  } finally {
    rmSync(home, { recursive: true });
  }
});

it('a password file that a configuration names is looked for beside the configuration, wherever payfile is started', () => {
  const home = mkdtempSync(join(tmpdir(), 'config-'));
  try {
    const config = join(home, 'own.json');
    writeFileSync(join(home, 'password'), 'correct horse\n', { mode: 0o600 });
    writeFileSync(
      config,
      JSON.stringify({ passwordFile: 'password', id: 'ama', baseUrl: 'b', authUrl: 'a' }),
    );
    const settings = loadSettings({ config }, { env: {}, cwd: '/', home });
    expect(settings.service?.password.reveal()).toBe('correct horse');
    expect(settings.files).toContainEqual({ path: join(home, 'password'), what: 'the password file' });
  } finally {
    rmSync(home, { recursive: true });
  }
});

it('the password file of a ledger on a server is no place for an output', () => {
  const home = mkdtempSync(join(tmpdir(), 'config-'));
  try {
    const [config, passwordFile] = [join(home, 'own.json'), join(home, 'password')];
    writeFileSync(passwordFile, 'correct horse\n', { mode: 0o600 });
    const path = 'postgres://payfile@db.example/payroll';
    const own = { path: passwordFile, what: "the ledger's password file" };
    writeFileSync(config, JSON.stringify({ ledger: { path, passwordFile } }));
    expect(loadSettings({ config }, { env: {}, cwd: home, home }).files).toContainEqual(own);
    writeFileSync(config, '{}');
    const env = { PAYFILE_LEDGER: path, PAYFILE_LEDGER_PASSWORD_FILE: passwordFile };
    expect(loadSettings({ config }, { env, cwd: home, home }).files).toContainEqual(own);
  } finally {
    rmSync(home, { recursive: true });
  }
});

it('the name of the organisation, for the head of reports, is one line of visible characters', () => {
  const home = mkdtempSync(join(tmpdir(), 'config-'));
  const config = join(home, 'own.json');
  const named = (organization: string) => {
    writeFileSync(config, JSON.stringify({ organization }));
    return loadSettings({ sandbox: true, config }, { env: {}, cwd: home, home }).policy.organization;
  };
  try {
    expect(named('Société Cacao & Fils')).toBe('Société Cacao & Fils');
    for (const wrong of ['', ' Acme', 'two\nlines', 'x'.repeat(101), 'turned \u202e name'])
      expect(() => named(wrong), wrong).toThrow(/organization is “.*”; expected one line/);
  } finally {
    rmSync(home, { recursive: true });
  }
});
