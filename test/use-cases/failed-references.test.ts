/** A failed row that is copied by hand into another file: compared with the payment that failed, by its reference. */
import { expect, it } from 'vitest';
import { allChanges } from '../../src/domain/batches/batch-changes.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { changesSinceLast } from '../../src/use-cases/approve/changes-since-last.ts';
import { releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { aRow, type FileRow } from '../builders/payout-file.ts';
import { aWorkplace, kindsOf, type Workplace } from '../builders/workplace.ts';

const DAY = 86_400_000;
const NAMES = ['Ama Mensah', 'Kofi Owusu', 'Yaa Asante', 'Esi Boakye'];
const person = (number: number, changes: FileRow = {}) =>
  aRow(number, { name: NAMES[number - 1] ?? '', ...changes });
const CLOSED = '0244123002';
const NEW = { account: '0244999888' };
const BARE = { name: '', note: 'x' };

/** May: the second of three rows goes to an account that is closed. */
async function aMayThatFailed(): Promise<{ readonly place: Workplace; readonly may: BatchId }> {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  for (const [at, who] of NAMES.entries()) place.service.names.set(`024412300${at + 1}`, who);
  place.service.names.set(NEW.account, NAMES[1]);
  place.service.script = ({ account }) => (account.reveal() === CLOSED ? { refuse: 'closed' } : 'accept');
  const may = await run(place, [person(1), person(2), person(3)], 'may');
  expect(await place.stand(may)).toEqual({ settled: 2, failed: 1 });
  place.clock.advance(DAY);
  return { place, may };
}

/** Neither the batch nor the file is called like one before. */
const planned = async (place: Workplace, rows: readonly FileRow[], name: string) =>
  (await place.place(rows, `batch of ${name}`, `${name}.csv`)).batch;

async function run(place: Workplace, rows: readonly FileRow[], name: string): Promise<BatchId> {
  const { id } = await planned(place, rows, name);
  await place.run(id);
  return id;
}

it.each([
  ['with its name', {}],
  ['without names', BARE],
])('is held where nobody looks, and shown, to another account: %s', async (_, bare) => {
  const { place, may } = await aMayThatFailed();
  const batch = await planned(place, [person(2, { ...NEW, ...bare }), person(4)], 'by hand');
  const changes = await changesSinceLast(batch, place.world);
  expect(changes).toMatchObject({
    previous: { id: may },
    paysAgain: true,
    difference: {
      newAccounts: { count: 1, list: [{ row: 2, accountBefore: '••••3002', account: '••••9888' }] },
      added: { count: 1 },
      missing: { count: 0 },
    },
  });
  const told = changes === undefined ? '' : allChanges(changes).join('\n');
  expect(told).toContain('! 1 beneficiary with a new account');
  expect(told).toContain('Compared with payments of batch batch of may');
  expect(told).not.toContain('pays again');
  await place.run(batch.id);
  expect(await place.stand(batch.id)).toEqual({ settled: 1, held: 1 });
  expect((await place.row(batch.id, 2)).state).toMatchObject({
    reasons: [
      { concern: { kind: 'other_account' }, pointer: { batchId: may, rowNumber: 3, status: 'failed' } },
    ],
  });
});

it('is paid once a person let it go, and the account is known from then on', async () => {
  const { place } = await aMayThatFailed();
  const batch = await run(place, [person(2, NEW)], 'by hand');
  await releaseHeld(batch, { kind: 'rows', rows: ['2'] }, { by: 'ben', reason: 'asked him' }, place.world);
  await place.run(batch);
  expect(await place.stand(batch)).toEqual({ settled: 1 });
  place.clock.advance(20 * DAY);
  const later = await planned(place, [person(2, NEW)], 'something else');
  await place.run(later.id);
  expect(await place.stand(later.id)).toEqual({ settled: 1 });
});

it('is compared in a batch of a kind of its own as well, beside the last of that kind', async () => {
  const { place } = await aMayThatFailed();
  await place.run((await planned(place, [person(4)], 'suppliers 1')).id);
  place.clock.advance(20 * DAY);
  const batch = await planned(place, [person(4), person(2, { ...NEW, ...BARE })], 'suppliers 2');
  expect(await changesSinceLast(batch, place.world)).toMatchObject({
    previous: { name: 'batch of suppliers 1' },
    difference: { newAccounts: { count: 1, list: [{ row: 3, by: 'paid_again' }] }, missing: { count: 0 } },
  });
  await place.run(batch.id);
  expect(await place.stand(batch.id)).toEqual({ settled: 1, held: 1 });
});

it.each<[string, FileRow, number]>([
  ['under the name of somebody else', { ...NEW, name: 'Esi Boakye' }, 1],
  ['to the same account', {}, 1],
  ['months later, without a name', { ...NEW, ...BARE }, 70],
])('is a payment of its own %s', async (_, changes, days) => {
  const { place } = await aMayThatFailed();
  place.clock.advance(days * DAY);
  const batch = await run(place, [person(2, changes)], 'by hand');
  expect(kindsOf(await place.row(batch, 2))).not.toContain('other_account');
});

it('is a payment of its own to an account that is known under this number in files of another kind', async () => {
  const { place } = await aMayThatFailed();
  const supplier = person(2, { ...NEW, ...BARE });
  await place.run((await planned(place, [person(4, BARE), { ...supplier, reference: 'S-1' }], 'goods 1')).id);
  place.clock.advance(30 * DAY);
  const batch = await planned(place, [supplier], 'goods 2');
  await place.run(batch.id);
  expect(await place.stand(batch.id)).toEqual({ settled: 1 });
});

it('is held in the next batch of its kind as well, although another row has the account that is closed', async () => {
  const { place, may } = await aMayThatFailed();
  place.service.names.set(NEW.account, 'Esi Boakye');
  place.clock.advance(30 * DAY);
  const rows = [person(2, { ...NEW, ...BARE }), person(3, { ...BARE, account: CLOSED })];
  const { id } = (await place.place(rows, 'batch of june', 'may.csv')).batch;
  await place.run(id);
  expect((await place.row(id, 2)).state).toMatchObject({
    reasons: [
      { concern: { kind: 'other_account' }, pointer: { batchId: may, rowNumber: 3, status: 'failed' } },
    ],
  });
});

it('is held where two rows that failed have each other’s account', async () => {
  const { place } = await aMayThatFailed();
  place.service.script = () => ({ refuse: 'closed' });
  const both = await run(place, [person(1, { reference: 'X-1' }), person(3, { reference: 'X-2' })], 'both');
  expect(await place.stand(both)).toEqual({ failed: 2 });
  const swapped = [person(3, { ...BARE, reference: 'X-1' }), person(1, { ...BARE, reference: 'X-2' })];
  const batch = await run(place, swapped, 'by hand');
  expect(await place.stand(batch)).toEqual({ held: 2 });
});

it('is held although a row of somebody else with the same reference failed later', async () => {
  const { place, may } = await aMayThatFailed();
  const others = '0244123004';
  place.service.script = ({ account }) => (account.reveal() === others ? { refuse: 'closed' } : 'accept');
  const other = await run(place, [person(2, { account: others, name: 'Esi Boakye' })], 'goods');
  expect(await place.stand(other)).toEqual({ failed: 1 });
  const batch = await run(place, [person(2, NEW)], 'by hand');
  expect((await place.row(batch, 2)).state).toMatchObject({
    reasons: [
      { concern: { kind: 'other_account' }, pointer: { batchId: may, rowNumber: 3, status: 'failed' } },
    ],
  });
});
