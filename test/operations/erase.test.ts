/** `payfile erase`: when it is refused, what it shows, who agrees, and what a month of erased rows still says. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastDayToErase } from '../../src/domain/batches/retention.ts';
import { WallClock } from '../../src/domain/time-zone.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { erase } from '../../src/operations/erase.ts';
import { report } from '../../src/operations/report.ts';
import { run } from '../../src/operations/run.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import { createPayfile } from '../../src/payfile.ts';

const UTC = new WallClock('UTC');
const EIGHT_YEARS_MS = 8 * 366 * 86_400_000;
const FILE = 'samples/suppliers.csv';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-erase-'));
  const now = open();
  await now.call(run, {
    file: FILE,
    batch: 'suppliers',
    consent: async () => ({ kind: 'agreed', how: 'library' }),
  });
  await now.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(aheadMs = 0) {
  const clock = { ...systemClock, now: () => timestampOf(Date.now() + aheadMs) };
  const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
  return createPayfile(
    { sandbox: true, ledger: join(folder, 'ledger.db'), actor: 'ada', source: 'GB' },
    { env, clock },
  );
}

it.each([
  ['2026-11-27T10:00:00Z', 7, 14, '2019-11-27'],
  ['2028-02-29T10:00:00Z', 7, 14, '2021-02-28'],
  // Repeats are found by accounts: 3,650 days are longer than one year.
  ['2026-11-27T10:00:00Z', 1, 3_650, '2016-11-29'],
])('at %s, after %i years and %i days, erases before %s', (now, retentionYears, duplicateWindowDays, day) => {
  expect(lastDayToErase(timestampOf(Date.parse(now)), { retentionYears, duplicateWindowDays }, UTC)).toBe(
    day,
  );
});

it('refuses a day that is too late, and names the latest one', async () => {
  const now = open();
  const today = new Date().toISOString().slice(0, 10);
  const [year = '', rest = ''] = [today.slice(0, 4), today.slice(4)];
  await expect(now.call(erase, { before: today })).rejects.toMatchObject({
    message: expect.stringContaining(`The latest day is ${Number(year) - 7}${rest}`),
  });
  await now.close();
});

it('shows the plan, asks for the number, and keeps the sums of the month', async () => {
  const later = open(EIGHT_YEARS_MS);
  const [day, tomorrow] = [0, 86_400_000].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10));
  const [from = '', before = ''] = [day, tomorrow];
  const month = async () => {
    const path = join(folder, 'month.json');
    await later.call(report, { from, to: before, output: path, overwrite: true });
    const { rows: _, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return rest;
  };
  const bytes = () =>
    ['ledger.db', 'ledger.db-wal']
      .map((name) => join(folder, name))
      .map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : ''))
      .join('');
  const persons = ['Aya Yao', 'Serge Bamba', 'Clarisse Brou', '0748112290', '0102938475', 'INV-4324'];
  const personsLeft = () => persons.filter((person) => bytes().includes(person));
  expect(personsLeft()).toEqual(persons);
  const sums = await month();
  const planned = await later.call(erase, { before });
  expect(planned).toMatchObject({ plan: { rows: 12, kept: 0 } });
  expect(planned.erased).toBeUndefined();
  await expect(later.call(erase, { before, rows: 11 })).rejects.toMatchObject({ code: 'usage' });
  const done = await later.call(erase, { before, rows: 12 });
  expect(done.erased?.rows).toBe(12);
  expect(personsLeft()).toEqual([]);
  expect((await later.ledger.verify()).problems).toEqual([]);
  expect(await month()).toEqual(sums);
  await later.close();
});
