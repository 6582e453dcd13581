/**
 * When a page of work that goes on asks the ledger again. The work that pays people comes first: what is asked beside it, by
 * all who look on together, takes a twentieth of the time at the most.
 */

/** Figures of a few seconds ago are no mistake: the panel of the work itself is told of each change. */
const ASKS_MS_MIN = 5_000;
const REST_TIMES = 20;

interface Asked {
  /** From the question to the answer. */
  readonly tookMs: number;
  /** How many browsers show the same page: each of them asks. */
  readonly watchers: number;
}

/** From the answer to the next question; whole seconds, as a browser counts them. */
export function secondsToNext({ tookMs, watchers }: Asked): number {
  const restMs = REST_TIMES * tookMs * Math.max(1, watchers);
  return Math.ceil(Math.max(ASKS_MS_MIN, restMs) / 1_000);
}
