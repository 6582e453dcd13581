/** What changed since the last batch of the same kind: shown to whoever approves, decides nothing. */
import { describe, expect, it } from 'vitest';
import type { BatchChanges, Difference } from '../../src/domain/batches/batch-changes.ts';
import { allChanges, shortChanges } from '../../src/domain/batches/batch-changes.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { changesSinceLast } from '../../src/use-cases/approve/changes-since-last.ts';
import { aRow, type FileRow, someRows } from '../builders/payout-file.ts';
import { money } from '../builders/payouts.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const DAY = 86_400_000;

/** Approves one file and plans another a month later; what changed between the two. */
async function between(
  before: readonly FileRow[],
  now: readonly FileRow[],
  names: readonly (string | undefined)[] = ['payroll-2026-04', 'payroll-2026-05'],
): Promise<{ readonly changes: BatchChanges | undefined; readonly place: Workplace }> {
  // Where no name can be had at all, rows would wait for one.
  const place = await aWorkplace({ policy: { names: { ...DEFAULT_POLICY.names, unavailable: 'ok' } } });
  place.service.nameAnswer = { kind: 'unavailable', reason: '503' };
  // Names that are left to the service: every account has a holder of its own.
  if (now[0]?.name === '') place.service.nameAnswer = undefined;
  for (const { account = '' } of [...before, ...now])
    place.service.names.set(account, `HOLDER ${'ABCDEFGHIJ'[Number(account.slice(-1))]}XYZ`);
  await place.approved(before, names[0]);
  place.clock.advance(30 * DAY);
  const { batch } = await place.place(now, names[1]);
  await place.price(batch.id);
  return { changes: await changesSinceLast(batch, place.world), place };
}

async function differenceOf(before: readonly FileRow[], now: readonly FileRow[]): Promise<Difference> {
  const { changes } = await between(before, now);
  if (changes?.difference === undefined) throw new TypeError('nothing was compared');
  return changes.difference;
}

const person = (number: number, changes: FileRow = {}) =>
  aRow(number, { name: `Ama Mensah${'abcdefghij'[number] ?? ''}`, ...changes });

describe('the difference to the last batch', () => {
  it('names who is new and who is missing, and what it comes to', async () => {
    const { added, missing, newAccounts, totals } = await differenceOf(
      [person(1), person(2)],
      [person(1), person(3, { amount: '10.50' })],
    );
    expect(added).toMatchObject({
      count: 1,
      list: [{ row: 3, reference: 'GH-003', amount: money('GHS 10.50') }],
    });
    expect(missing).toMatchObject({ count: 1, list: [{ row: 3, reference: 'GH-002' }] });
    expect(newAccounts.count).toBe(0);
    expect(totals).toEqual([
      {
        currency: 'GHS',
        rowsBefore: 2,
        rows: 2,
        before: money('GHS 2400.00'),
        now: money('GHS 1210.50'),
      },
    ]);
  });

  it.each([
    ['reference', {}],
    ['name', { reference: 'MAY-77', name: 'MENSAHB, Ama' }],
    ['reference', { name: 'Ama K. Mensahb' }],
  ])('shows the same person with another account, known by %s', async (by, changes) => {
    const { newAccounts, added, missing } = await differenceOf(
      [person(1, { reference: 'A' }), person(2, { reference: 'B', name: 'Ama Mensahb' })],
      [
        person(1, { reference: 'A' }),
        person(2, { reference: 'B', name: 'Ama Mensahb', account: '0244999888', ...changes }),
      ],
    );
    expect(newAccounts).toMatchObject({
      count: 1,
      list: [{ row: 3, by, account: '••••9888', accountBefore: '••••3002' }],
    });
    expect([added.count, missing.count]).toEqual([0, 0]);
  });

  it('shows somebody whose money now goes to a colleague’s account', async () => {
    const { newAccounts } = await differenceOf(
      [person(1), person(2)],
      [person(1, { account: '0244123002', note: 'x' }), person(2)],
    );
    expect(newAccounts.list).toMatchObject([{ row: 2, rowBefore: 2, by: 'reference' }]);
  });

  it('shows an account that belongs to somebody else now, with both names, also where the file has none', async () => {
    const place = await aWorkplace();
    const rows = [person(1, { name: '' }), person(2, { name: '' })];
    place.service.names.set('0244123001', 'AMA MENSAH').set('0244123002', 'KOFI OWUSU');
    await place.approved(rows, 'payroll-2026-04');
    place.clock.advance(30 * DAY);
    place.service.names.set('0244123001', 'Mensah, Ama').set('0244123002', 'ESI BOAKYE');
    const { batch } = await place.place(rows, 'payroll-2026-05');
    await place.price(batch.id);
    const changes = await changesSinceLast(batch, place.world);
    expect(changes?.difference?.newHolders).toEqual({
      count: 1,
      list: [{ row: 3, holder: 'ESI BOAKYE', holderBefore: 'KOFI OWUSU' }],
    });
    expect(changes && allChanges(changes).join('\n')).toContain('row 3 “ESI BOAKYE”, was “KOFI OWUSU”');
  });

  it('takes references that only count the rows for no persons', async () => {
    const numbered = (numbers: readonly number[]) =>
      numbers.map((number, at) => aRow(number, { reference: `R-${at + 1}`, name: '' }));
    const { newAccounts, missing } = await differenceOf(numbered([1, 2, 3, 4]), numbered([2, 3, 4]));
    expect(newAccounts.count).toBeLessThanOrEqual(1);
    expect(newAccounts.count + missing.count).toBe(1);
  });

  it.each([' 0244123001 ', '0244-123-001'])(
    'takes %j for no change, because it is read as the same account',
    async (account) => {
      const { newAccounts, added, missing } = await differenceOf([person(1)], [person(1, { account })]);
      expect([newAccounts.count, added.count, missing.count]).toEqual([0, 0, 0]);
    },
  );

  it.each([
    ['0012340000017', '12340000017'],
    ['12340000017', '0012340000017'],
    ['0244123001', '244123001'],
  ])('shows an account that lost or found leading zeros: %s → %s', async (then, now) => {
    const { newAccounts } = await differenceOf([person(1, { account: then })], [person(1, { account: now })]);
    expect(newAccounts).toMatchObject({ count: 1, list: [{ row: 2, by: 'reference' }] });
  });

  it.each(['+233244123001', '233244123001', '00233244123001', '+2330244123001'])(
    'shows %s as another account than 0244123001, because it is sent as another one',
    async (account) => {
      const { newAccounts } = await differenceOf([person(1)], [person(1, { account })]);
      expect(newAccounts).toMatchObject({ count: 1, list: [{ row: 2 }] });
    },
  );

  it('shows amounts that moved by more than half, up or down, per account and not per row', async () => {
    const { jumps } = await differenceOf(
      [
        person(1),
        person(2),
        person(3),
        person(4, { amount: '600.00' }),
        person(4, { reference: 'X', amount: '600.00' }),
      ],
      [
        person(1, { amount: '1800.00' }),
        person(2, { amount: '1800.01' }),
        person(3, { amount: '599.99' }),
        person(4, { amount: '1200.00' }),
      ],
    );
    expect(jumps.list.map(({ row, now }) => [row, now])).toEqual([
      [3, money('GHS 1800.01')],
      [4, money('GHS 599.99')],
    ]);
  });

  it('says how many rows an amount is of, where several pay one account', async () => {
    const twice = [person(1, { reference: 'W' }), person(1, { reference: 'X', name: 'Kofi Mensah' })];
    const { jumps } = await differenceOf([person(1)], twice);
    expect(jumps.list).toMatchObject([
      { row: 2, rows: 2, before: money('GHS 1200.00'), now: money('GHS 2400.00') },
    ]);
  });

  it('compares with what was agreed to: a row that stayed held or was withdrawn was nobody’s payment', async () => {
    const twice = person(1, { reference: '' });
    const { totals } = await differenceOf([twice, twice], [person(1, { reference: '' })]);
    expect(totals).toMatchObject([{ rowsBefore: 1, rows: 1 }]);
  });
});

/** SOAK=1 uses so many rows that a nested loop would take minutes. */
const MANY = process.env['SOAK'] === '1' ? 2_000 : 200;

it('is found in seconds for many rows of one name and one account', async () => {
  const many = (account: string, kind: string) =>
    Array.from({ length: MANY }, (_, at) =>
      aRow(at, {
        reference: `${kind}-${at}`,
        account: `${account}${String(at % 2 === 0 ? 0 : at).padStart(4, '0')}`,
        name: 'Customer',
      }),
    );
  const strangers = await differenceOf(many('024412', 'A'), many('025512', 'B'));
  expect([strangers.newAccounts.count, strangers.added.count, strangers.missing.count]).toEqual([
    0,
    MANY / 2 + 1,
    MANY / 2 + 1,
  ]);
  const movers = await differenceOf(many('024412', 'K'), many('025512', 'K'));
  expect([movers.newAccounts.count, movers.added.count, movers.newAccounts.list.length]).toEqual([
    MANY,
    0,
    Math.min(MANY, 1_000),
  ]);
});

describe('the last batch of the same kind', () => {
  it.each([
    ['payroll-2026-04', 'payroll-2026-05', true],
    ['Payroll April', 'payroll May', true],
    ['suppliers-04', 'suppliers-12b', false],
  ])('for %s and %s is told by the name: %s', async (before, now, isSame) => {
    const other = someRows(3, { institution: 'GCB Bank' }).map((row, at) => ({
      ...row,
      account: `101113002450${at}`,
      reference: `Z-${at}`,
    }));
    const place = await aWorkplace();
    await place.approved(other, before);
    const { batch } = await place.place([aRow(1)], now);
    // Another file name, so that the name of the batch alone decides.
    const elsewhere = { ...batch, file: { ...batch.file, name: 'elsewhere.csv' } };
    const changes = await changesSinceLast(elsewhere, place.world);
    expect(changes?.previous.name).toBe(isSame ? before : undefined);
  });

  it('is, without such a name, the one whose payments are repeated most', async () => {
    const { changes } = await between(someRows(4), someRows(5, { note: 'June' }), ['spring', 'summer']);
    expect(changes?.previous.name).toBe('spring');
    expect(changes?.difference?.added.count).toBe(1);
  });

  it('is never one of which nothing was approved', async () => {
    const place = await aWorkplace();
    await place.place(someRows(2), 'pay-04');
    const { batch } = await place.place(someRows(2, { note: 'May' }), 'pay-05');
    expect(await changesSinceLast(batch, place.world)).toBeUndefined();
  });
});

it('is told in short with every new account and its owner, and whole when asked', async () => {
  const before = Array.from({ length: 40 }, (_, at) =>
    person(at + 1, { name: `Ama ${'Very Long Name '.repeat(4)}${at}` }),
  );
  const now = [
    ...before.slice(5, 10).map((row) => ({ ...row, account: `0245${row.account?.slice(4)}` })),
    ...before.slice(10).map((row) => ({ ...row, amount: '9000.00' })),
    ...Array.from({ length: 9 }, (_, at) =>
      person(at + 60, {
        country: 'Kenya',
        institution: 'M-Pesa',
        account: `07001230${at + 10}`,
        name: `New ${at}`,
      }),
    ),
  ];
  const { changes } = await between(before, now);
  if (changes === undefined) throw new TypeError('nothing was compared');
  const { lines: short, isWhole } = shortChanges(changes);
  expect(isWhole).toBe(false);
  const accounts = short.indexOf('  ! 5 beneficiaries with new accounts:');
  expect(short.slice(accounts + 1, accounts + 6)).toHaveLength(5);
  for (const [at, line] of short.slice(accounts + 1, accounts + 6).entries())
    expect(line).toMatch(new RegExp(`^    row ${at + 2} \\S+ → \\S+, GHS [\\d,.]+, Ama Very Long Name`));
  expect(short.length).toBeLessThanOrEqual(8 + 5);
  expect(short.join('\n')).toMatch(/30 amounts moved by over 50 %: row 7/);
  expect(short.join('\n')).toMatch(/9 new beneficiaries[\s\S]*5 missing beneficiaries/);
  const whole = allChanges(changes).join('\n');
  expect(whole.match(/row \d+/g)).toHaveLength(5 + 30 + 9 + 5);
  expect(whole).not.toMatch(/02\d{8}/);
});

it('counts no row that is held in the amount of its account', async () => {
  const place = await aWorkplace();
  await place.approved([aRow(1)], 'payroll-2026-04');
  place.clock.advance(30 * DAY);
  // The second row is a possible duplicate of the first: the plan pays one of the two.
  const rows = [aRow(1, { reference: 'A' }), aRow(1, { reference: 'A' })];
  const { batch } = await place.place(rows, 'payroll-2026-05');
  await place.price(batch.id);
  expect(await place.stand(batch.id)).toEqual({ quoted: 1, held: 1 });
  const changes = await changesSinceLast(batch, place.world);
  expect(changes?.difference?.jumps.count).toBe(0);
});
