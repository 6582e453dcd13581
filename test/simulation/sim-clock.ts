/**
 * A process's clock: the scheduler's time, on a wall clock that can be set and a monotonic one that cannot.
 */
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Random } from './random.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import { START_MS } from './store.ts';

export interface WallClock {
  /** What somebody set the wall clock by, in all. */
  offMs: number;
}

export function simClock(actor: Actor, scheduler: Scheduler, wall: WallClock, random: Random): Clock {
  return {
    now: () => timestampOf(Math.round(START_MS + scheduler.nowMs + wall.offMs)),
    monotonicMs: () => scheduler.nowMs,
    random: () => random.next(),
    sleep: (milliseconds, signal) => sleep(actor, scheduler, milliseconds, signal),
  };
}

/** As the system's clock sleeps: an abort ends it with the signal's reason. */
export function sleep(
  actor: Actor,
  scheduler: Scheduler,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const onAbort = () => {
      takeBack();
      reject(signal?.reason);
    };
    const takeBack = scheduler.after(actor, milliseconds, 'wakes', () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
