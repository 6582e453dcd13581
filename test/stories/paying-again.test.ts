/** Stories in which a row is paid again: each names how a naive tool pays twice there, and shows that we do not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { GOOD, payrollCsv, type Row } from '../journeys/a-desk.ts';
import { openShop, type Shop, toldIn } from './a-shop.ts';

const STORY_MS = 180_000;
const [AMA = '', KOFI = ''] = GOOD;
const rows: readonly Row[] = [
  [AMA, '50.00'],
  [KOFI, '60.00'],
];

let shop: Shop;
afterEach(() => shop.close());

/** Both rows were refused, because no payment instrument was configured; now one is. */
async function refusedThenMended(): Promise<void> {
  shop = await openShop();
  shop.desk.file('may.csv', payrollCsv(rows));
  shop.service.setScenario({ paymentInstrument: false });
  const refused = await shop.run('may.csv', 'may');
  expect(refused.code, refused.stderr).toBe(3);
  expect(toldIn(refused)).toContain('payfile reissue may');
  shop.service.setScenario({});
  await shop.payfile('report', 'may', '--only', 'unpaid', '--as-input', '-o', 'redo.csv');
}

// A tool that knows rows by their file pays once for `reissue` and once for the file of failed rows.
it(
  'a row that is reissued and also comes back in a redo file is paid once',
  async () => {
    await refusedThenMended();
    expect((await shop.payfile('reissue', 'may', '--all-failed')).code).toBe(0);
    const redo = await shop.run('redo.csv', 'redo');
    const again = await shop.run('may.csv', 'may');
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });
    expect([redo.code, again.code].sort()).toEqual([0, 3]);
    expect(toldIn(again)).toContain('Another instruction of this row is settled');
  },
  STORY_MS,
);

it(
  'a redo file that comes after the rows were reissued and paid pays nothing, however it is named',
  async () => {
    await refusedThenMended();
    await shop.payfile('reissue', 'may', '--all-failed');
    expect((await shop.run('may.csv', 'may')).code).toBe(0);
    const linked = await shop.run('redo.csv', 'redo');
    expect(linked.code).toBe(3);
    // Somebody empties the column that says what the rows pay again.
    const text = readFileSync(join(shop.desk.folder, 'redo.csv'), 'utf8');
    writeFileSync(join(shop.desk.folder, 'bare.csv'), text.replaceAll(/,\d+(\r?\n|$)/g, ',$1'));
    const bare = await shop.run('bare.csv', 'bare');
    expect(bare.code, bare.stderr).toBe(3);
    expect(toldIn(bare)).toMatch(/Same payment as row \d of batch may/);
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });
  },
  STORY_MS,
);

// A tool that believes “Cancelled” pays again at once; then the first payment finishes as well.
it(
  '[E12] a payment that the service says was cancelled and that finishes later is paid once',
  async () => {
    shop = await openShop({ statuses: { confirmMinutes: 0 } });
    shop.desk.file('may.csv', payrollCsv(rows));
    await shop.run('may.csv', 'may', '--deadline', '0s');
    shop.says(AMA, 'Cancelled');
    const failed = await shop.payfile('settle', 'may');
    expect(failed.code, failed.stderr).toBe(3);
    const atOnce = await shop.payfile('reissue', 'may', '2');
    expect(toldIn(atOnce)).toMatch(/wait until .* or give --evidence/);

    shop.later(25);
    expect((await shop.payfile('reissue', 'may', '2')).code).toBe(0);
    shop.says(AMA, 'Finished');
    const found = await shop.run('may.csv', 'may');
    expect(found.code, found.stderr).toBe(5);
    expect(toldIn(found)).toContain('A person must look');
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });

    const once = await shop.payfile('reissue', 'may', '2');
    expect(toldIn(once)).toContain('would pay twice');
    expect((await shop.run('may.csv', 'may')).code).toBe(5);
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });
  },
  STORY_MS,
);

// A tool that looked once, the day before, sends while the service is making up its mind again.
it(
  '[E12] a payment that is no longer called failed keeps its replacement waiting for a person',
  async () => {
    shop = await openShop({ statuses: { confirmMinutes: 0 } });
    shop.desk.file('may.csv', payrollCsv(rows));
    await shop.run('may.csv', 'may', '--deadline', '0s');
    shop.says(AMA, 'Cancelled');
    await shop.payfile('settle', 'may');
    shop.later(25);
    await shop.payfile('reissue', 'may', '2');
    shop.says(AMA, 'Processing');
    const held = await shop.run('may.csv', 'may');
    expect(held.code, held.stderr).toBe(3);
    expect(toldIn(held)).toContain('no longer says that an earlier payment of this row failed or came back');
    expect(toldIn(held)).toContain('payfile release may 2');
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });
  },
  STORY_MS,
);
