/**
 * The rate limit for all requests to the service: slots of time, and a pause that a 429 sets for all.
 *
 * It sits inside the retry, so that each try costs a turn. Transfers take their turn while they are prepared.
 */
import type { Clock } from '../ports/clock.ts';
import { parseHttpDate, parseRetryAfter } from './http-date.ts';
import type { ExchangeOnce } from './read-client.ts';
import type { SharedPace } from './shared-pace.ts';

export type Pace = ReturnType<typeof createPace>;

/** An answer's own headers. */
export interface Limited {
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 5 * 60_000;
const PAUSE_DOUBLINGS_MAX = 6;
// A slot that was missed by more (a stopped process, a blocked thread) is given up once: slots used late pile up.
const LATE_MS_MAX = 250;
const NO_TURN = 'ledger_server_gone';

export function createPace(shared: SharedPace, clock: Clock) {
  let pausedUntilMs = 0;
  let pausesInARow = 0;

  /**
   * Resolves when one request may start; with a short code when none may, because nobody can say when. Rejects with the
   * signal's reason.
   */
  async function turn(signal?: AbortSignal): Promise<string | undefined> {
    let isGivenUp = false;
    for (;;) {
      signal?.throwIfAborted();
      const slot = await shared.slot();
      if (slot === undefined) return NO_TURN;
      pausedUntilMs = Math.max(pausedUntilMs, slot.pausedUntilMs);
      const isAhead = slot.atMs > clock.monotonicMs();
      await sleepUntil(slot.atMs, signal);
      const isLate = isAhead && clock.monotonicMs() > slot.atMs + LATE_MS_MAX;
      // A pause may be set, or made longer, while this caller sleeps; after one, turns are taken anew, so that
      // all who waited do not start at once.
      const isPaused = pausedUntilMs > clock.monotonicMs();
      if (!isPaused && (!isLate || isGivenUp)) return undefined;
      isGivenUp = true;
      await sleepUntil(pausedUntilMs, signal);
    }
  }

  async function sleepUntil(atMs: number, signal: AbortSignal | undefined): Promise<void> {
    const left = atMs - clock.monotonicMs();
    if (left > 0) await clock.sleep(left, signal);
  }

  /** The service said 429: everyone waits, five minutes at the most. Returns for how long it asked, from now on. */
  function rateLimited({ retryAfter, date }: Limited): number {
    const now = clock.monotonicMs();
    // Requests that were in flight together are one reason to wait, not several.
    if (pausedUntilMs <= now) pausesInARow += 1;
    const doublings = Math.min(pausesInARow - 1, PAUSE_DOUBLINGS_MAX);
    const named = parseRetryAfter(retryAfter, parseHttpDate(date) ?? clock.now());
    const asked = Math.max(named ?? FIRST_PAUSE_MS * 2 ** doublings, FIRST_PAUSE_MS);
    const delay = Math.min(asked, PAUSE_MS_MAX);
    pausedUntilMs = Math.max(pausedUntilMs, now + delay);
    shared.pause(delay);
    return Math.ceil(Math.max(asked, pausedUntilMs - now));
  }

  /** The service answered something else than 429. */
  function answered(): void {
    if (pausedUntilMs <= clock.monotonicMs()) pausesInARow = 0;
  }

  return { turn, rateLimited, answered };
}

export function withRateLimit(exchangeOnce: ExchangeOnce, pace: Pace): ExchangeOnce {
  return async (exchange, signal) => {
    const none = await pace.turn(signal);
    if (none !== undefined) return { kind: 'no_answer', reason: none };
    const reply = await exchangeOnce(exchange, signal);
    if (reply.kind === 'answer') {
      if (reply.httpStatus === 429) pace.rateLimited(reply);
      else pace.answered();
    }
    return reply;
  };
}
