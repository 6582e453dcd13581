/**
 * A run is killed at a call to the ledger or the service, and run again until it is done. SOAK=1 kills five kinds of run
 * at every call. Every day, the two rough kinds are killed at every fourth call, each from another start. The reading of
 * a file is killed at every fourth call. After each kill every row is in one state. The service's own book has no row
 * twice, and no more rows are in doubt than were in flight.
 */
import { expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace, workplaceOn } from '../builders/workplace.ts';
import { crashAt, withFreeLease } from '../fakes/crash.ts';
import type { Script } from '../fakes/scripted-payment-service.ts';

const IS_SOAK = process.env['SOAK'] === '1';
const STEP = IS_SOAK ? 1 : 4;
const READING_STEP = IS_SOAK ? 1 : 4;
const MOMENTS = [
  ['before', 1],
  ['after', IS_SOAK ? 1 : 2],
] as const;
const ROWS = 6;
const ROUGH: readonly Script[] = [
  'not_sent',
  'accept',
  'rate_limited',
  { refuse: 'closed' },
  'lose_after',
  'accept',
];

interface Scene {
  readonly place: Workplace;
  readonly batch: BatchId;
}

async function aScene(
  concurrency: number,
  turns: readonly Script[],
  environment: 'live' | 'sandbox',
): Promise<Scene> {
  const place = await aWorkplace({ policy: { concurrency, pollMinMs: 250 }, environment });
  place.service.estimateAnswer = { kind: 'answered', answer: { rate: '15.5', fee: '1.02', speedSeconds: 0 } };
  const { batch } = await place.place(someRows(ROWS), 'may');
  place.service.turns.push(...turns);
  return { place, batch: batch.id };
}

/** Runs in a process of its own that dies at the call; resolves when it is dead or done. */
async function runUntil({ place, batch }: Scene, at: number, moment: 'before' | 'after'): Promise<boolean> {
  const crash = crashAt(at, moment);
  const doomed = workplaceOn({
    ledger: crash.wrap(withFreeLease(place.ledger)),
    service: crash.wrap(place.service),
    clock: place.clock,
    policy: place.world.policy,
  });
  const done = doomed.run(batch).then(() => true);
  return Promise.race([done, crash.happened.then(() => false)]);
}

/** A person runs the batch again, and lifts a pause, until nothing is left to do. */
async function finish({ place, batch }: Scene): Promise<void> {
  for (let again = 0; again < 6; again += 1) {
    const { planned, quoted, approved, sending, accepted } = await place.ledger.counts(batch);
    if (planned + quoted + approved + sending + accepted === 0) return;
    if ((await place.ledger.batch(batch))?.pause !== undefined)
      await place.ledger.resume(batch, 'ben', place.clock.now());
    await place.run(batch);
  }
}

function check(payouts: readonly Payout[], place: Workplace, doubtsMost: number): void {
  expect(payouts).toHaveLength(ROWS);
  const counts = (account: string | undefined) =>
    place.service.book.filter((entry) => entry.account === account).length;
  for (const payout of payouts) {
    const executed = counts(payout.instruction?.account.reveal());
    const { status } = payout.state;
    // Executed once at the most; what is called paid was, and what is called unpaid was not.
    expect(executed).toBeLessThanOrEqual(1);
    if (status === 'settled') expect(executed).toBe(1);
    else if (status === 'failed') expect(executed).toBe(0);
    else expect(status).toBe('in_doubt');
  }
  const doubts = payouts.flatMap(({ state }) => (state.status === 'in_doubt' ? [state.reason] : []));
  // A row that was turned away and then refused proves nothing either; the script turns one away.
  const turnedAway = doubts.filter((reason) => reason === 'turned_away').length;
  expect(turnedAway).toBeLessThanOrEqual(1);
  expect(doubts.length - turnedAway).toBeLessThanOrEqual(doubtsMost);
}

/** A rough run makes every kind of call that a smooth one makes. */
const ROUGH_RUN = ['roughly, three at once', 3, ROUGH, 'sandbox', 1, 1] as const;
const OTHER_RUNS = [
  ['for the first time on a live service', 2, ROUGH, 'live', 1, 2],
  ['smoothly, one at a time', 1, [], 'sandbox', 0, 1],
  ['smoothly, three at once', 3, [], 'sandbox', 0, 2],
  ['roughly, one at a time', 1, ROUGH, 'sandbox', 1, 3],
] as const;

it.each([ROUGH_RUN, ...(IS_SOAK ? OTHER_RUNS : [])])(
  '[L2][L3][L4][L5][L6][L7][L8][L9] survives being killed at any call of a run that goes %s',
  async (_, concurrency, turns, environment, lost, first) => {
    let killed = 0;
    for (const moment of ['before', 'after'] as const) {
      for (let at = IS_SOAK ? 1 : first; ; at += STEP) {
        const scene = await aScene(concurrency, turns, environment);
        const isDone = await runUntil(scene, at, moment);
        await finish(scene);
        check(await scene.place.payouts(scene.batch), scene.place, concurrency + lost);
        if (at % 10 === 0) expect((await scene.place.ledger.verify()).problems).toEqual([]);
        await scene.place.ledger.close();
        if (isDone) break;
        killed += 1;
      }
    }
    // The loop is worth something only if a run makes many calls.
    expect(killed).toBeGreaterThan((2 * 40) / STEP);
  },
  IS_SOAK ? 600_000 : 90_000,
);

it('[L11] survives being killed again and again, a few calls further each time', async () => {
  const scene = await aScene(2, [], 'sandbox');
  let isDone = false;
  for (let at = 1; !isDone && at < 400; at += 3) isDone = await runUntil(scene, at, 'after');
  await finish(scene);
  const payouts = await scene.place.payouts(scene.batch);
  const executed = scene.place.service.book.map(({ account }) => account);
  expect(new Set(executed).size).toBe(executed.length);
  for (const { state } of payouts) expect(['settled', 'in_doubt', 'approved']).toContain(state.status);
});

it('[L1] imports a file that was killed half-way as if nothing had happened', async () => {
  for (const [moment, earliest] of MOMENTS) {
    for (let at = earliest; ; at += READING_STEP) {
      const place = await aWorkplace();
      const crash = crashAt(at, moment);
      const doomed = workplaceOn({
        ledger: crash.wrap(withFreeLease(place.ledger)),
        service: crash.wrap(place.service),
        clock: place.clock,
        policy: place.world.policy,
      });
      const done = doomed.place(someRows(ROWS), 'may').then(() => true);
      const isDone = await Promise.race([done, crash.happened.then(() => false)]);
      const { batch } = await place.place(someRows(ROWS), 'may');
      await place.run(batch.id);
      expect(await place.stand(batch.id)).toEqual({ settled: ROWS });
      expect(place.service.book).toHaveLength(ROWS);
      await place.ledger.close();
      if (isDone) break;
    }
  }
});

it('revises a batch that was killed half-way as if nothing had happened', async () => {
  const mended = [...someRows(ROWS - 1), { ...someRows(ROWS).at(-1), amount: '1250.00' }];
  for (const [moment, earliest] of MOMENTS) {
    for (let at = earliest; ; at += READING_STEP) {
      const place = await aWorkplace();
      const first = await place.place(someRows(ROWS), 'may');
      const crash = crashAt(at, moment);
      const doomed = workplaceOn({
        ledger: crash.wrap(withFreeLease(place.ledger)),
        service: crash.wrap(place.service),
        clock: place.clock,
        policy: place.world.policy,
      });
      const done = doomed.place(mended, 'may').then(() => true);
      const isDone = await Promise.race([done, crash.happened.then(() => false)]);
      const again = await place.place(mended, 'may');
      expect(again.batch.id).toBe(first.batch.id);
      await place.run(first.batch.id);
      expect(place.service.book.map(({ amount }) => amount).toSorted()).toEqual([
        ...Array.from({ length: ROWS - 1 }, () => '1200.00'),
        '1250.00',
      ]);
      await place.ledger.close();
      if (isDone) break;
    }
  }
});
