/**
 * The pace of a login beside the ledger, for all processes that work on it: each reserves the slots of about a tenth of a
 * second by one statement, for callers who wait already. The slowest rate that one of them has holds for all.
 *
 * Units:   microseconds on the server's clock in the table, milliseconds on our own clock here.
 */
import type { Clock } from '../ports/clock.ts';
import type { SharedPace, Slot } from '../ports/service-access.ts';
import type { Ask } from './asking.ts';
import type { Row } from './sql.ts';

const RESERVED_MS = 100;
/** Asked for so long before the last slot, that the next ones are there in time. */
const LEAD_MS = 20;
const PAUSE_US_MAX = 5 * 60_000_000;
/** Slots further ahead than all processes together reserve come from a clock that was set back. */
const AHEAD_US_MAX = 10_000_000;
const PROCESSES_MAX = 64;

/** So long a rate holds for all after its process was last heard. */
const HELD_US = 10_000_000;

const US = '(floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint)';
const ADD = 'INSERT INTO pace(login) VALUES ($1) ON CONFLICT DO NOTHING';
/** The rate that holds: $2 is the one of this process; null: none. */
const HOLDS = `CASE WHEN slowest_until > ${US} THEN least(slowest, $2::float8) ELSE $2::float8 END`;
const spacingOf = (rate: string) => `coalesce(ceil(1000000 / (${rate})), 0)::bigint`;
/** $3 slots. */
const RESERVE = `UPDATE pace SET slowest = ${HOLDS},
  slowest_until = CASE WHEN $2::float8 IS NULL OR (slowest_until > ${US} AND slowest < $2::float8)
    THEN slowest_until ELSE ${US} + ${HELD_US} END,
  next_at = $3::bigint * ${spacingOf(HOLDS)} +
    CASE WHEN next_at > ${US} + ${AHEAD_US_MAX} + ${PROCESSES_MAX} * ${spacingOf(HOLDS)} THEN ${US}
      ELSE greatest(next_at, ${US}) END
  WHERE login = $1 RETURNING next_at - $3::bigint * ${spacingOf('slowest')} AS first, ${spacingOf('slowest')} AS spacing,
    ${US} AS now, paused_until`;
const LOOK = `SELECT ${US} AS first, ${spacingOf(HOLDS)} AS spacing, ${US} AS now, paused_until
  FROM pace WHERE login = $1`;
const PAUSE = `UPDATE pace SET paused_until =
  least(greatest(paused_until, ${US} + $2), ${US} + ${PAUSE_US_MAX}) WHERE login = $1`;

export interface Reserved {
  /** All in microseconds on the server's clock. */
  readonly first: number;
  readonly now: number;
  readonly pausedUntil: number;
}

interface Asked extends Reserved {
  /** Between two slots, by the rate that holds; 0: there is none. */
  readonly spacing: number;
}

/** How many slots are reserved at once: what a tenth of a second has room for, and no more than somebody waits for. */
export function slotsAtOnce(requestsPerSecond: number, waiting: number): number {
  return Math.min(waiting, Math.max(1, Math.round((requestsPerSecond * RESERVED_MS) / 1_000)));
}

/** On our own clock: never earlier than on the server's, because its answer took its time. */
export function slotTimes(
  { first, now, pausedUntil }: Reserved,
  slots: { readonly count: number; readonly spacingUs: number; readonly receivedMs: number },
): readonly Slot[] {
  const { count, spacingUs, receivedMs } = slots;
  const pausedUs = Math.min(Math.max(pausedUntil - now, 0), PAUSE_US_MAX);
  const pausedUntilMs = pausedUs === 0 ? 0 : receivedMs + pausedUs / 1_000;
  return Array.from({ length: count }, (_, at) => ({
    atMs: receivedMs + (first - now + at * spacingUs) / 1_000,
    pausedUntilMs,
  }));
}

export class PaceOnServer implements SharedPace {
  readonly #ask: Ask;
  readonly #login: string;
  readonly #clock: Clock;
  readonly #requestsPerSecond: number | null;
  #spacingUs: number;
  readonly #waiting: ((slot: Slot | undefined) => void)[] = [];
  #isReserving = false;
  #isThere = false;
  #looked: { readonly slot: Slot; readonly sinceMs: number } | undefined;

  constructor(
    ask: Ask,
    { login, requestsPerSecond }: { readonly login: string; readonly requestsPerSecond: number | undefined },
    clock: Clock,
  ) {
    this.#ask = ask;
    this.#login = login;
    this.#requestsPerSecond = requestsPerSecond ?? null;
    this.#spacingUs = requestsPerSecond === undefined ? 0 : Math.ceil(1_000_000 / requestsPerSecond);
    this.#clock = clock;
  }

  slot(): Promise<Slot | undefined> {
    const looked = this.#looked;
    if (looked !== undefined && this.#clock.monotonicMs() - looked.sinceMs < RESERVED_MS)
      return Promise.resolve(looked.slot);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isReserving) void this.#reserve();
    });
  }

  pause(milliseconds: number): void {
    // Whoever was told to wait waits in any case; the others are told as well as it can be done.
    void this.#row(PAUSE, [Math.round(milliseconds * 1_000)]).catch(() => undefined);
  }

  async #reserve(): Promise<void> {
    const clock = this.#clock;
    this.#isReserving = true;
    try {
      while (this.#waiting.length > 0) {
        const slots = await this.#slots().catch(() => undefined);
        const served = this.#waiting.splice(0, slots?.length ?? this.#waiting.length);
        for (const [at, resolve] of served.entries()) resolve(slots?.[at]);
        const aheadMs = (slots?.at(-1)?.atMs ?? 0) - clock.monotonicMs() - LEAD_MS;
        if (aheadMs > 0) await clock.sleep(aheadMs);
      }
    } finally {
      this.#isReserving = false;
    }
  }

  /** For those who wait now. */
  async #slots(): Promise<readonly Slot[]> {
    if (this.#spacingUs === 0) {
      const seen = await this.#asked(LOOK);
      if (seen.spacing === 0) {
        const receivedMs = this.#clock.monotonicMs();
        const slots = slotTimes(seen, { count: this.#waiting.length, spacingUs: 0, receivedMs });
        const [slot] = slots;
        if (slot !== undefined) this.#looked = { slot, sinceMs: receivedMs };
        return slots;
      }
    }
    const count = slotsAtOnce(1_000_000 / this.#spacingUs, this.#waiting.length);
    const reserved = await this.#asked(RESERVE, [count]);
    const receivedMs = this.#clock.monotonicMs();
    return slotTimes(reserved, { count, spacingUs: reserved.spacing, receivedMs });
  }

  /** Also a process that only watches says so, as long as it lives: others send for it. */
  async claim(): Promise<void> {
    if (this.#requestsPerSecond !== null) await this.#asked(RESERVE, [0]);
  }

  async #asked(text: string, values: readonly number[] = []): Promise<Asked> {
    const row = await this.#row(text, [this.#requestsPerSecond, ...values]);
    const spacing = Number(row?.['spacing']);
    this.#spacingUs = spacing;
    return {
      first: Number(row?.['first']),
      spacing,
      now: Number(row?.['now']),
      pausedUntil: Number(row?.['paused_until']),
    };
  }

  async #row(text: string, values: readonly (number | null)[]): Promise<Row | undefined> {
    if (!this.#isThere) await this.#ask(ADD, [this.#login]);
    this.#isThere = true;
    const [row] = await this.#ask(text, [this.#login, ...values]);
    return row;
  }
}
