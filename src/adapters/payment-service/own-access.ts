/**
 * Session and pace of one process alone: with a ledger in a file nobody else works for the same batch.
 */
import { backoffMs, LOGIN_SPACING_MS, LOST_MAX, LOST_WINDOW_MS } from '../../domain/login-rules.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  AskedSession,
  Held,
  LogIn,
  ServiceAccess,
  SessionResult,
  SharedPace,
  SharedSession,
} from '../../ports/service-access.ts';

// Slots missed because a timer fired late may be used at once; more would be a burst that a strict service counts.
const CATCH_UP_MS_MAX = 50;

export function createOwnAccess(clock: Clock): ServiceAccess {
  return {
    session: new OwnSession(clock),
    pace: (requestsPerSecond) => ownPace(requestsPerSecond, clock),
    close: async () => undefined,
  };
}

class OwnSession implements SharedSession {
  readonly #clock: Clock;
  #turn: Promise<unknown> = Promise.resolve();
  #grant: (Omit<Held, 'ageMs'> & { readonly sinceMs: number }) | undefined;
  #epoch = 0;
  #refusal: string | undefined;
  #nextLoginMs = Number.NEGATIVE_INFINITY;
  #failuresInARow = 0;
  #lostMs: readonly number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  newerThan(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult> {
    const answer = this.#turn.then(() => this.#inTurn(asked, logIn, signal));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  newestEpoch(): Promise<number> {
    return Promise.resolve(this.#epoch);
  }

  async #inTurn(asked: AskedSession, logIn: LogIn, signal: AbortSignal): Promise<SessionResult> {
    const clock = this.#clock;
    if (this.#refusal !== undefined) return { kind: 'refused', text: this.#refusal };
    const held = this.#held();
    if (held !== undefined && held.epoch > asked.epoch && !asked.isDue(held)) return { kind: 'held', held };
    const now = clock.monotonicMs();
    this.#lostMs = this.#lostMs.filter((at) => at > now - LOST_WINDOW_MS);
    if (asked.isLost && held?.epoch === asked.epoch) {
      this.#grant = undefined;
      this.#lostMs = [...this.#lostMs, now];
    }
    if (this.#lostMs.length > LOST_MAX) return { kind: 'lost_too_often', againAfterMs: undefined };
    const waitMs = this.#nextLoginMs - now;
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    return this.#logIn(asked, logIn);
  }

  async #logIn({ zoneMinutes }: AskedSession, logIn: LogIn): Promise<SessionResult> {
    const clock = this.#clock;
    this.#nextLoginMs = clock.monotonicMs() + LOGIN_SPACING_MS;
    const answer = await logIn();
    // Counted from the answer too: a login that waited its turn must not be followed by another at once.
    this.#nextLoginMs = clock.monotonicMs() + LOGIN_SPACING_MS;
    if (answer.kind === 'refused') this.#refusal = answer.text;
    if (answer.kind === 'unavailable') {
      this.#failuresInARow += 1;
      this.#nextLoginMs += backoffMs(this.#failuresInARow, clock.random());
    }
    if (answer.kind !== 'granted') return answer;
    this.#failuresInARow = 0;
    this.#epoch += 1;
    const held = { ...answer.grant, epoch: this.#epoch, zoneMinutes };
    this.#grant = { ...held, sinceMs: clock.monotonicMs() };
    return { kind: 'held', held: { ...held, ageMs: 0 } };
  }

  #held(): Held | undefined {
    if (this.#grant === undefined) return undefined;
    const { sinceMs, ...grant } = this.#grant;
    return { ...grant, ageMs: this.#clock.monotonicMs() - sinceMs };
  }
}

function ownPace(requestsPerSecond: number | undefined, clock: Clock): SharedPace {
  const spacingMs = requestsPerSecond === undefined ? 0 : 1_000 / requestsPerSecond;
  let nextMs = 0;
  let pausedUntilMs = 0;
  return {
    async slot() {
      const atMs = Math.max(nextMs, clock.monotonicMs() - CATCH_UP_MS_MAX);
      if (spacingMs > 0) nextMs = atMs + spacingMs;
      return { atMs, pausedUntilMs };
    },
    pause(milliseconds) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + milliseconds);
    },
  };
}
