/** Several processes on one ledger: whoever waits for its turn gets it, and nobody acts on what another has changed. */
import { expect, it, onTestFinished } from 'vitest';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { all, batchOf, eventsTo, moveOf, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import { heldBy } from './held-ledger.ts';
import { batchIn, type Place } from './new-ledgers.ts';

/** The last of the events that lead there. */
function step(ledger: Ledger, payout: Payout, goal: Parameters<typeof eventsTo>[0]) {
  const event = eventsTo(goal, payout, ledger).at(-1);
  if (event === undefined) throw new TypeError(goal);
  return event;
}

/** A batch with one row approved and one accepted. */
async function oneOfEach(at: Place) {
  const { ledger } = await at.open();
  const id = await batchOf(ledger, [row(1), row(2)], 'may');
  const approved = await walkedTo(ledger, await only(ledger, id, 2), 'approved');
  const accepted = await walkedTo(ledger, await only(ledger, id, 3), 'accepted');
  return { ledger, id, approved, accepted };
}

onBoth((place) => {
  it('[L20] waits for another process that holds the ledger, without stopping everything else', async () => {
    const at = await place();
    const { ledger } = await at.open();
    const id = await batchOf(ledger, [row(1)]);
    const giveBack = await heldBy(at);
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 10);
    const pausing = ledger.pause(id, { reason: 'lunch', by: 'ben', at: NOW });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await ledger.batch(id))?.pause).toBeUndefined();
    await giveBack();
    await pausing;
    clearInterval(turning);
    expect(turns).toBeGreaterThan(8);
    expect(await ledger.batch(id)).toMatchObject({ pause: { reason: 'lunch' } });
  });

  it('takes a plan as shown for changed when another process moved a row of it meanwhile', async () => {
    const at = await place();
    const [opened, { ledger: two }] = [await at.open(), await at.open()];
    const { ledger: one } = opened;
    const rows = Array.from({ length: 30 }, (_, n) => row(n + 1));
    const id = await batchIn(opened, rows);
    const moving = Promise.all((await all(one, id)).map((payout) => walkedTo(two, payout, 'quoted')));
    const shown = await one.lastEntry();
    const seen = new Map((await all(one, id)).map((payout) => [payout.id, payout]));
    await moving;
    const kinds = new Set<string>();
    for (const payout of await all(one, id)) {
      const move = moveOf(payout, step(one, payout, 'approved'), { unchangedSince: shown });
      const { kind } = await one.record(move);
      kinds.add(kind);
      // Whoever was seen as it stands now may be agreed to; whoever moved after the entry may not.
      if (kind === 'recorded') expect(seen.get(payout.id)?.version).toBe(payout.version);
    }
    for (const kind of kinds) expect(['recorded', 'stale']).toContain(kind);
    expect((await one.verify()).problems).toEqual([]);
  });

  it('keeps when a payout is asked about next although the move beside it was refused', async () => {
    const at = await place();
    const { ledger, id, approved, accepted } = await oneOfEach(at);
    const { ledger: other } = await at.open();
    expect((await other.record(moveOf(approved, step(other, approved, 'sending')))).kind).toBe('recorded');
    const dueAt = timestampOf(NOW + 3_600_000);
    const [moved] = await Promise.allSettled([
      ledger.record(moveOf(approved, step(ledger, approved, 'sending'))),
      ledger.schedule(accepted.id, dueAt, { at: NOW, times: 3 }),
    ]);
    expect(moved).toMatchObject({ value: { kind: 'stale' } });
    const due = (by: number) =>
      ledger.page(id, { statuses: ['accepted'], after: undefined, limit: 9, dueBy: timestampOf(by) });
    expect((await due(dueAt - 1)).payouts).toEqual([]);
    expect((await due(dueAt)).payouts).toMatchObject([{ id: accepted.id }]);
  });
});

onBoth(
  (place) => {
    it('[L39] begins nothing in a process that started before the ledger got another format', async () => {
      const at = await place();
      const { ledger } = await at.open();
      const id = await batchOf(ledger, [row(1)], 'may');
      const approved = await walkedTo(ledger, await only(ledger, id, 2), 'approved');
      await at.exec('UPDATE format SET version = version + 1');
      const begin = moveOf(approved, step(ledger, approved, 'sending'));
      await expect(ledger.record(begin)).rejects.toMatchObject({
        code: 'ledger_unsupported',
        message: expect.stringContaining('Start it again with the newest payfile'),
      });
      expect((await all(ledger, id)).map(({ state }) => state.status)).toEqual(['approved']);
    });

    it('keeps when a payout is asked about next although the database refuses the move beside it', async () => {
      const at = await place();
      const { ledger, id, approved, accepted } = await oneOfEach(at);
      await at.exec('ALTER TABLE payouts ADD CONSTRAINT test_only CHECK (status <> $$sending$$) NOT VALID');
      const dueAt = timestampOf(NOW + 3_600_000);
      const [moved] = await Promise.allSettled([
        ledger.record(moveOf(approved, step(ledger, approved, 'sending'))),
        ledger.schedule(accepted.id, dueAt, { at: NOW, times: 3 }),
      ]);
      expect(moved.status).toBe('rejected');
      const question = { statuses: ['accepted'], after: undefined, limit: 9 } as const;
      expect((await ledger.page(id, { ...question, dueBy: timestampOf(dueAt - 1) })).payouts).toEqual([]);
    });

    it.each<[string, (ledger: Ledger) => Promise<unknown>]>([
      ['writes alone', (ledger) => batchOf(ledger, [row(1)], 'may')],
      ['reads a settled state', async (ledger) => ledger.lastEntry()],
    ])('gives whoever %s its turn where others write all the time', async (_name, work) => {
      const at = await place();
      if (at.server === undefined) throw new TypeError('no server');
      const { ledger } = await at.open();
      // Always one of the two has it.
      const busy = `DO $$ BEGIN FOR time IN 1..30 LOOP
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('payfile ' || current_schema(), 0));
        PERFORM pg_sleep(0.3); COMMIT; END LOOP; END $$`;
      const others = [await connectPg(at.server), await connectPg(at.server)] as const;
      const writing = [others[0].query(busy)];
      await others[1].query('SELECT pg_sleep(0.15)');
      writing.push(others[1].query(busy));
      const ended = Promise.allSettled(writing);
      onTestFinished(async () => {
        await at.exec(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'DO %' AND datname = current_database()",
        );
        await ended;
        for (const client of others) await client.end();
      });
      expect(await work(ledger)).toBeDefined();
    });
  },
  ['pg'],
);
