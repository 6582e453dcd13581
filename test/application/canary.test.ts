/** The canary: the first rows go alone, and nothing follows before they are settled, whatever happens to the process. */
import { describe, expect, it } from 'vitest';
import { plusMs } from '../../src/domain/timestamp.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, workplaceOn } from '../builders/workplace.ts';
import { crashAt } from '../fakes/crash.ts';
import type { Script } from '../fakes/scripted-payment-service.ts';

const MINUTE = 60_000;

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
    const canary = { rows: 2, deadline: () => plusMs(place.clock.now(), MINUTE) };
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
    const canary = { rows: 2, deadline: () => plusMs(place.clock.now(), 60 * MINUTE) };
    expect((await place.send(batch, { canary })).stop).toMatchObject({ reason: 'row 3 was returned' });
    expect(await place.stand(batch)).toEqual({ settled: 1, returned: 1, approved: 3 });
    await place.send(batch, { canary: { ...canary, rows: 0 } });
    expect(await place.stand(batch)).toEqual({ settled: 1, returned: 1, accepted: 3 });
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
    const canary = { rows: 1, deadline: () => plusMs(place.clock.now(), MINUTE) };
    await place.send(batch, { canary });
    const sent = place.service.calls.filter((call) => call.startsWith('send')).length;
    expect((await place.send(batch)).stop?.kind).toBe('canary');
    expect(place.service.calls.filter((call) => call.startsWith('send'))).toHaveLength(sent);
  });

  it('of more rows than the file has is the whole file', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    expect((await place.run(batch.id, { canary: 5 })).sent?.stop).toBeUndefined();
    expect(await place.stand(batch.id)).toEqual({ settled: 2 });
  });
});

it.each(['before', 'after'] as const)(
  'killed %s any call, the batch sends nothing beyond the canary until it is settled',
  async (moment) => {
    for (let at = 1, isDone = false; !isDone && at < 400; at += 1) {
      const place = await aWorkplace({ policy: { concurrency: 2, pollMinMs: 250 } });
      const { batch } = await place.place(someRows(5), 'may');
      place.service.statusOf = () => 'Processing';
      const crash = crashAt(at, moment);
      const doomed = workplaceOn({
        ledger: crash.wrap(place.ledger),
        service: crash.wrap(place.service),
        clock: place.clock,
        policy: place.world.policy,
      });
      const soon = { canary: 2, deadline: () => plusMs(place.clock.now(), 1_000) };
      const done = doomed.run(batch.id, soon).then(() => true);
      isDone = await Promise.race([done, crash.happened.then(() => false)]);
      await place.run(batch.id, soon);
      expect(place.service.book.length).toBeLessThanOrEqual(2);
      const { accepted, in_doubt: inDoubt } = await place.ledger.counts(batch.id);
      expect(accepted + inDoubt).toBeLessThanOrEqual(2);
    }
  },
);
