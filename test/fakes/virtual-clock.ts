/**
 * A clock on which time passes only when someone sleeps or the test says so: a sleep jumps to its end.
 */
import { setImmediate } from 'node:timers/promises';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Clock } from '../../src/ports/clock.ts';

export interface VirtualClock extends Clock {
  advance(milliseconds: number): void;
  /** Each sleep so far, in milliseconds. */
  readonly slept: readonly number[];
}

export function createVirtualClock(startMs: number = Date.UTC(2026, 4, 25, 6, 0)): VirtualClock {
  let elapsed = 0;
  const slept: number[] = [];
  return {
    now: () => timestampOf(Math.round(startMs + elapsed)),
    monotonicMs: () => elapsed,
    random: () => 0.5,
    slept,
    advance: (milliseconds) => {
      elapsed += milliseconds;
    },
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      const target = elapsed + milliseconds;
      slept.push(milliseconds);
      await setImmediate();
      signal?.throwIfAborted();
      elapsed = Math.max(elapsed, target);
    },
  };
}
