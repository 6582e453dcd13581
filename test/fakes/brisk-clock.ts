/**
 * A clock for the whole command in a test's own process, with real sockets and files: real time goes on, a pause
 * jumps to its end, and what is longer than a pause is a limit for something that hangs, which is waited for.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Clock } from '../../src/ports/clock.ts';

export interface BriskClock extends Clock {
  /** Both clocks move on; who sleeps until then wakes up. */
  advance(milliseconds: number): void;
  /** Back to real time, for whoever has nothing to do with what was before. */
  reset(): void;
  /** How far it is before real time. */
  aheadMs(): number;
  /** The same time for a call that has a limit of its own: sleeps up to so long are pauses. */
  withPauses(msMax: number): Clock;
}

/** Of a pause that is jumped over, what is left: who is asked again and again has to come to his turn. */
const PAUSE_MS = 2;

export function createBriskClock(): BriskClock {
  const limits = new Set<() => void>();
  let ahead = 0;
  const monotonicMs = () => performance.now() + ahead;
  const advance = (milliseconds: number): void => {
    ahead += Math.max(0, milliseconds);
    for (const look of limits) look();
  };
  const reset = () => {
    ahead = 0;
  };
  async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const target = monotonicMs() + milliseconds;
    await wait(Math.min(milliseconds, PAUSE_MS), undefined, { signal });
    advance(target - monotonicMs());
  }
  async function limit(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const target = monotonicMs() + milliseconds;
    const reached = new AbortController();
    const look = () => monotonicMs() >= target && reached.abort();
    limits.add(look);
    const either = signal === undefined ? reached.signal : AbortSignal.any([signal, reached.signal]);
    try {
      await wait(milliseconds, undefined, { signal: either });
    } catch (error) {
      if (!reached.signal.aborted) throw error;
    } finally {
      limits.delete(look);
    }
  }
  const withPauses = (msMax: number): Clock => ({
    now: () => timestampOf(Math.round(Date.now() + ahead)),
    monotonicMs,
    random: Math.random,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      try {
        await (milliseconds <= msMax ? pause : limit)(milliseconds, signal);
      } catch (error) {
        // The timers module wraps the reason; callers are promised the reason itself.
        signal?.throwIfAborted();
        throw error;
      }
    },
  });
  return { ...withPauses(0), advance, withPauses, aheadMs: () => ahead, reset };
}
