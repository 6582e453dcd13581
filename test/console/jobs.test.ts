/** Watching work that goes on: how often watchers are told, and what each of them costs. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { workEvents } from '../../src/console/batches/live.ts';
import { createJobs, type Listener } from '../../src/console/jobs.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import type { Html } from '../../src/views/html.ts';
import { aConsole } from './a-console.ts';

const WORK = { about: 'batch:1', doing: 'Sending', by: 'ada' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const waiting = (reason: string) => ({ kind: 'waiting', reason, delayMs: undefined }) as const;

/** Three seconds of work that changes all the time, and its end. */
async function toldOf(watchers: number) {
  const jobs = createJobs(() => Date.now());
  let change: Listener = () => undefined;
  let end = () => {};
  jobs.begin(WORK, ({ onProgress }) => {
    change = onProgress;
    return new Promise((resolve) => {
      end = () => resolve(undefined);
    });
  });
  let told = 0;
  for (let nth = 0; nth < watchers; nth += 1) jobs.watch(WORK.about, () => (told += 1));
  for (let at = 0; at < 3_000; at += 10) {
    change(waiting(`${at}`));
    await vi.advanceTimersByTimeAsync(10);
  }
  const while_ = told / watchers;
  change(waiting('the last'));
  end();
  await vi.advanceTimersByTimeAsync(1);
  const atEnd = told / watchers - while_;
  await vi.advanceTimersByTimeAsync(60_000);
  return { while: while_, atEnd, later: told / watchers - while_ - atEnd };
}

it('tells one watcher a few times a second, many more rarely, and all of the end at once', async () => {
  expect(await toldOf(1)).toEqual({ while: 10, atEnd: 1, later: 0 });
  expect(await toldOf(50)).toEqual({ while: 1, atEnd: 1, later: 0 });
  expect(await toldOf(500)).toEqual({ while: 1, atEnd: 1, later: 0 });
});

it('makes a panel once for all who watch', async () => {
  const { desk } = aConsole();
  let change: Listener = () => undefined;
  desk.jobs.begin(WORK, ({ onProgress, signal }) => {
    change = onProgress;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  });
  const seen: Html[][] = [[], []];
  for (const parts of seen) {
    const answer = workEvents(desk, WORK.about);
    if (answer.kind === 'events') answer.watch((part) => void parts.push(part));
  }
  change(waiting('the service is slow'));
  await vi.advanceTimersByTimeAsync(3_000);
  const [one = [], other = []] = seen;
  expect(one.length).toBe(2);
  expect(one.at(-1)?.text).toContain('the service is slow');
  for (const [at, part] of one.entries()) expect(other[at]).toBe(part);
});

it('knows what all its works have on the wire, and whether workers go on', async () => {
  const jobs = createJobs(() => Date.now());
  const tellers: Listener[] = [];
  for (const about of ['batch:1', 'batch:2'])
    jobs.begin({ ...WORK, about }, ({ onProgress }) => {
      tellers.push(onProgress);
      return new Promise(() => undefined);
    });
  expect(jobs.inFlight()).toEqual({ rows: 0, workers: undefined });
  const payout = { state: { status: 'sending' }, instruction: undefined } as unknown as Payout;
  tellers[0]?.({ kind: 'moved', from: 'approved', payout });
  expect(jobs.inFlight()).toEqual({ rows: 1, workers: undefined });
  tellers[1]?.({ kind: 'at_workers', stand: 'at_work' });
  expect(jobs.inFlight()).toEqual({ rows: 1, workers: 'at_work' });
  tellers[1]?.({ kind: 'at_workers', stand: 'stopped', inFlight: 7 });
  expect(jobs.inFlight()).toEqual({ rows: 8, workers: 'stopped' });
  tellers[1]?.({ kind: 'at_workers', stand: 'ended' });
  expect(jobs.inFlight()).toEqual({ rows: 1, workers: undefined });
});
