/**
 * Time, as the application sees it. Only outside/system-clock.ts and tests make one.
 */
import type { Timestamp } from '../domain/timestamp.ts';

export interface Clock {
  now(): Timestamp;
  /** Milliseconds that never go backwards and count suspended time where the system can. */
  monotonicMs(): number;
  /** Resolves after the time has passed; rejects with the signal's reason when aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1) for jitter only; nothing that moves money depends on it. */
  random(): number;
}
