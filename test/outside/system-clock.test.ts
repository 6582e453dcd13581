/**
 * The real clock keeps the promises of the port.
 */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/outside/system-clock.ts';

it('tells whole milliseconds, and a time that never goes backwards', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(100);
  const first = systemClock.monotonicMs();
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(first);
});

it('sleeps as long as asked, and wakes with the reason of whoever stops it', async () => {
  const before = systemClock.monotonicMs();
  await systemClock.sleep(20);
  expect(systemClock.monotonicMs() - before).toBeGreaterThan(15);
  const stop = new AbortController();
  const reason = new Error('stopped by hand');
  setTimeout(() => stop.abort(reason), 5);
  await expect(systemClock.sleep(60_000, stop.signal)).rejects.toBe(reason);
  await expect(systemClock.sleep(60_000, stop.signal)).rejects.toBe(reason);
});
