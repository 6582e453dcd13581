/** A configuration that was found in the working folder: whose it has to be, and what it may say. */
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../src/setup/config-file.ts';
import { loadSettings } from '../../src/setup/load-settings.ts';
import { ownRoster } from '../../src/setup/machine-checks.ts';
import { openOffice } from '../builders/office.ts';

const isRoot = process.getuid?.() === 0;
const SOMEBODY = 12_345;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'payfile-found-'));
  mkdirSync(join(cwd, 'home/.config/payfile'), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(cwd, { recursive: true, force: true });
});

const at = (name: string) => join(cwd, name);
const OWN = 'home/.config/payfile/config.json';

function write(values: object, name = 'payfile.config.json'): string {
  writeFileSync(at(name), JSON.stringify(values), { mode: 0o644 });
  return at(name);
}
const settings = (flags = {}) => loadSettings(flags, { env: {}, cwd, home: at('home') });

function refusal(flags = {}): string {
  try {
    settings(flags);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('It was taken.');
}

describe('a configuration found in the working folder', () => {
  it('is used where it is the user’s own and says nothing of where money goes', () => {
    write({
      source: 'GB',
      fourEyes: true,
      limits: { rowMax: { GHS: '1.00' } },
      statuses: { confirmMinutes: 5 },
    });
    expect(settings().source).toBe('GB');
    expect(settings().policy).toMatchObject({ fourEyes: true, failConfirmMs: 300_000 });
  });

  it.each([
    ['baseUrl', { baseUrl: 'https://evil.example' }],
    ['authUrl', { authUrl: 'https://evil.example' }],
    ['passwordFile', { passwordFile: '/dev/null' }],
    ['notify', { notify: { to: 'exec:/bin/sh' } }],
    ['notify', { notify: { on: 'always' } }],
    ['answers', { answers: { refused: [{ status: 200, code: 0 }] } }],
    ['statuses.failed', { statuses: { failed: ['Finished'] } }],
    ['statuses.returned', { statuses: { returned: ['Finished'] } }],
    ['ledger.path', { ledger: { path: 'empty.db' } }],
    ['duplicateWindowDays', { duplicateWindowDays: 0 }],
    ['approvalPasskey', { approvalPasskey: false }],
    ['people', { people: { ama: ['approver'] } }],
    ['baseUrl, notify', { source: 'GB', notify: {}, baseUrl: '' }],
  ])('may not set %s: refused whole, with the way to go on', (names, values) => {
    const path = write(values);
    expect(refusal()).toBe(
      `The configuration ${path} was found in the working folder, but it sets ${names}, which a file found there may not set. ` +
        `Nothing was done. If you trust it, name it: --config ${path}. Your own settings belong in ${at(OWN)}.`,
    );
    expect(refusal({ sandbox: true })).toContain(`it sets ${names}`);
  });

  it('may say all of it where the user names it, or keeps it as his own', () => {
    const values = { baseUrl: 'https://a.example', notify: { to: 'exec:/bin/true' }, duplicateWindowDays: 3 };
    const path = write(values);
    expect(settings({ config: path }).notify.to).toBe('exec:/bin/true');
    rmSync(path);
    write(values, OWN);
    expect(settings().policy.duplicateWindowDays).toBe(3);
  });

  it('says in the user’s own file who may do what, in roles that exist', () => {
    write({ people: { eve: ['approver'], ben: [] } }, OWN);
    expect([...settings().people]).toEqual([
      ['eve', ['approver']],
      ['ben', []],
    ]);
    write({ people: { eve: ['boss'] } }, OWN);
    expect(refusal()).toContain('people.eve');
    write({ people: { 'eve\n': ['approver'] } }, OWN);
    expect(refusal()).toContain('people');
  });

  it.each([0o664, 0o646, 0o666, 0o622])('is refused where others can write it: mode %o', (mode) => {
    const path = write({ source: 'GB' });
    chmodSync(path, mode);
    expect(refusal()).toContain(
      `but others can write it. Nothing was done. Make it yours alone: chmod go-w ${path}.`,
    );
    expect(settings({ config: path }).source).toBe('GB');
  });

  it('is refused where it belongs to somebody else', () => {
    const path = write({ source: 'GB' });
    // Only root can give a file away; anybody else becomes another user here.
    if (isRoot) chownSync(path, SOMEBODY, SOMEBODY);
    else vi.spyOn(process, 'geteuid').mockReturnValue(SOMEBODY);
    expect(refusal()).toContain('but it belongs to another user (number ');
  });

  it.skipIf(!isRoot)('is refused where the link to it belongs to somebody else', () => {
    symlinkSync(write({ source: 'KE' }, 'elsewhere.json'), at('payfile.config.json'));
    expect(settings().source).toBe('KE');
    lchownSync(at('payfile.config.json'), SOMEBODY, SOMEBODY);
    expect(refusal()).toContain('but it belongs to another user');
  });

  it('is no pipe, which would hold the program for ever', () => {
    mkdirSync(at('payfile.config.json'));
    expect(refusal()).toContain('it is not a file');
  });
});

it.each([
  ['limits', '{"limits": {"rowMax": {"GHS": "15.00"}}, "limits": {"batchMax": {"GHS": "100.00"}}}'],
  ['GHS', '{"limits": {"rowMax": {"GHS": "15.00", "GHS": "1500.00"}}}'],
  ['fourEyes', '{"fourEyes": true, "fourEyes": false}'],
])(
  'a setting that stands twice in a configuration, %s, is refused, for only one of them would hold',
  (name, text) => {
    for (const [place, flags] of [
      ['payfile.config.json', {}],
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
    writeFileSync(office.at('payfile.config.json'), JSON.stringify({ notify: { to: 'exec:/bin/sh' } }));
    const refused = await office.payfile('doctor', '--sandbox');
    expect(refused.code).toBe(78);
    expect(refused.stdout).toContain(
      `✖ Settings: The configuration ${office.at('payfile.config.json')} was found`,
    );
    rmSync(office.at('payfile.config.json'));
    writeFileSync(office.at('mine.json'), '{}');
    chmodSync(office.at('mine.json'), 0o666);
    const open = await office.payfile('doctor', '--sandbox', '--config', office.at('mine.json'));
    expect(open.code).toBe(78);
    expect(open.stdout).toContain(
      `✖ Settings: others can write ${office.at('mine.json')}, and with it where money goes`,
    );
    expect(open.stdout).toContain(`chmod go-w ${office.at('mine.json')}`);
    writeFileSync(office.at('mine.json'), '{"people": {"eve": ["approver"]}}');
    const peopled = await office.payfile('doctor', '--sandbox', '--config', office.at('mine.json'));
    expect(peopled.stdout).toContain('and with it where money goes and who may approve');
    chmodSync(office.at('mine.json'), 0o644);
    expect((await office.payfile('doctor', '--sandbox', '--config', office.at('mine.json'))).code).toBe(0);
  } finally {
    office.close();
  }
});

it('the doctor says where the user can write the file that gives this user some roles and not all', () => {
  const path = write({ people: { ama: ['maker'], eve: ['approver', 'administrator'] } }, OWN);
  // Root can write everything, so nothing is said of root.
  vi.spyOn(process, 'geteuid').mockReturnValue(1000);
  const told = (user: string) => ownRoster(settings(), user).map(({ text }) => text);
  expect(told('ama')).toEqual([`ama can write ${path}, which says what ama may do`]);
  expect(told('eve')).toEqual([]);
  expect(told('somebody')).toEqual([]);
});
