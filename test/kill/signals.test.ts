/** A process that gets a stop signal loses no request in flight. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aSeat, WORDS } from './a-seat.ts';

const seat = aSeat({ rows: 9, latencyMs: 250, concurrency: 2 });

/** All three in the soak. Every day one, and SIGINT below. */
const STOPS =
  process.env['SOAK'] === '1' ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGTERM'] as const);

it.each(STOPS)(
  '[L12] %s starts nothing new, waits for what is in flight, and puts no row in doubt',
  async (name) => {
    const running = seat.target.start(WORDS);
    await seat.seenBy(running, 3);
    running.child.kill(name);
    const ended = await running.ended;
    // Rows that are still approved come before the signal: run again.
    expect(ended.code, ended.stderr).toBe(6);
    expect(ended.stderr).toContain('Stopping: payfile starts no new transfer');
    expect(seat.count('approved')).toBeGreaterThan(0);
    expect(seat.count('in_doubt')).toBe(0);
    expect(seat.count('settled') + seat.count('accepted')).toBe(await seat.executed());
    await seat.finishes(0);
  },
  60_000,
);

it('[L12] a second SIGINT ends at once, saying how many rows are left in flight, and those are in doubt later', async () => {
  const running = seat.target.start(WORDS);
  await seat.seenBy(running, 3);
  running.child.kill('SIGINT');
  await wait(30);
  running.child.kill('SIGINT');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(130);
  const left = Number(/(\d+) rows? left in flight/.exec(ended.stderr)?.[1]);
  expect(left).toBeGreaterThan(0);
  await seat.finishes(left);
  expect(seat.count('in_doubt')).toBe(left);
}, 60_000);
