/** The canary: the first rows go alone, and nothing follows before they are settled, whatever happens to the process. */
import { describe, expect, it } from 'vitest';
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import type { Transaction } from '../../src/ports/payment-service.ts';
import { acceptDifference } from '../../src/use-cases/decide/accept-difference.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, lookUpsShow, workplaceOn } from '../builders/workplace.ts';
import { crashAt, withFreeLease } from '../fakes/crash.ts';
import type { Script } from '../fakes/scripted-payment-service.ts';

const MINUTE = 60_000;
/** With SOAK=1 killed at every call, else at every seventh. */
const IS_SOAK = process.env['SOAK'] === '1';

describe('a canary', () => {
  it('is the first rows of the file; the rest goes out when they are settled', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(6), 'may');
    const statuses: Record<string, string> = {};
    const { statusOf } = place.service;
    place.service.beforeSend = async ({ account }) => {
      const counts = await place.ledger.counts(batch.id);
      statuses[account.reveal().slice(-1)] = `${counts.settled} settled`;
    };
    place.service.statusOf = (id) => (place.clock.monotonicMs() < 30_000 ? 'Processing' : statusOf(id));
    const run = await place.run(batch.id, { canary: 2 });
    expect(run.sent?.stop).toBeUndefined();
    expect(await place.stand(batch.id)).toEqual({ settled: 6 });
    expect(statuses).toMatchObject({ 1: '0 settled', 2: '0 settled', 3: '2 settled', 6: '2 settled' });
  });

  it.each([
    ['is refused', { refuse: 'closed' } as Script, /^row 2 failed$/, { failed: 1, approved: 4 }],
    ['is in doubt', 'lose_after' as Script, /^row 2 is in doubt$/, { in_doubt: 1, approved: 4 }],
  ])('that %s stops the batch with the rest approved', async (_, script, reason, stand) => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5), 'may');
    place.service.turns.push(script);
    const canary = { rows: 2, by: 'ben', deadline: () => plusMs(place.clock.now(), MINUTE) };
    const sent = await place.send(batch, { canary });
    expect(sent.stop).toMatchObject({ kind: 'canary', row: 2, reason: expect.stringMatching(reason) });
    expect(await place.stand(batch)).toEqual(stand);
    const again = await place.send(batch);
    expect(again.stop?.kind).toBe('canary');
    expect(await place.stand(batch)).toEqual(stand);
  });

  it('that came back stops the batch, and 0 sends the rest when a person has looked', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5), 'may');
    const { statusOf } = place.service;
    place.service.statusOf = (id) => (id === 'tr-2' ? 'Returned' : statusOf(id));
    const canary = { rows: 2, by: 'ben', deadline: () => plusMs(place.clock.now(), 60 * MINUTE) };
    expect((await place.send(batch, { canary })).stop).toMatchObject({ reason: 'row 3 was returned' });
    expect(await place.stand(batch)).toEqual({ settled: 1, returned: 1, approved: 3 });
    await place.send(batch, { canary: { ...canary, rows: 0, by: 'esi' } });
    expect(await place.stand(batch)).toEqual({ settled: 1, returned: 1, accepted: 3 });
    const { entries } = await place.ledger.decisions(batch, 100);
    expect(decisionsOf(entries).filter(({ kind }) => kind === 'canary')).toMatchObject([
      { by: 'ben', why: 'the first 2 have to settle first' },
      { by: 'esi', why: 'lifted' },
    ]);
  });

  it('that is not settled by the deadline stops the batch; the next run waits for the same rows', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(5), 'may');
    const { statusOf } = place.service;
    place.service.statusOf = () => 'Processing';
    const run = await place.run(batch.id, { canary: 2 });
    expect(run.sent?.stop).toMatchObject({ kind: 'canary', reason: '0 of 2 settled before the deadline' });
    expect(await place.stand(batch.id)).toEqual({ accepted: 2, approved: 3 });
    expect((await place.run(batch.id)).sent?.stop?.kind).toBe('canary');
    expect(place.service.book).toHaveLength(2);
    place.service.statusOf = statusOf;
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 5 });
  });

  it('binds the first batch of a live ledger too, before its first transfer is proven', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(4), 'may');
    place.service.turns.push({ refuse: 'closed' });
    const canary = { rows: 1, by: 'ben', deadline: () => plusMs(place.clock.now(), MINUTE) };
    await place.send(batch, { canary });
    const sent = place.service.calls.filter((call) => call.startsWith('send')).length;
    expect((await place.send(batch)).stop?.kind).toBe('canary');
    expect(place.service.calls.filter((call) => call.startsWith('send'))).toHaveLength(sent);
  });

  it('of more rows than the file has holds nothing back and stops nothing', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    const { statusOf } = place.service;
    place.service.statusOf = (id) => (id === 'tr-2' ? 'Processing' : statusOf(id));
    const run = await place.run(batch.id, { canary: 5 });
    expect(run.sent?.stop).toBeUndefined();
    expect(await place.stand(batch.id)).toEqual({ settled: 1, accepted: 1 });
    expect((await place.send(batch.id)).stop).toBeUndefined();
    place.service.statusOf = statusOf;
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 2 });
  });

  it('on the first live batch stops at its first bad row, before another one proves the service', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(4), 'may');
    place.service.turns.push({ refuse: 'closed' });
    const canary = { rows: 2, by: 'ben', deadline: () => plusMs(place.clock.now(), MINUTE) };
    expect((await place.send(batch, { canary })).stop).toMatchObject({ kind: 'canary', row: 2 });
    expect(await place.stand(batch)).toEqual({ failed: 1, approved: 3 });
  });

  it('is known again when one of its rows was paid again', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(4), 'may');
    place.service.turns.push({ refuse: 'closed' });
    const canary = { rows: 2, by: 'ben', deadline: () => plusMs(place.clock.now(), 60 * MINUTE) };
    await place.send(batch, { canary });
    await reissue(batch, { kind: 'rows', rows: ['2'] }, { by: 'ben', evidence: undefined }, place.world);
    await place.agree(batch);
    expect((await place.send(batch, { canary })).stop).toBeUndefined();
    expect(await place.stand(batch)).toEqual({ settled: 2, accepted: 2 });
  });
});

describe('a canary that somebody has to look at', () => {
  it.each<[Partial<Transaction>, string]>([
    [{ amount: '120000.00' }, 'differs from what was asked: amount: the service shows 120000.00'],
    [{ amount: '60.00' }, 'differs from what was asked: amount: the service shows 60.00'],
    [{ receiver: 'KOFI BOATENG' }, 'differs from what was asked: receiver: '],
    [{ status: 'Failed' }, 'has the status “Failed” at the service'],
    [{ status: 'Charged back' }, 'has a status that no setting explains'],
  ])('because the service shows %j stops the rest at once', async (shown, why) => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5), 'may');
    lookUpsShow(place, () => shown);
    const canary = { rows: 1, by: 'ben', deadline: () => plusMs(place.clock.now(), 60 * MINUTE) };
    const { stop } = await place.send(batch, { canary });
    expect(stop).toMatchObject({ kind: 'canary', row: 2, reason: expect.stringContaining(`row 2 ${why}`) });
    expect((await place.send(batch)).stop?.kind).toBe('canary');
    expect(place.service.book).toHaveLength(1);
  });

  it('is good once a person accepted what differs', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5), 'may');
    lookUpsShow(place, () => ({ amount: '60.00' }));
    const canary = { rows: 1, by: 'ben', deadline: () => plusMs(place.clock.now(), MINUTE) };
    await place.send(batch, { canary });
    const asked = { batch: await place.batch(batch), row: '2', by: 'ben', reason: 'the bank takes the rest' };
    expect(await acceptDifference(asked, place.world)).toMatchObject({ kind: 'ruled' });
    expect((await place.send(batch)).stop).toBeUndefined();
    expect(place.service.book).toHaveLength(5);
  });

  it('reports the incident where more went out than was asked', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(5), 'may');
    lookUpsShow(place, () => ({ amount: '120000.00' }));
    const canary = { rows: 1, by: 'ben', deadline: () => plusMs(place.clock.now(), MINUTE) };
    expect((await place.send(batch, { canary })).incidents).toEqual([2]);
  });
});

describe('the first transfer of a live ledger', () => {
  it('proves nothing if the look-up shows none of the fields that it should show', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(5), 'may');
    lookUpsShow(place, () => ({ amount: undefined, receiver: undefined, institution: undefined }));
    expect((await place.send(batch)).stop).toMatchObject({
      kind: 'paused',
      reason: expect.stringMatching(
        /^the first transfer \(row 2\) is shown without amount, .*answers\.lookup$/,
      ),
    });
    expect(place.service.book).toHaveLength(1);
  });

  it('counts by its id where the settings say that the service shows no field', async () => {
    const place = await aWorkplace({ environment: 'live', policy: { lookUpFields: [] } });
    const batch = await place.approved(someRows(5), 'may');
    lookUpsShow(place, () => ({ amount: undefined, receiver: undefined, institution: undefined }));
    expect((await place.send(batch)).stop).toBeUndefined();
    expect(place.service.book).toHaveLength(5);
  });

  it('pauses again after a resume until a person accepted what differs', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(5), 'may');
    lookUpsShow(place, () => ({ receiver: 'KOFI BOATENG' }));
    for (let run = 0; run < 2; run += 1) {
      expect((await place.send(batch)).stop).toMatchObject({
        kind: 'paused',
        reason: expect.stringContaining('(row 2) differs from what was asked: receiver: '),
      });
      await place.ledger.resume(batch, 'ben', place.clock.now());
    }
    expect(await place.stand(batch)).toEqual({ settled: 1, approved: 4 });
    const asked = { batch: await place.batch(batch), row: '2', by: 'ben', reason: 'his wife' };
    await acceptDifference(asked, place.world);
    await place.send(batch);
    expect(place.service.book).toHaveLength(5);
  });

  it('reports the incident where more went out than was asked', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(5), 'may');
    lookUpsShow(place, () => ({ amount: '120000.00' }));
    expect(await place.send(batch)).toMatchObject({ stop: { kind: 'paused' }, incidents: [2] });
  });
});

describe('a canary of a batch of which rows were sent before', () => {
  /** Rows 2 to 4 of the file are sent; the rest joins them, approved. */
  async function halfSent() {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(3), 'may');
    const more = async () => {
      await place.place(someRows(7), 'may');
      await place.agree(batch);
    };
    const canary = (rows: number) => ({
      canary: { rows, by: 'ben', deadline: () => plusMs(place.clock.now(), MINUTE) },
    });
    return { place, batch, more, canary };
  }

  it('is of the rows that go now, whatever was settled earlier', async () => {
    const { place, batch, more, canary } = await halfSent();
    await place.run(batch);
    await more();
    const { statusOf } = place.service;
    place.service.statusOf = () => 'Processing';
    const sent = await place.send(batch, canary(2));
    expect(sent.stop).toMatchObject({ kind: 'canary', reason: '0 of 2 settled before the deadline' });
    expect(await place.stand(batch)).toEqual({ settled: 3, accepted: 2, approved: 2 });
    expect((await place.send(batch, canary(2))).stop?.kind).toBe('canary');
    expect(await place.stand(batch)).toEqual({ settled: 3, accepted: 2, approved: 2 });
    place.service.statusOf = statusOf;
    await place.run(batch);
    expect(await place.stand(batch)).toEqual({ settled: 7 });
  });

  it('stops at a bad row of it among settled ones', async () => {
    const { place, batch, more, canary } = await halfSent();
    await place.run(batch);
    await more();
    place.service.turns.push({ refuse: 'closed' });
    expect((await place.send(batch, canary(2))).stop).toMatchObject({ kind: 'canary', row: 5 });
    expect(await place.stand(batch)).toEqual({ settled: 3, failed: 1, approved: 3 });
  });

  it('is not stopped by a row that failed before it, nor kept waiting by one that never finishes', async () => {
    const { place, batch, more, canary } = await halfSent();
    const { statusOf } = place.service;
    place.service.statusOf = (id) => (id === 'tr-1' ? 'Processing' : statusOf(id));
    place.service.turns.push('accept', { refuse: 'closed' });
    await place.run(batch);
    expect(await place.stand(batch)).toEqual({ settled: 1, accepted: 1, failed: 1 });
    await more();
    expect((await place.send(batch, canary(2))).stop).toBeUndefined();
    expect(await place.stand(batch)).toEqual({ settled: 3, accepted: 3, failed: 1 });
  });

  it('starts anew when it is given anew after it was settled', async () => {
    const { place, batch, more, canary } = await halfSent();
    await place.send(batch, canary(2));
    expect(await place.stand(batch)).toEqual({ settled: 2, accepted: 1 });
    await more();
    const { statusOf } = place.service;
    place.service.statusOf = (id) => (id === 'tr-3' ? statusOf(id) : 'Processing');
    expect((await place.send(batch, canary(1))).stop).toMatchObject({
      reason: '0 of 1 settled before the deadline',
    });
    expect(await place.stand(batch)).toEqual({ settled: 3, accepted: 1, approved: 3 });
  });

  it('keeps its rows when it is asked for with another number before it is settled', async () => {
    const { place, batch, more, canary } = await halfSent();
    await more();
    place.service.statusOf = () => 'Processing';
    await place.send(batch, canary(1));
    expect((await place.send(batch, canary(3))).stop).toMatchObject({
      reason: '0 of 3 settled before the deadline',
    });
    expect(await place.stand(batch)).toEqual({ accepted: 3, approved: 4 });
  });
});

it.each([
  ['before', 1],
  ['after', IS_SOAK ? 1 : 4],
] as const)(
  'killed %s any call, the batch sends nothing beyond the canary until it is settled',
  async (moment, first) => {
    for (let at = first, isDone = false; !isDone && at < 400; at += IS_SOAK ? 1 : 7) {
      const place = await aWorkplace({ policy: { concurrency: 2, pollMinMs: 250 } });
      const { batch } = await place.place(someRows(5), 'may');
      place.service.statusOf = () => 'Processing';
      const crash = crashAt(at, moment);
      const doomed = workplaceOn({
        ledger: crash.wrap(withFreeLease(place.ledger)),
        service: crash.wrap(place.service),
        clock: place.clock,
        policy: place.world.policy,
      });
      const soon = { canary: 2, deadlineMs: 1_000 };
      const done = doomed.run(batch.id, soon).then(() => true);
      isDone = await Promise.race([done, crash.happened.then(() => false)]);
      await place.run(batch.id, soon);
      expect(place.service.book.length).toBeLessThanOrEqual(2);
      const { accepted, in_doubt: inDoubt } = await place.ledger.counts(batch.id);
      expect(accepted + inDoubt).toBeLessThanOrEqual(2);
    }
  },
);
