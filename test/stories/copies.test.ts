/** Stories about copies: a ledger that somebody restored or moved does not know what was paid since, and says so. */
import { cpSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { GOOD, payrollCsv, type Row } from '../builders/office.ts';
import { openShop, runWords, type Shop, toldIn } from './a-shop.ts';

const STORY_MS = 180_000;
const ONCE = Object.fromEntries(GOOD.slice(0, 3).map((account) => [account, 1]));
const rows: readonly Row[] = GOOD.slice(0, 3).map(
  (account, index) => [account, `${50 + index}.00`, `P-${index}`] as const,
);

let shop: Shop;
afterEach(() => shop.close());

async function approvedMay(): Promise<void> {
  shop = await openShop();
  shop.office.file('may.csv', payrollCsv(rows));
  const planned = await shop.payfile('plan', 'may.csv', '--batch', 'may', '--json');
  const { digest } = planned.json()['plan'] as { digest: string };
  expect((await shop.payfile('approve', 'may', '--digest', digest)).code).toBe(0);
}

const state = () => join(shop.office.folder, 'state', 'payfile');

// A tool that trusts whatever memory it finds pays everything once more on the second machine.
it(
  'a ledger that was copied to a machine that never saw it sends nothing, though its folder was copied whole',
  async () => {
    await approvedMay();
    cpSync(state(), join(shop.office.folder, 'other'), { recursive: true, preserveTimestamps: true });
    expect((await shop.run('may.csv', 'may')).code).toBe(0);
    expect(shop.received()).toEqual(ONCE);

    shop.office.env['XDG_CONFIG_HOME'] = join(shop.office.folder, 'other-config');
    shop.office.env['PAYFILE_LEDGER'] = join(shop.office.folder, 'other', 'ledger.db');
    for (const words of [runWords('may.csv', 'may'), ['send', 'may'], ['resume', 'may'], ['settle', 'may']]) {
      const refused = await shop.payfile(...words);
      expect(refused.code, refused.stderr).toBe(78);
      expect(toldIn(refused)).toContain('Then: payfile verify --accept-ledger');
    }
    const doctor = await shop.payfile('doctor');
    expect([doctor.code, toldIn(doctor)]).toEqual([78, expect.stringContaining('is not known here')]);
    expect((await shop.payfile('status', 'may')).code).toBe(0);
    const checked = await shop.payfile('verify');
    expect([checked.code, toldIn(checked)]).toEqual([
      0,
      expect.stringContaining('The ledger is valid, but not known here'),
    ]);

    const accepted = await shop.payfile('verify', '--accept-ledger');
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(toldIn(accepted)).toContain('It does not know files that ran after that');
    expect(toldIn(accepted)).toContain('Then: payfile reconcile may --statement FILE --accept');
    for (const words of [runWords('may.csv', 'may'), ['send', 'may']]) {
      const waiting = await shop.payfile(...words);
      expect(waiting.code, waiting.stderr).toBe(6);
      expect(toldIn(waiting)).toContain('the ledger was not known here');
      expect(toldIn(waiting)).toContain('Next: payfile status may');
    }
    const paused = await shop.payfile('status', 'may');
    expect(toldIn(paused)).toContain('Then: payfile reconcile may --statement FILE');
    expect(toldIn(paused)).not.toContain('Next: payfile resume');
    expect(shop.received()).toEqual(ONCE);
  },
  STORY_MS,
);

it('a backup that was only verified is not proposed as the ledger', async () => {
  await approvedMay();
  expect((await shop.payfile('backup', '-o', 'backup.db')).code).toBe(0);
  const verified = await shop.payfile('verify', '--ledger', 'backup.db');
  expect(verified.code, verified.stderr).toBe(0);
  expect(toldIn(verified)).toContain('A backup needs no acceptance while that file is in use');
  expect(toldIn(verified)).not.toContain('--accept-ledger');
});

// A tool that trusts a backup pays what it never heard of: cron runs the same line again in the next night.
it(
  'a batch that only the replaced ledger knows is not paid again by cron, until a person compared it',
  async () => {
    await approvedMay();
    expect((await shop.payfile('backup', '-o', 'may-backup.db')).code).toBe(0);
    expect((await shop.run('may.csv', 'may')).code).toBe(0);
    shop.office.file('june.csv', payrollCsv([[GOOD[3] ?? '', '70.00', 'J-1']]));
    expect((await shop.run('june.csv', 'june')).code).toBe(0);
    const paid = { ...ONCE, [GOOD[3] ?? '']: 1 };
    expect(shop.received()).toEqual(paid);

    expect((await shop.payfile('restore', 'may-backup.db')).code).toBe(73);
    const restored = await shop.payfile('restore', 'may-backup.db', '--replace', '--json');
    expect([restored.code, restored.json()['restored']]).toEqual([
      0,
      expect.objectContaining({
        sentSince: [
          { batch: 'may', rows: 3 },
          { batch: 'june', rows: 1 },
        ],
      }),
    ]);
    expect(toldIn(restored)).toContain('3 rows of batch may, 1 row of batch june');
    expect(readdirSync(state()).some((name) => /^ledger\.db\.replaced-[^.]*$/.test(name))).toBe(true);
    expect((await shop.run('may.csv', 'may')).code).toBe(78);
    expect((await shop.payfile('verify', 'may', '--accept-rollback')).code).toBe(64);
    const accepted = await shop.payfile('verify', '--accept-rollback');
    expect([accepted.code, toldIn(accepted)]).toEqual([0, expect.stringContaining('payfile resume --all')]);
    for (const words of [runWords('june.csv', 'june'), ['send', 'june'], runWords('june.csv', 'june')]) {
      const waiting = await shop.payfile(...words);
      expect([waiting.code, toldIn(waiting)]).toEqual([
        6,
        expect.stringContaining('the ledger was set back'),
      ]);
      expect(toldIn(waiting)).not.toContain('payfile resume');
    }
    expect(shop.received()).toEqual(paid);

    expect((await shop.payfile('cancel', 'june', '--all', '--reason', 'paid before')).code).toBe(0);
    expect((await shop.payfile('resume', '--all')).code).toBe(0);
    shop.office.file('july.csv', payrollCsv([[GOOD[4] ?? '', '80.00', 'L-1']]));
    expect((await shop.run('july.csv', 'july')).code).toBe(0);
    expect(shop.received()).toEqual({ ...paid, [GOOD[4] ?? '']: 1 });
    expect((await shop.payfile('verify')).code).toBe(0);
  },
  STORY_MS,
);

// A tool that takes the login address from whatever configuration it finds hands the password to whoever wrote it.
it(
  'a login address that was changed in the configuration gets no password before a person agreed to it',
  async () => {
    await approvedMay();
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    const { PAYFILE_AUTH_URL: before = '' } = shop.office.env;
    shop.office.env['PAYFILE_AUTH_URL'] = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/auth`;
    for (const words of [runWords('may.csv', 'may'), ['check', 'may.csv'], ['doctor'], ['countries']]) {
      const refused = await shop.payfile(...words);
      expect(refused.code, refused.stderr).toBe(78);
      expect(toldIn(refused)).toContain('payfile verify --accept-auth-url');
    }
    expect(asked).toEqual([]);
    expect((await shop.payfile('verify', '--accept-auth-url')).code).toBe(0);
    await shop.payfile('countries');
    expect(asked.length).toBeGreaterThan(0);
    stranger.closeAllConnections();
    stranger.close();

    shop.office.env['PAYFILE_AUTH_URL'] = before;
    expect((await shop.payfile('verify', '--accept-auth-url')).code).toBe(0);
    expect((await shop.run('may.csv', 'may')).code).toBe(0);
    expect(shop.received()).toEqual(ONCE);
  },
  STORY_MS,
);
