/**
 * The pace of a login beside the ledger, for all processes that work on it: each reserves the slots of about a tenth of a
 * second by one statement, for callers who wait already.
 *
 * Units:   microseconds on the server's clock in the table, milliseconds on our own clock here.
 */
import type { Clock } from '../../../../ports/clock.ts';
import type { SharedPace, Slot } from '../../../../ports/service-access.ts';
import type { LastingClient } from './lasting-client.ts';

const RESERVED_MS = 100;
/** Asked for so long before the last slot, that the next ones are there in time. */
const LEAD_MS = 20;
const PAUSE_US_MAX = 5 * 60_000_000;
/** Slots further ahead than all processes together reserve come from a clock that was set back. */
const AHEAD_US_MAX = 10_000_000;
const PROCESSES_MAX = 64;

const ADD = 'INSERT INTO pace(login) VALUES ($1) ON CONFLICT DO NOTHING';
const RESERVE = `UPDATE pace SET next_at = $2 +
  CASE WHEN next_at > server_us() + $3 THEN server_us() ELSE greatest(next_at, server_us()) END
  WHERE login = $1 RETURNING next_at - $2 AS first, server_us() AS now, paused_until`;
const LOOK = 'SELECT server_us() AS first, server_us() AS now, paused_until FROM pace WHERE login = $1';
const PAUSE = `UPDATE pace SET paused_until =
  least(greatest(paused_until, server_us() + $2), server_us() + ${PAUSE_US_MAX}) WHERE login = $1`;

export interface Reserved {
  /** All in microseconds on the server's clock. */
  readonly first: number;
  readonly now: number;
  readonly pausedUntil: number;
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
  readonly #client: LastingClient;
  readonly #login: string;
  readonly #clock: Clock;
  readonly #requestsPerSecond: number | undefined;
  readonly #waiting: ((slot: Slot | undefined) => void)[] = [];
  #isReserving = false;
  #isThere = false;
  #looked: { readonly slot: Slot; readonly sinceMs: number } | undefined;

  constructor(
    client: LastingClient,
    { login, requestsPerSecond }: { readonly login: string; readonly requestsPerSecond: number | undefined },
    clock: Clock,
  ) {
    this.#client = client;
    this.#login = login;
    this.#requestsPerSecond = requestsPerSecond;
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
    void this.#ask(PAUSE, [Math.round(milliseconds * 1_000)]).catch(() => undefined);
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
    const rate = this.#requestsPerSecond;
    const spacingUs = rate === undefined ? 0 : Math.ceil(1_000_000 / rate);
    const count = rate === undefined ? this.#waiting.length : slotsAtOnce(rate, this.#waiting.length);
    const ahead = AHEAD_US_MAX + PROCESSES_MAX * spacingUs;
    const reserved = await (rate === undefined
      ? this.#ask(LOOK, [])
      : this.#ask(RESERVE, [count * spacingUs, ahead]));
    const receivedMs = this.#clock.monotonicMs();
    const slots = slotTimes(reserved, { count, spacingUs, receivedMs });
    const [slot] = slots;
    if (rate === undefined && slot !== undefined) this.#looked = { slot, sinceMs: receivedMs };
    return slots;
  }

  async #ask(text: string, values: readonly number[]): Promise<Reserved> {
    if (!this.#isThere) await this.#client.rows(ADD, [this.#login]);
    this.#isThere = true;
    const [row] = await this.#client.rows(text, [this.#login, ...values]);
    return {
      first: Number(row?.first),
      now: Number(row?.now),
      pausedUntil: Number(row?.paused_until),
    };
  }
}
