/** A home that depends on the working folder is none: in another folder the ledger would not be found. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Desk, openDesk } from '../journeys/a-desk.ts';

const ADDRESS = 'http://127.0.0.1:9';

let desk: Desk;
beforeEach(() => {
  desk = openDesk({
    PAYFILE_BASE_URL: ADDRESS,
    PAYFILE_AUTH_URL: ADDRESS,
    PAYFILE_ID: 'ama',
    PAYFILE_PASSWORD: 'secret-1',
  });
});
afterEach(() => desk.close());

it.each(['', '.', 'home'])(
  'HOME “%s” is refused, and nothing is made in the working folder',
  async (home) => {
    desk.env['HOME'] = home;
    for (const [state, config] of [
      ['', ''],
      ['state', join(desk.folder, 'config')],
      [join(desk.folder, 'state'), ''],
    ]) {
      Object.assign(desk.env, { XDG_STATE_HOME: state, XDG_CONFIG_HOME: config });
      const { code, stderr } = await desk.payfile('init');
      expect([code, stderr]).toEqual([
        78,
        expect.stringContaining(`HOME is “${home}”, which is no whole path.`),
      ]);
      expect(readdirSync(desk.folder)).toEqual([]);
    }
  },
);

it('HOME is not asked for where both places are named', async () => {
  desk.env['HOME'] = '';
  expect((await desk.payfile('init')).code).toBe(0);
  expect(existsSync(join(desk.folder, 'state', 'payfile', 'ledger.db'))).toBe(true);
});
