/**
 * A clock for tests with real sockets: real time goes on, and a sleep jumps to its end at once.
 */
import { setImmediate } from 'node:timers/promises';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Clock } from '../../src/ports/clock.ts';

export interface JumpingClock extends Clock {
  /** Both clocks move on. */
  advance(milliseconds: number): void;
  /** Only the wall clock moves, as when someone sets it. */
  setWallForward(milliseconds: number): void;
  /** Each sleep so far, in milliseconds. */
  readonly slept: readonly number[];
}

export function createJumpingClock(options: { startMs?: number; chance?: number } = {}): JumpingClock {
  const realStart = performance.now();
  const startMs = options.startMs ?? Date.UTC(2026, 4, 4, 12, 0, 0);
  let jumped = 0;
  let wallOff = 0;
  const slept: number[] = [];
  const monotonicMs = () => performance.now() - realStart + jumped;
  return {
    now: () => timestampOf(Math.round(startMs + monotonicMs() + wallOff)),
    monotonicMs,
    random: () => options.chance ?? 0.5,
    slept,
    advance: (milliseconds) => {
      jumped += milliseconds;
    },
    setWallForward: (milliseconds) => {
      wallOff += milliseconds;
    },
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      const target = monotonicMs() + milliseconds;
      slept.push(milliseconds);
      await setImmediate();
      signal?.throwIfAborted();
      jumped += Math.max(0, target - monotonicMs());
    },
  };
}
