/** Stories in which a row is paid again: each names how a naive tool pays twice there, and shows that we do not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ANSWER_LOST, GOOD, payrollCsv, type Row } from '../builders/office.ts';
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
  shop.office.file('may.csv', payrollCsv(rows));
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
    expect(toldIn(again)).toContain('Another payment of this row is settled');
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
    const text = readFileSync(join(shop.office.folder, 'redo.csv'), 'utf8');
    writeFileSync(join(shop.office.folder, 'bare.csv'), text.replaceAll(/,\d+(\r?\n|$)/g, ',$1'));
    const bare = await shop.run('bare.csv', 'bare');
    expect(bare.code, bare.stderr).toBe(3);
    expect(toldIn(bare)).toMatch(/May be the same payment as row \d of batch may/);
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });
  },
  STORY_MS,
);

it(
  'a file for a new period waits for the held row of the last one, and says which row that is',
  async () => {
    shop = await openShop();
    const two = payrollCsv(rows).trimEnd().split('\n');
    const [head = '', ...lines] = two;
    shop.office.file('april.csv', `${[head, ...lines, lines[0]].join('\n')}\n`);
    expect((await shop.run('april.csv', 'april')).code).toBe(3);
    shop.later(24);
    shop.office.file('may.csv', `${[head, ...lines].join('\n')}\n`);
    const said = await shop.run('may.csv', 'may', '--repeats', 'april');
    expect(said.code, said.stderr).toBe(10);
    expect(toldIn(said)).toContain(
      'Batch april is not finished: 1 held. Release or cancel row 4 of that batch first.',
    );
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });
  },
  STORY_MS,
);

// A tool that takes “this is a new period” for the whole file pays once more what may be paid already.
it(
  'a new period does not pay again what is in doubt in the last one, until a person says so of the row',
  async () => {
    shop = await openShop();
    const bare = (lines: readonly Row[]) => payrollCsv(lines.map(([to, amount]) => [to, amount, '']));
    shop.office.file('april.csv', bare([...rows, [ANSWER_LOST, '70.00']]));
    expect((await shop.run('april.csv', 'april')).code).toBe(5);
    shop.office.file('may.csv', bare([...rows, [ANSWER_LOST, '70.00']]));
    shop.later(24);
    // Held as repeats by the first run of the one batch; said at once of the other.
    await shop.run('may.csv', 'may');
    shop.office.file('june.csv', bare([[ANSWER_LOST, '70.00']]));
    for (const [file, name] of [
      ['may.csv', 'may'],
      ['june.csv', 'june'],
    ] as const) {
      const said = await shop.run(file, name, '--repeats', 'april');
      expect(said.code, said.stderr).toBe(10);
      expect(toldIn(said)).toContain('Batch april is not finished: 1 in doubt.');
    }
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1, [ANSWER_LOST]: 1 });
    const why = ['--reason', 'April was not paid, says the bank'];
    const asked = await shop.payfile('release', 'may', '--all', '--kind', 'repeat', ...why);
    expect(asked.code).toBe(10);
    expect(toldIn(asked)).toContain('may be paid already: row 4 of batch april is in doubt');
    await shop.run('may.csv', 'may');
    expect(shop.received()).toEqual({ [AMA]: 2, [KOFI]: 2, [ANSWER_LOST]: 1 });
    await shop.payfile('release', 'may', '4', ...why, '--may-be-paid');
    await shop.run('may.csv', 'may');
    expect(shop.received()).toEqual({ [AMA]: 2, [KOFI]: 2, [ANSWER_LOST]: 2 });
  },
  STORY_MS,
);

// A tool that lets go all that points to the last period lets the changed account go with it.
it(
  'a new period does not let a changed account go that nobody was asked about',
  async () => {
    shop = await openShop();
    const head = 'Country,Institution,Account,Name,Amount';
    const file = (account: string) =>
      [
        head,
        ...GOOD.map((each) => `GH,GCB Bank,${each},,50.00`),
        `GH,GCB Bank,${account},Kofi Owusu,90.00`,
      ].join('\n');
    // The service knows no name of these two.
    const [before, now] = ['1011130990004', '1011131990004'];
    shop.office.file('april.csv', file(before));
    expect((await shop.run('april.csv', 'payroll-2026-04')).code).toBe(0);
    shop.later(24);
    shop.office.file('may.csv', file(now));
    expect((await shop.run('may.csv', 'payroll-2026-05')).code).toBe(10);
    const said = await shop.run('may.csv', 'payroll-2026-05', '--repeats', 'payroll-2026-04');
    expect(toldIn(said)).toContain('The account is new for this person');
    expect(shop.received()).toMatchObject({ [before]: 1, [AMA]: 2 });
    expect(shop.received()).not.toHaveProperty(now);
  },
  STORY_MS,
);
