/** The configuration file: the file that payfile reads, its contents, and the checks of the doctor. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printable } from '../../src/domain/text/printable.ts';
import { ConfigError } from '../../src/setup/config-file.ts';
import { loadSettings, type SettingsAsked } from '../../src/setup/load-settings.ts';
import { roleFileChecks } from '../../src/setup/machine-checks.ts';
import { openOffice } from '../builders/office.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'payfile-config-'));
  mkdirSync(join(cwd, 'home/.config/payfile'), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(cwd, { recursive: true, force: true });
});

const at = (name: string) => join(cwd, name);
const OWN = 'home/.config/payfile/config.json';

function write(values: object, name: string): string {
  writeFileSync(at(name), JSON.stringify(values), { mode: 0o644 });
  return at(name);
}
const settings = (flags: SettingsAsked = {}, env: Record<string, string> = {}) =>
  loadSettings(flags, { env, cwd, home: at('home') });

function refusal(flags: SettingsAsked = {}, env: Record<string, string> = {}): string {
  try {
    settings(flags, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('The file was read.');
}

describe('the configuration', () => {
  it('is one file: --config names it, or PAYFILE_CONFIG; else it is the user’s own', () => {
    write({ source: 'GH', organization: 'Own' }, OWN);
    write({ source: 'KE', id: 'ben' }, 'variable.json');
    write({ source: 'NG' }, 'flag.json');
    const used = ({ source, configPath, policy }: ReturnType<typeof settings>) => [
      source,
      configPath,
      policy.organization,
    ];
    expect(used(settings())).toEqual(['GH', at(OWN), 'Own']);
    const env = { PAYFILE_CONFIG: at('variable.json') };
    expect(used(settings({}, env))).toEqual(['KE', at('variable.json'), undefined]);
    expect(used(settings({ config: at('flag.json') }, env))).toEqual(['NG', at('flag.json'), undefined]);
    // A relative path starts at the working folder.
    expect(settings({}, { PAYFILE_CONFIG: 'variable.json' }).source).toBe('KE');
    expect(settings({ config: 'flag.json' }).source).toBe('NG');
    expect(settings({}, { PAYFILE_CONFIG: '' }).source).toBe('GH');
  });

  it('is weaker than the environment, and the environment is weaker than a flag', () => {
    write({ source: 'GH', concurrency: 2 }, OWN);
    const env = { PAYFILE_SOURCE: 'KE', PAYFILE_CONCURRENCY: '3' };
    expect(settings().policy.concurrency).toBe(2);
    expect(settings({}, env).policy.concurrency).toBe(3);
    expect(settings({ concurrency: 4 }, env)).toMatchObject({ source: 'KE', policy: { concurrency: 4 } });
  });

  it('is never a file of the working folder that nobody names', () => {
    for (const name of ['payfile.json', 'config.json']) write({ source: 'GB' }, name);
    expect(settings()).toMatchObject({ source: undefined, configPath: undefined, files: [] });
  });

  it('is refused where a named file is missing or cannot be read, with who names it', () => {
    write({ source: 'GH' }, OWN);
    const missing = at('missing.json');
    const mend = 'Name a file that this user can read.';
    expect(refusal({ config: missing })).toBe(
      `The configuration file ${missing} does not exist. config names it. ${mend}`,
    );
    expect(refusal({ config: missing, sandbox: true })).toContain(missing);
    expect(refusal({}, { PAYFILE_CONFIG: missing })).toBe(
      `The configuration file ${missing} does not exist. PAYFILE_CONFIG names it. ${mend}`,
    );
    expect(refusal({ config: at('home') })).toBe(
      `The configuration file ${at('home')} cannot be read (EISDIR). config names it. ${mend}`,
    );
    rmSync(at(OWN));
    mkdirSync(at(OWN));
    expect(refusal()).toBe(
      `The configuration file ${at(OWN)} cannot be read (EISDIR). Let this user read it, or name another file with config.`,
    );
  });

  it('says who may do what, in roles that exist', () => {
    write({ people: { eve: ['approver'], ben: [] } }, OWN);
    expect([...settings().people]).toEqual([
      ['eve', ['approver']],
      ['ben', []],
    ]);
    write({ people: { eve: ['boss'] } }, OWN);
    expect(refusal()).toContain('people.eve[0] is “boss”; expected viewer, maker');
    for (const name of ['Eve', 'eve ', 'eve\n', '\u0435ve', 'e\u200bve', 'Eve Mensah', '']) {
      write({ people: { [name]: ['approver'] } }, OWN);
      expect(refusal()).toContain(
        `“${printable(name)}” in people is no name; expected 1 to 64 small letters a to z, digits or signs`,
      );
    }
  });

  it('says what the service shows of a transfer, in fields that exist; by default all', () => {
    write({}, OWN);
    expect(settings().policy.lookUpFields).toEqual(['amount', 'institution', 'receiver', 'destination']);
    write({ answers: { lookup: ['amount', 'receiver'] } }, OWN);
    expect(settings().policy.lookUpFields).toEqual(['amount', 'receiver']);
    write({ answers: { lookup: ['amount', 'reciever'] } }, OWN);
    expect(refusal()).toContain('answers.lookup[1] is “reciever”; expected amount,');
  });
});

it.each([
  [{ feePercentMaxx: 5 }, 'feePercentMaxx: no such setting. Did you mean feePercentMax?'],
  [{ notify: { too: 'exec:page' } }, 'notify.too: no such setting. Did you mean notify.to?'],
  [
    { journalAccounts: [{ owd: '2110 Net wages' }] },
    'journalAccounts[0].owd: no such account; expected one of batches, currency, owed, paying, fees, fx_difference, on_its_way, suspense, lost. Did you mean owed?',
  ],
  [{ failed: [] }, 'failed: no such setting. Did you mean statuses.failed?'],
  [
    { answers: { refused: [{ status: 4 }] } },
    'answers.refused[0].status is 4; expected a whole number from 200',
  ],
  [{ quiteElse: 1 }, 'quiteElse: no such setting.'],
  [{ feePercentMax: '5' }, 'feePercentMax is “5”; expected a number from 0 to 100.'],
  [{ concurrency: 1.5 }, 'concurrency is 1.5; expected a whole number from 1 to 1024.'],
  [{ names: { close_match: 'pay' } }, 'names.close_match is “pay”; expected ok, warn or hold.'],
  [{ names: 'ok' }, 'names is “ok”; expected an object.'],
  [{ fourEyes: 'true' }, 'fourEyes is “true”; expected true or false.'],
  [{ notify: { to: 'https://u:secret@' } }, 'notify.to cannot be used; expected an https:// address'],
  [{ limits: { rowMax: { GHS: '1,000' } } }, 'limits.rowMax.GHS is “1,000”; expected a currency and'],
  [[1], 'the file is a list; expected an object.'],
])('a fault of the configuration %j is told by its key', (values, told) => {
  write(values, OWN);
  expect(refusal()).toContain(`${at(OWN)} cannot be used:\n  ${told}`);
});

it.each([
  ['PAYFILE_CONCURRENCY', '0', 'is “0”; expected a whole number from 1 to 1024.'],
  ['PAYFILE_CONCURRENCY', '2.0', 'is “2.0”; expected a whole number from 1 to 1024.'],
  ['PAYFILE_POLL_MIN_MS', 'soon', 'is “soon”; expected a whole number from 10 to 600000.'],
])('a fault of the variable %s=%s is told by its name', (variable, value, told) => {
  expect(refusal({}, { [variable]: value })).toBe(`${variable} ${told}`);
});

it.each([
  ['limits', '{"limits": {"rowMax": {"GHS": "15.00"}}, "limits": {"batchMax": {"GHS": "100.00"}}}'],
  ['GHS', '{"limits": {"rowMax": {"GHS": "15.00", "GHS": "1500.00"}}}'],
  ['fourEyes', '{"fourEyes": true, "fourEyes": false}'],
])(
  'a setting that occurs twice in a configuration, %s, is refused, because only one would apply',
  (name, text) => {
    for (const [place, flags] of [
      [OWN, {}],
      ['named.json', { config: at('named.json') }],
    ] as const) {
      writeFileSync(at(place), text, { mode: 0o600 });
      expect(refusal(flags)).toBe(
        `${at(place)} cannot be used: it says “${name}” twice, and not the same. Put what both say under one “${name}”.`,
      );
      rmSync(at(place));
    }
  },
);

it('the doctor says what is wrong with a configuration, and which one others can write', async () => {
  const office = openOffice({ PAYFILE_SOURCE: 'GB', CI: 'true' });
  try {
    office.configure({ notify: { to: 'bin/page' } });
    const refused = await office.payfile('doctor', '--sandbox');
    expect(refused.code).toBe(78);
    expect(refused.stdout).toContain(`✖ Settings: ${office.at('payfile.json')} cannot be used:`);
    rmSync(office.at('payfile.json'));
    const missing = await office.payfile('doctor', '--sandbox');
    expect([missing.code, missing.stdout]).toEqual([
      78,
      expect.stringContaining(
        `✖ Settings: The configuration file ${office.at('payfile.json')} does not exist`,
      ),
    ]);
    writeFileSync(office.at('mine.json'), '{}');
    chmodSync(office.at('mine.json'), 0o666);
    const open = await office.payfile('doctor', '--sandbox', '--config', office.at('mine.json'));
    expect(open.code).toBe(78);
    expect(open.stdout).toContain(
      `✖ Settings: others can write ${office.at('mine.json')}, which decides where money goes`,
    );
    expect(open.stdout).toContain(`chmod go-w ${office.at('mine.json')}`);
    writeFileSync(office.at('mine.json'), '{"people": {"eve": ["approver"]}}');
    const peopled = await office.payfile('doctor', '--sandbox', '--config', office.at('mine.json'));
    expect(peopled.stdout).toContain('which decides where money goes and who may approve');
    chmodSync(office.at('mine.json'), 0o644);
    expect((await office.payfile('doctor', '--sandbox', '--config', office.at('mine.json'))).code).toBe(0);
  } finally {
    office.close();
  }
});

it('the doctor warns users who can write the file that limits their own roles', () => {
  const path = write({ people: { ama: ['maker'], eve: ['approver', 'administrator'] } }, OWN);
  // Root can write everything, so nothing is said of root.
  vi.spyOn(process, 'geteuid').mockReturnValue(1000);
  const told = (user: string) => roleFileChecks(settings(), user).map(({ text }) => text);
  expect(told('ama')).toEqual([`ama can write ${path}, which gives roles to ama`]);
  expect(told('eve')).toEqual([]);
  expect(told('somebody')).toEqual([]);
});
