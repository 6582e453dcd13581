/** A row that is paid again to another account: seen as a changed account, and the account that failed is no longer the one before. */
import { expect, it } from 'vitest';
import { allChanges } from '../../src/domain/batches/batch-changes.ts';
import type { BatchId, PayoutId } from '../../src/domain/payouts/instruction.ts';
import { changesSinceLast } from '../../src/use-cases/approve/changes-since-last.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { aRow, type FileRow } from '../builders/payout-file.ts';
import { aWorkplace, kindsOf, type Workplace } from '../builders/workplace.ts';

const DAY = 86_400_000;
const NAMES = ['Ama Mensah', 'Kofi Owusu', 'Yaa Asante'];
const person = (number: number, changes: FileRow = {}) =>
  aRow(number, { name: NAMES[number - 1] ?? '', ...changes });
const RIGHT = { account: '0244999888' };
const WRONG = { account: '0244123002' };
const EVIL = { account: '0244777666' };
const OTHER = { account: '0244555555' };
const decision = { by: 'ben', reason: 'asked him by telephone' };

/** May: the second of three rows goes to an account that is closed. */
async function aMayThatFailed(name: string | undefined = 'payroll-2026-05') {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  for (const [at, who] of NAMES.entries()) place.service.names.set(`024412300${at + 1}`, who);
  for (const { account } of [RIGHT, EVIL]) place.service.names.set(account, NAMES[1]);
  place.service.script = ({ account }) =>
    account.reveal() === WRONG.account ? { refuse: 'closed' } : 'accept';
  const { batch } = await place.place([person(1), person(2), person(3)], name);
  await place.run(batch.id);
  expect(await place.stand(batch.id)).toEqual({ settled: 2, failed: 1 });
  const { id: failed } = await place.row(batch.id, 3);
  place.clock.advance(DAY);
  return { place, may: batch.id, failed };
}

const planned = async (place: Workplace, rows: readonly FileRow[], name?: string) =>
  (await place.place(rows, name)).batch.id;

async function run(place: Workplace, rows: readonly FileRow[], name?: string): Promise<BatchId> {
  const batch = await planned(place, rows, name);
  await place.run(batch);
  return batch;
}

async function letGo(place: Workplace, batch: BatchId): Promise<void> {
  await releaseHeld(batch, { kind: 'all' }, { ...decision, kinds: ['other_account'] }, place.world);
  await place.run(batch);
}

async function changesOf(place: Workplace, id: BatchId) {
  const changes = await changesSinceLast(await place.batch(id), place.world);
  if (changes?.difference === undefined) throw new TypeError('nothing was compared');
  return { ...changes, difference: changes.difference };
}

/** The row is paid to the right account, which a person was asked about. */
async function paidAgain(
  place: Workplace,
  replaces: PayoutId,
  name: string | undefined = 'payroll-2026-05-redo',
) {
  const redo = await run(place, [person(2, { ...RIGHT, replaces })], name);
  await letGo(place, redo);
  expect(await place.stand(redo)).toEqual({ settled: 1 });
  place.clock.advance(30 * DAY);
  return redo;
}

const june = (changes: FileRow) => [
  person(1, { reference: 'J-1' }),
  person(2, { reference: 'J-2', ...changes }),
  person(3, { reference: 'J-3' }),
];

it('holds it while nobody looks, as it would in a new batch, and names the payment that it replaces', async () => {
  const { place, failed } = await aMayThatFailed();
  const redo = await run(place, [person(2, { ...RIGHT, replaces: failed })], 'anything');
  expect((await place.row(redo, 2)).state).toMatchObject({
    status: 'held',
    reasons: [
      {
        concern: { kind: 'other_account' },
        text: 'The account is new for this person: ••••3002 at MTN Mobile Money before (row 3 of batch payroll-2026-05), ••••9888 at MTN Mobile Money now',
      },
    ],
  });
  await letGo(place, redo);
  expect(await place.stand(redo)).toEqual({ settled: 1 });
});

it('holds every row that names the payment, and shows each with its account', async () => {
  const { place, failed } = await aMayThatFailed();
  place.service.names.set(OTHER.account, NAMES[1]);
  const bare = { name: '', note: 'x', replaces: failed };
  const unnamed = (account: FileRow) => person(2, { ...account, ...bare, reference: '' });
  const redo = await planned(place, [unnamed(RIGHT), person(2, { ...EVIL, ...bare }), unnamed(OTHER)], 'any');
  expect(await changesOf(place, redo)).toMatchObject({
    difference: {
      newAccounts: { count: 3, list: [{ row: 2 }, { row: 3 }, { row: 4 }] },
      added: { count: 0 },
    },
  });
  await place.run(redo);
  expect(await place.stand(redo)).toEqual({ held: 3 });
  for (const row of [2, 3, 4]) expect(kindsOf(await place.row(redo, row))).toContain('other_account');
});

it('holds it where neither name nor reference says whose it is', async () => {
  const { place, failed } = await aMayThatFailed();
  place.service.names.set(RIGHT.account, 'SOMEBODY ELSE');
  const rows = [person(2, { ...RIGHT, name: '', reference: '', note: 'x', replaces: failed })];
  const redo = await run(place, rows, 'anything');
  expect(kindsOf(await place.row(redo, 2))).toContain('other_account');
});

it('does not hold the same account that is paid again', async () => {
  const { place, failed } = await aMayThatFailed();
  place.service.script = () => 'accept';
  const redo = await run(place, [person(2, { replaces: failed })], 'anything');
  expect(await place.stand(redo)).toEqual({ settled: 1 });
});

it('shows it as changed beside the rows that it pays again, and nobody as missing', async () => {
  const { place, failed } = await aMayThatFailed();
  const { difference, ...changes } = await changesOf(
    place,
    await planned(place, [person(2, { ...RIGHT, replaces: failed })], 'anything'),
  );
  expect(difference).toMatchObject({
    newAccounts: { count: 1, list: [{ row: 2, rowBefore: 3, by: 'paid_again', account: '••••9888' }] },
    added: { count: 0 },
    missing: { count: 0 },
    totals: [{ rowsBefore: 1, rows: 1 }],
  });
  expect(allChanges({ ...changes, difference }).join('\n')).toMatch(
    /^Compared with the rows of batch payroll-2026-05 of [\d-]+ that it pays again:\n.*\n {2}! 1 beneficiary with a new account:\n {4}row 2 ••••3002 → ••••9888/,
  );
});

it.each([
  ['named', 'payroll-2026-05-redo'],
  ['named like the others', 'payroll-2026-05'.replace('05', '5')],
  ['without a name', undefined],
])('is what the next month is compared with, in the batch that it belongs to: %s', async (_, name) => {
  const { place, failed } = await aMayThatFailed();
  await paidAgain(place, failed, name);
  const right = await planned(place, june(RIGHT), 'payroll-2026-06');
  const { previous, paysAgain, difference } = await changesOf(place, right);
  expect([previous.name, paysAgain]).toEqual(['payroll-2026-05', false]);
  expect(difference).toMatchObject({
    newAccounts: { count: 0 },
    added: { count: 0 },
    missing: { count: 0 },
    totals: [{ rowsBefore: 3, rows: 3 }],
  });
  await place.run(right);
  expect(await place.stand(right)).toEqual({ settled: 3 });
});

it.each([
  ['the account that failed', WRONG],
  ['a third account', EVIL],
])('holds %s the next month', async (_, account) => {
  const { place, failed } = await aMayThatFailed();
  await paidAgain(place, failed);
  const batch = await run(place, june(account), 'payroll-2026-06');
  expect(await place.stand(batch)).toEqual({ settled: 2, held: 1 });
  expect(JSON.stringify((await place.row(batch, 3)).state)).toContain('••••9888 at MTN Mobile Money before');
});

it('does not take an account that only waited, or was withdrawn, for one that was agreed to', async () => {
  const { place, failed } = await aMayThatFailed();
  const redo = await run(place, [person(2, { ...EVIL, replaces: failed })], 'waits');
  expect(await place.stand(redo)).toEqual({ held: 1 });
  place.clock.advance(30 * DAY);
  expect(await place.stand(await run(place, june(EVIL), 'payroll-2026-06'))).toEqual({ settled: 2, held: 1 });
  await cancelUnsent(redo, { kind: 'all' }, decision, place.world);
  place.clock.advance(30 * DAY);
  const july = june(EVIL).map((row, at) => ({ ...row, reference: `L-${at}` }));
  expect(await place.stand(await run(place, july, 'payroll-2026-07'))).toEqual({ settled: 2, held: 1 });
});

it('holds another account for a row that was planned again and withdrawn', async () => {
  const { place, may, failed } = await aMayThatFailed();
  await reissue(may, { kind: 'rows', rows: ['3'] }, { by: 'ben', evidence: undefined }, place.world);
  await cancelUnsent(may, { kind: 'rows', rows: ['3'] }, decision, place.world);
  const replacement = (await place.payouts(may)).find(({ instruction }) => instruction?.replaces === failed);
  const rows = [person(2, { ...RIGHT, replaces: replacement?.id ?? '' })];
  const redo = await run(place, rows, 'anything');
  expect(JSON.stringify((await place.row(redo, 2)).state)).toContain('row 3 of batch payroll-2026-05');
});

it('remembers whom a file pays besides, and holds another account of theirs the month after', async () => {
  const { place, failed } = await aMayThatFailed();
  const esi = (changes: FileRow) => aRow(4, { name: 'Esi Boakye', ...changes });
  place.service.names.set('0244123004', 'Esi Boakye').set(OTHER.account, 'Esi Boakye');
  const both = await run(place, [esi({}), person(2, { ...RIGHT, replaces: failed })], 'payroll-2026-5');
  expect(await place.stand(both)).toEqual({ settled: 1, held: 1 });
  await letGo(place, both);
  expect(await place.stand(both)).toEqual({ settled: 2 });
  place.clock.advance(30 * DAY);
  const rows = [...june(RIGHT), esi({ ...OTHER, reference: 'J-4' })];
  const next = await run(place, rows, 'payroll-2026-06');
  expect(await place.stand(next)).toEqual({ settled: 3, held: 1 });
  expect(JSON.stringify((await place.row(next, 5)).state)).toContain('row 2 of batch payroll-2026-5');
});

it('counts every payment of a row in one batch only, whatever was tried', async () => {
  const { place, failed } = await aMayThatFailed();
  // The second account is closed as well, and the row is paid by a third file.
  place.service.script = ({ account }) =>
    account.reveal() === OTHER.account ? { refuse: 'closed' } : 'accept';
  place.service.names.set(OTHER.account, NAMES[1]);
  const second = await run(place, [person(2, { ...OTHER, replaces: failed })], 'payroll-2026-05-redo');
  await letGo(place, second);
  expect(await place.stand(second)).toEqual({ failed: 1 });
  const { id } = await place.row(second, 2);
  place.clock.advance(DAY);
  const third = await planned(place, [person(2, { ...RIGHT, replaces: id })], 'payroll-2026-05-redo-2');
  expect(await changesOf(place, third)).toMatchObject({
    previous: { name: 'payroll-2026-05' },
    difference: { newAccounts: { list: [{ accountBefore: '••••5555', account: '••••9888' }] } },
  });
  await place.run(third);
  await letGo(place, third);
  expect(await place.stand(third)).toEqual({ settled: 1 });
  place.clock.advance(30 * DAY);
  const next = await planned(place, june(RIGHT), 'payroll-2026-06');
  expect(await changesOf(place, next)).toMatchObject({
    previous: { name: 'payroll-2026-05' },
    difference: { newAccounts: { count: 0 }, missing: { count: 0 }, totals: [{ rowsBefore: 3 }] },
  });
});
