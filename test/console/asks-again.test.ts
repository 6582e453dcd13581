/** How often pages of work that goes on ask the ledger, in virtual time: all of them together leave the time to the work. */

import { afterEach, expect, it, vi } from 'vitest';
import { createPace } from '../../src/console/page/asks-again.ts';
import { look } from '../../src/operations/status.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { planFile } from '../builders/library-calls.ts';
import { aConsole } from './a-console.ts';

afterEach(() => void vi.useRealTimers());

const HOUR_MS = 3_600_000;

/** An hour of pages that ask, each answer taking as long as the next of `answersMs`. */
function hourOf(watchers: number, answersMs: readonly number[]) {
  const next = Array.from({ length: watchers }, (_, nth) => nth);
  let [asked, spentMs, shortestRestMs, nowMs] = [0, 0, Number.POSITIVE_INFINITY, 0];
  const pace = createPace(() => nowMs);
  for (;;) {
    const atMs = Math.min(...next);
    if (atMs >= HOUR_MS) return { asked, spent: spentMs / HOUR_MS, shortestRestMs };
    const tookMs = answersMs[asked % answersMs.length] ?? 0;
    nowMs = atMs + tookMs;
    const restMs = pace(tookMs) * 1_000;
    next[next.indexOf(atMs)] = nowMs + restMs;
    [asked, spentMs, shortestRestMs] = [asked + 1, spentMs + tookMs, Math.min(shortestRestMs, restMs)];
  }
}

it('asks every second where an answer is cheap, and rests forty times as long as all answers took', () => {
  const pace = createPace(() => 0);
  expect([0, 1, 50].map(pace)).toEqual([1, 2, 4]);
  expect([100, 100, 100].map(createPace(() => 0))).toEqual([4, 8, 12]);
});

it('takes no more than a fortieth of an hour, however long answers take and however many look on', () => {
  for (const watchers of [1, 2, 50])
    for (const answersMs of [[3], [20], [160], [2_500], [20, 160, 2_500, 40]]) {
      const { asked, spent, shortestRestMs } = hourOf(watchers, answersMs);
      expect(asked, `${watchers} of ${answersMs}`).toBeGreaterThanOrEqual(watchers);
      expect(shortestRestMs).toBeGreaterThanOrEqual(1_000);
      // Each asks once at the beginning, before it knows how long it takes.
      const atFirst = (watchers * Math.max(...answersMs)) / HOUR_MS;
      expect(spent).toBeLessThanOrEqual(1 / 40 + atFirst);
    }
});

it('writes into a page of work under way when it asks again, by how long its own answer took', async () => {
  const open = aConsole();
  const batch = 'suppliers-2026-05';
  await planFile(open.payfile, 'samples/suppliers.csv', { batch });
  const [{ id } = { id: '' }] = await batchesOf(open.payfile);
  vi.useFakeTimers({ toFake: ['performance'] });
  let tookMs = 0;
  const call: typeof open.payfile.call = (operation, ...given) => {
    if (operation.name === look.name) vi.advanceTimersByTime(tookMs);
    return open.payfile.call(operation, ...given);
  };
  Object.assign(open.desk, { payfileAs: () => ({ ...open.payfile, call }) });
  const ada = open.visitor();
  const rests = async () => {
    const page = await ada.page(`/batches/${id}`);
    return [/hx-trigger="every (\d+)s"/, /http-equiv="refresh" content="(\d+);/].map(
      (at) => at.exec(page)?.[1],
    );
  };
  expect(await rests()).toEqual([undefined, undefined]);
  const forever = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  open.desk.jobs.begin({ about: `batch:${id}`, doing: 'Sending', by: 'ada' }, forever);
  expect(await rests()).toEqual(['1', '1']);
  tookMs = 700;
  expect(await rests()).toEqual(['29', '29']);
  // All pages together: whoever asks next waits for the others, too.
  expect(await rests()).toEqual(['57', '57']);
});
