/** A home that depends on the working folder is none: in another folder the ledger would not be found. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Office, openOffice } from '../builders/office.ts';

const ADDRESS = 'http://127.0.0.1:9';

let office: Office;
beforeEach(() => {
  office = openOffice({
    PAYFILE_BASE_URL: ADDRESS,
    PAYFILE_AUTH_URL: ADDRESS,
    PAYFILE_ID: 'ama',
    PAYFILE_PASSWORD: 'secret-1',
  });
});
afterEach(() => office.close());

it.each(['', '.', 'home'])(
  'HOME “%s” is refused, and nothing is made in the working folder',
  async (home) => {
    office.env['HOME'] = home;
    for (const [state, config] of [
      ['', ''],
      ['state', join(office.folder, 'config')],
      [join(office.folder, 'state'), ''],
    ]) {
      Object.assign(office.env, { XDG_STATE_HOME: state, XDG_CONFIG_HOME: config });
      const { code, stderr } = await office.payfile('init');
      expect([code, stderr]).toEqual([
        78,
        expect.stringContaining(`HOME is “${home}”, which is not an absolute path.`),
      ]);
      expect(readdirSync(office.folder)).toEqual([]);
    }
  },
);

it('HOME is not asked for where both places are named', async () => {
  office.env['HOME'] = '';
  expect((await office.payfile('init')).code).toBe(0);
  expect(existsSync(join(office.folder, 'state', 'payfile', 'ledger.db'))).toBe(true);
});
