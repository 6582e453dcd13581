/**
 * A payment that came back is watched like one that failed: a service that says Finished afterwards has paid it, and
 * a person must look, whether or not it was paid again meanwhile.
 */
import { expect, it } from 'vitest';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent } from '../../src/use-cases/decide/release-held.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, kindsOf } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const row2 = { kind: 'rows', rows: ['2'] } as const;

/** A row that the service took, and then called returned. */
async function cameBack() {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(1), 'may');
  place.service.statusOf = () => 'Returned';
  await place.send(batch);
  await place.settle(batch, HOUR);
  expect(await place.stand(batch)).toEqual({ returned: 1 });
  const payAgain = async () => {
    place.clock.advance(DAY);
    await reissue(batch, row2, { by: 'ben', evidence: undefined }, place.world);
    await place.agree(batch);
  };
  /** An hour later the service says Finished about every transfer. */
  const finished = async () => {
    place.service.statusOf = () => 'Finished';
    place.clock.advance(HOUR);
    return place.settle(batch, HOUR);
  };
  return { place, batch, payAgain, finished };
}

it('is an incident when it was paid again and both are Finished', async () => {
  const { place, batch, payAgain, finished } = await cameBack();
  const first = await place.row(batch, 2);
  await payAgain();
  await place.send(batch);
  expect(place.service.book).toHaveLength(2);
  expect(await finished()).toMatchObject({ incidents: [2] });
  expect((await place.ledger.payout(first.id))?.state).toMatchObject({ status: 'settled', incident: true });
  const text = 'Row 2: the service said returned and now says finished. A person must look.';
  expect(place.told).toContainEqual({ kind: 'warning', text });
  expect(place.told).toContainEqual(
    expect.objectContaining({ text: 'Row 2 was paid again meanwhile: it may have been paid twice.' }),
  );
  expect((await place.ledger.verify()).problems).toEqual([]);
});

it('is an incident after a single word that it came back', async () => {
  const { place, batch, finished } = await cameBack();
  expect(await finished()).toMatchObject({ incidents: [2] });
  expect((await place.row(batch, 2)).state).toMatchObject({ status: 'settled', incident: true });
});

it('withdraws what was to be paid in its place and is not sent: the row is settled, and not canceled', async () => {
  const { place, batch, payAgain, finished } = await cameBack();
  const first = await place.row(batch, 2);
  await payAgain();
  expect(await finished()).toMatchObject({ incidents: [2] });
  expect(await place.stand(batch)).toEqual({ settled: 1 });
  expect((await place.row(batch, 2)).id).toBe(first.id);
  expect((await place.ledger.verify()).problems).toEqual([]);
});

it('is what its row shows where a person had withdrawn the payment in its place', async () => {
  const { place, batch, payAgain, finished } = await cameBack();
  await payAgain();
  await cancelUnsent(batch, row2, { by: 'ben', reason: 'not now' }, place.world);
  await finished();
  expect(await place.stand(batch)).toEqual({ settled: 1 });
});

it('is what its row shows where the service had refused the payment in its place', async () => {
  const { place, batch, payAgain, finished } = await cameBack();
  const first = await place.row(batch, 2);
  await payAgain();
  place.service.turns.push({ refuse: 'closed' });
  await place.send(batch);
  expect(await place.stand(batch)).toEqual({ failed: 1 });
  expect(await finished()).toMatchObject({ incidents: [2] });
  expect(await place.stand(batch)).toEqual({ settled: 1 });
  expect((await place.row(batch, 2)).id).toBe(first.id);
  expect((await place.ledger.verify()).problems).toEqual([]);
});

it('has its row in a newer file, and a new row with the same cells is a payment of its own', async () => {
  const { place, batch, payAgain, finished } = await cameBack();
  const first = await place.row(batch, 2);
  await payAgain();
  await finished();
  const [row] = someRows(1);
  const other = someRows(2)[1];
  if (row === undefined || other === undefined) throw new TypeError('no rows');
  const again = await place.place([other, row, row], 'may');
  expect(again).toMatchObject({ kind: 'revision' });
  expect(await place.stand(batch)).toEqual({ planned: 2, settled: 1 });
  expect((await place.row(batch, 3)).id).toBe(first.id);
  expect((await place.ledger.verify()).problems).toEqual([]);
});

it('stays returned while the service says so, or any other word', async () => {
  const { place, batch } = await cameBack();
  for (const word of ['Returned', 'Failed', 'Processing']) {
    place.service.statusOf = () => word;
    place.clock.advance(HOUR);
    expect(await place.settle(batch, HOUR)).toMatchObject({ incidents: [] });
    expect(await place.stand(batch)).toEqual({ returned: 1 });
  }
});

it('is asked about for 14 days, and then no more', async () => {
  const { place, batch } = await cameBack();
  place.service.statusOf = () => 'Finished';
  place.clock.advance(15 * DAY);
  expect(await place.settle(batch, HOUR)).toMatchObject({ incidents: [] });
  expect(await place.stand(batch)).toEqual({ returned: 1 });
});

it('holds the same payment of another batch once the service no longer calls it returned', async () => {
  const { place, batch } = await cameBack();
  place.clock.advance(2 * DAY);
  const june = await place.approved(someRows(1), 'june');
  expect(await place.stand(june)).toEqual({ approved: 1 });
  place.service.statusOf = () => 'Processing';
  await place.settle(batch, HOUR);
  await place.send(june);
  expect(kindsOf(await place.row(june, 2))).toEqual(['repeat']);
  expect(place.service.book).toHaveLength(1);
  const july = await place.place(someRows(1), 'july');
  await place.price(july.batch.id);
  expect(kindsOf(await place.row(july.batch.id, 2))).toEqual(['repeat']);
});
