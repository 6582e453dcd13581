/**
 * Asks a question again while that can help. The door of p-retry; transfers never come through here.
 *
 * p-retry counts the tries; the waiting is done here, on our clock, because p-retry cannot follow a Retry-After. A 429
 * uses up no tries: the rate limit waits for it, bounded by the total time.
 */
import pRetry from 'p-retry';
import type { Clock } from '../ports/clock.ts';
import type { Asked } from '../ports/payment-service.ts';
import type { Tried } from './ask-service.ts';
import type { Unusable } from './read-answer.ts';

export interface RetrySchedule {
  readonly triesMax: number;
  /** Upper bound of the first wait; it doubles, and each wait is a random part of its bound. */
  readonly delayMsFirst: number;
  readonly delayMsMax: number;
  /** No new wait begins later than this after the first try, whatever the service asks for. */
  readonly totalMsMax: number;
}

export const RETRY_SCHEDULE: RetrySchedule = {
  triesMax: 4,
  delayMsFirst: 500,
  delayMsMax: 10_000,
  // Longer than the longest pause a 429 may ask for, so that one such pause never ends a question.
  totalMsMax: 11 * 60_000,
};

interface RetryOptions {
  readonly schedule: RetrySchedule;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export async function withRetry<Value>(
  tryOnce: () => Promise<Tried<Value>>,
  options: RetryOptions,
): Promise<Exclude<Tried<Value>, Unusable> | Extract<Asked<Value>, { kind: 'unavailable' }>> {
  const { schedule, clock, signal } = options;
  const endMs = clock.monotonicMs() + schedule.totalMsMax;
  try {
    return await pRetry(() => answerOrThrow(tryOnce), {
      // One more than is used, so that a 429 to the last try can still wait; shouldRetry counts the tries.
      retries: schedule.triesMax,
      // No delay of its own: the waits below are the only ones.
      minTimeout: 0,
      ...(signal === undefined ? {} : { signal }),
      shouldConsumeRetry: ({ error }) => againOf(error) !== 'rate_limited',
      shouldRetry: async ({ error, retriesConsumed }) => {
        const again = againOf(error);
        if (again === 'never' || clock.monotonicMs() >= endMs) return false;
        if (again === 'rate_limited') return true;
        if (retriesConsumed + 1 >= schedule.triesMax) return false;
        await clock.sleep(delayMs(schedule, retriesConsumed, clock.random()), signal);
        return clock.monotonicMs() < endMs;
      },
    });
  } catch (error) {
    if (error instanceof NoUsableAnswer) return { kind: 'unavailable', reason: error.unusable.reason };
    throw error;
  }
}

/** p-retry speaks in errors; this one never leaves the file. */
class NoUsableAnswer extends Error {
  override readonly name = 'NoUsableAnswer';
  readonly unusable: Unusable;
  constructor(unusable: Unusable) {
    super(unusable.reason);
    this.unusable = unusable;
  }
}

async function answerOrThrow<Value>(tryOnce: () => Promise<Tried<Value>>) {
  const tried = await tryOnce();
  if (tried.kind === 'unusable') throw new NoUsableAnswer(tried);
  return tried;
}

function againOf(error: Error): Unusable['again'] {
  return error instanceof NoUsableAnswer ? error.unusable.again : 'never';
}

/** Full jitter: anything from nothing to the bound, so that many who failed together do not return together. */
function delayMs(schedule: RetrySchedule, retriesConsumed: number, chance: number): number {
  const bound = schedule.delayMsFirst * 2 ** Math.min(retriesConsumed, 20);
  return Math.ceil(chance * Math.min(schedule.delayMsMax, bound));
}
