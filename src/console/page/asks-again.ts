/**
 * When a page of work that goes on asks the ledger again. The work that pays people comes first: all pages together take
 * a fortieth of the time at the most.
 */

const ASKS_MS_MIN = 1_000;
const REST_TIMES = 40;

/** Seconds from an answer to the next question of its page. Each answer makes every later one wait. */
export type Pace = (tookMs: number) => number;

export function createPace(now: () => number): Pace {
  let next = 0;
  return (tookMs) => {
    next = Math.max(now() + ASKS_MS_MIN, next + REST_TIMES * tookMs);
    return Math.ceil((next - now()) / 1_000);
  };
}
