/** A person at a terminal says which institution a written name means: once per name, and never by mere Enter. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { commandPath } from '../builders/command.ts';
import { GOOD, type Office, openOffice } from '../builders/office.ts';

const DRIVER = fileURLToPath(new URL('a-terminal.py', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0;
const DOWN = '\u001b[B';

let office: Office | undefined;
afterEach(() => office?.close());

function type(at: Office, answers: readonly (readonly [string, string])[], ...words: string[]) {
  const all = [DRIVER, JSON.stringify(answers), process.execPath, commandPath(), ...words];
  const ended = spawnSync('python3', all, { cwd: at.folder, env: at.env, encoding: 'utf8', timeout: 28_000 });
  return { code: ended.status, screen: stripVTControlCharacters(ended.stdout) };
}

describe.skipIf(!hasPython)('check on a terminal', () => {
  it('[F27] binds an unknown institution only when a person chose it, and remembers it for such files', () => {
    office = openOffice({ PAYFILE_SOURCE: 'GB', TERM: 'xterm' });
    const line = (account = '') => `GH,GCB,${account},10.00`;
    const lines = ['Country,Bank,Account,Amount', line(GOOD[0]), line(GOOD[1]), ''];
    office.file('may.csv', lines.join('\n'));
    const declined = type(office, [['Which institution is it?', '\r']], 'check', 'may.csv', '--sandbox');
    expect(declined.code, declined.screen).toBe(65);
    expect(declined.screen).toContain('“GCB” in Ghana (2 rows, first on row 2)');
    const place = join(office.folder, 'config', 'payfile', 'mappings.json');
    expect(existsSync(place)).toBe(false);
    const chosen = type(
      office,
      [
        ['Which institution is it?', `${DOWN}\r`],
        ['under which name?', 'acme\r'],
      ],
      'check',
      'may.csv',
      '--sandbox',
    );
    expect(chosen.screen).toContain('Remembered in the mapping “acme”');
    expect(JSON.parse(readFileSync(place, 'utf8'))).toMatchObject({
      mappings: [
        {
          name: 'acme',
          columns: { institution: 'Bank' },
          values: [
            { country: 'GH', written: 'GCB', environment: 'sandbox', institution: { name: 'GCB Bank' } },
          ],
        },
      ],
    });
  }, 60_000);

  it('offers the whole list of the country, so that a name that is like none of it can be settled too', async () => {
    office = openOffice({ PAYFILE_SOURCE: 'GB', TERM: 'xterm' });
    office.file('may.csv', `Country,Bank,Account,Amount\nGH,Our house bank,${GOOD[0]},10.00\n`);
    // Absa Bank Ghana, AirtelTigo Money, Ecobank Ghana, Fidelity Bank Ghana, GCB Bank.
    const chosen = type(
      office,
      [
        ['Which institution is it?', `${DOWN.repeat(5)}\r`],
        ['under which name?', 'acme\r'],
      ],
      'check',
      'may.csv',
      '--sandbox',
    );
    expect(chosen.screen).toContain('Remembered in the mapping “acme”');
    expect((await office.payfile('check', 'may.csv', '--sandbox')).code).toBe(0);
  }, 60_000);
});
