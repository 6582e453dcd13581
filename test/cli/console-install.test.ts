/** `payfile console --install`: the passkey first, then the file that keeps the console running, and how to remove it. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { consoleUnit } from '../../src/cli/commands/console-unit.ts';
import { consoleWindow, PASSKEY_LINK, register } from '../builders/console-window.ts';
import { officesFor } from '../builders/offices.ts';
import type { Place } from '../builders/process-context.ts';

const office = officesFor({ PAYFILE_SOURCE: 'GB', PAYFILE_SOURCE_COUNTRY: '' });
const WORDS = ['/usr/bin/node', '/opt/pay file/bin.ts'];
const PROGRAM = { words: WORDS, platform: 'linux', hasSystemd: true };

/** The call under way. */
const installing = (place: Place, program = PROGRAM) =>
  consoleWindow(['--install', '--port', '0'], place, { user: 'ada', program });

const unitFolder = (env: Place['env']) =>
  join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? '', '.config'), 'systemd/user');

it('waits for the passkey, writes a unit for this user alone, and says how to start and remove it', async () => {
  const { folder, env } = office();
  const path = join(unitFolder(env), 'payfile-console.service');
  const first = installing({ folder, env });
  const link = await first.shown(PASSKEY_LINK);
  expect(() => statSync(path)).toThrow('ENOENT');
  await register(link);
  expect((await first.ended).code).toBe(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toContain(
    'ExecStart="/usr/bin/node" "/opt/pay file/bin.ts" "console" "--port" "0" "--sandbox" "--no-open"\n',
  );
  expect(first.said()).toContain('systemctl --user enable --now payfile-console.service');
  expect(first.said()).toContain(
    `To remove it: systemctl --user disable --now payfile-console.service; rm '${path}'`,
  );
  // The passkey is there: the next call only replaces its own file.
  const second = installing({ folder, env });
  expect((await second.ended).code).toBe(0);
  expect(second.said()).not.toMatch(PASSKEY_LINK);
  writeFileSync(path, 'something else');
  const third = installing({ folder, env });
  expect((await third.ended).code).not.toBe(0);
  expect(third.said()).toContain('payfile did not write it. Move it away');
  rmSync(path);
  expect((await installing({ folder, env }).ended).code).toBe(0);
});

it('installs nothing where the user stops first', async () => {
  const { folder, env } = office();
  const call = installing({ folder, env });
  await call.shown(PASSKEY_LINK);
  call.stop();
  await call.ended;
  expect(call.said()).toContain('Nothing was installed');
  expect(() => statSync(unitFolder(env))).toThrow('ENOENT');
});

it('refuses where it cannot stay: another system, and npx', async () => {
  const { folder, env } = office();
  mkdirSync(dirname(folder), { recursive: true });
  const windows = installing({ folder, env }, { ...PROGRAM, platform: 'win32' });
  expect((await windows.ended).code).toBe(64);
  expect(windows.said()).toContain('on Linux and macOS');
  const words = ['/usr/bin/node', '/home/ada/.npm/_npx/1/payfile'];
  const npx = installing({ folder, env }, { ...PROGRAM, words });
  expect((await npx.ended).code).toBe(64);
  expect(npx.said()).toContain('Install it first');
});

it('keeps every word of the program one word, in each kind of file', () => {
  const words = ['/a b/no"de', '/50%/$HOME', "it's", '<x>'];
  const at = { home: '/home/ada', env: {} };
  const contents = (
    [
      { platform: 'linux', hasSystemd: true },
      { platform: 'linux', hasSystemd: false },
      { platform: 'darwin', hasSystemd: false },
    ] as const
  ).map((machine) => consoleUnit(words, { ...at, ...machine })?.content);
  expect(contents[0]).toContain(String.raw`ExecStart="/a b/no\"de" "/50%%/$$HOME" "it's" "<x>" "--no-open"`);
  expect(contents[1]).toContain(String.raw`Exec="/a b/no\\"de" "/50%%/\\$HOME" "it's" "<x>"`);
  expect(contents[2]).toContain('<string>/50%/$HOME</string>');
  expect(contents[2]).toContain('<string>&lt;x&gt;</string><string>--no-open</string>');
});
