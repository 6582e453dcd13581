/** A process that is stopped, loses its terminal or crashes loses no request in flight. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aSeat, WORDS } from './a-seat.ts';
import { linesOf } from './verdict.ts';

const ROWS = 9;
const seat = aSeat({ rows: ROWS, latencyMs: 250, concurrency: 2 });

it('[L12] a closed terminal (EPIPE on both outputs) does not disturb the payments', async () => {
  const running = seat.target.start(WORDS);
  running.child.stdout?.destroy();
  running.child.stderr?.destroy();
  await seat.seenBy(running, ROWS - 1);
  running.child.kill('SIGWINCH');
  await new Promise((resolve) => running.child.once('exit', resolve));
  expect(running.child.exitCode).toBe(3);
  expect(seat.count('settled')).toBe(ROWS - 1);
  await seat.finishes(0);
}, 60_000);

it('[L13] an error that nobody caught stops new rows and waits for those in flight', async () => {
  const ended = await seat.target.run(WORDS, {
    kind: 'boundary',
    label: 'J4',
    when: 'after',
    nth: 2,
    act: 'throw',
  });
  expect(ended.stderr).toContain('This is a bug of payfile: a bug planted by the test');
  expect(ended.code, ended.stderr).toBe(1);
  expect(seat.count('approved')).toBeGreaterThan(0);
  expect(seat.count('in_doubt')).toBe(0);
  await seat.finishes(0);
}, 60_000);

it('[L14] a process that runs out of memory leaves at most what was in flight in doubt', async () => {
  seat.target.env['NODE_OPTIONS'] = `${seat.compiled.preload} --max-old-space-size=60`;
  const ended = await seat.target.run(WORDS, {
    kind: 'boundary',
    label: 'J5',
    when: 'before',
    nth: 2,
    act: 'out_of_memory',
  });
  expect(ended.stderr).toContain('heap out of memory');
  await seat.finishes(2);
}, 60_000);

it('[L15] a process stopped between intent and bytes for more than 2 s does not write them; the row goes out once', async () => {
  const running = seat.target.start(WORDS, {
    kind: 'boundary',
    label: 'J4',
    when: 'after',
    nth: 1,
    act: 'stop',
  });
  while (!seat.target.trace().includes('stop J4 after')) await wait(20);
  await wait(2_300);
  expect(await seat.service.seen(seat.accounts)).toEqual([]);
  running.child.kill('SIGCONT');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(3);
  const lines = linesOf(seat.target, 'may.json') as unknown as readonly {
    status: string;
    attempts: number;
  }[];
  expect(lines.map(({ attempts }) => attempts).filter((attempts) => attempts > 1)).toEqual([2]);
  await seat.finishes(0);
}, 60_000);

it('[L15] a process stopped for minutes, whose batch another took over, sends nothing when it wakes', async () => {
  const running = seat.target.start(WORDS, {
    kind: 'boundary',
    label: 'J4',
    when: 'after',
    nth: 3,
    act: 'stop',
  });
  while (!seat.target.trace().includes('stop J4 after')) await wait(20);
  // As if it had been silent for minutes.
  const raw = new DatabaseSync(seat.target.ledgerPath);
  raw.exec('UPDATE leases SET heartbeat_at = heartbeat_at - 600000');
  raw.close();
  const other = await seat.target.run(WORDS);
  expect(other.code, other.stderr).toBe(5);
  await wait(2_100);
  const before = (await seat.service.seen(seat.accounts)).length;
  running.child.kill('SIGCONT');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).not.toBe(0);
  expect((await seat.service.seen(seat.accounts)).length).toBe(before);
  await seat.finishes(2);
}, 60_000);
