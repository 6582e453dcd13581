/** The real clock: system time, monotonic time, waiting, and random numbers for jitter. */
import { setTimeout as wait } from 'node:timers/promises';
import { timestampOf } from '../domain/timestamp.ts';
import type { Clock } from '../ports/clock.ts';

// setTimeout turns longer delays into one millisecond. A long wait would become a busy loop.
const DELAY_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => timestampOf(Date.now()),
  monotonicMs: () => performance.now(),
  sleep,
  random: () => Math.random(),
};

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const delay = Math.min(Math.max(0, milliseconds), DELAY_MS_MAX);
  try {
    await wait(delay, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    // The timers module wraps the reason. Callers expect the reason itself.
    signal?.throwIfAborted();
    throw error;
  }
}
