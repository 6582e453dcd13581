/**
 * The pace of a login, for all processes that share it: each reserves the slots of about a tenth of a second at once, for
 * callers that wait already. The slowest rate that one of them has holds for all.
 *
 * Promises: no method rejects.
 */
import type { Clock } from '../ports/clock.ts';
import type { SharedRecord } from '../ports/service-access.ts';
import { Notes } from './shared-notes.ts';

export interface SharedPace {
  /** The next free instant; undefined: it cannot be had now, and nothing may be sent. */
  slot(): Promise<Slot | undefined>;
  /** Everybody waits for so long from now on. */
  pause(milliseconds: number): void;
}

/** Both on our monotonic clock. */
export interface Slot {
  readonly atMs: number;
  readonly pausedUntilMs: number;
}

const RESERVED_MS = 100;
/** Asked for so long before the last slot, that the next ones are there in time. */
const LEAD_MS = 20;
const PAUSE_MS_MAX = 5 * 60_000;
/** Slots further ahead than all processes together reserve come from a clock that was set back. */
const AHEAD_MS_MAX = 10_000;
const PROCESSES_MAX = 64;
/** So long a rate holds for all after its process was last heard. */
const HELD_MS = 10_000;

/** Rates are requests a second, instants by the record's clock. The queue reads them to show them (fleet-rows.ts). */
export interface PaceState {
  readonly nextAt: number;
  readonly pausedUntil: number;
  readonly slowest?: number | undefined;
  readonly slowestUntil: number;
}

const NEVER: PaceState = { nextAt: 0, pausedUntil: 0, slowestUntil: 0 };

/** Between two slots; 0: no rate holds. */
const spacingOf = (rate: number | undefined) => (rate === undefined ? 0 : 1_000 / rate);

/** The rate that holds beside the process's own one. */
function rateIn({ slowest, slowestUntil }: PaceState, own: number | undefined, nowMs: number) {
  const others = slowestUntil > nowMs ? slowest : undefined;
  return others === undefined || own === undefined ? (others ?? own) : Math.min(others, own);
}

/** The reserved slots end at `nextAt`. */
export function reserve(
  state: PaceState,
  {
    count,
    rate,
    nowMs,
  }: { readonly count: number; readonly rate: number | undefined; readonly nowMs: number },
): PaceState {
  const slowest = rateIn(state, rate, nowMs);
  const isOfOther = rate === undefined || (slowest ?? rate) < rate;
  const spacingMs = spacingOf(slowest);
  const isTooFar = state.nextAt > nowMs + AHEAD_MS_MAX + PROCESSES_MAX * spacingMs;
  const first = isTooFar ? nowMs : Math.max(state.nextAt, nowMs);
  const slowestUntil = isOfOther ? state.slowestUntil : nowMs + HELD_MS;
  return { ...state, slowest, slowestUntil, nextAt: first + count * spacingMs };
}

/** How many slots are reserved at once: what a tenth of a second has room for, and no more than callers wait. */
export function slotsAtOnce(spacingMs: number, waiting: number): number {
  return Math.min(waiting, Math.max(1, Math.round(RESERVED_MS / spacingMs)));
}

/** On our own clock: never earlier than on the record's, because its answer took its time. */
export function slotTimes(
  { firstAt, pausedUntil, nowMs }: Pick<PaceState, 'pausedUntil'> & { firstAt: number; nowMs: number },
  slots: { readonly count: number; readonly spacingMs: number; readonly receivedMs: number },
): readonly Slot[] {
  const { count, spacingMs, receivedMs } = slots;
  const pausedMs = Math.min(Math.max(pausedUntil - nowMs, 0), PAUSE_MS_MAX);
  const pausedUntilMs = pausedMs === 0 ? 0 : receivedMs + pausedMs;
  return Array.from({ length: count }, (_, at) => ({
    atMs: receivedMs + (firstAt - nowMs + at * spacingMs),
    pausedUntilMs,
  }));
}

export class CommonPace implements SharedPace {
  readonly #notes: Notes<PaceState>;
  readonly #rate: number | undefined;
  readonly #clock: Clock;
  /** Of the rate that held last. */
  #spacingMs: number;
  readonly #waiting: ((slot: Slot | undefined) => void)[] = [];
  #isReserving = false;
  #isClaiming = false;
  #looked: { readonly slot: Slot; readonly sinceMs: number } | undefined;

  /** `rate`: requests a second; undefined: as fast as the service answers. A pause is shared all the same. */
  constructor(record: SharedRecord, rate: number | undefined, clock: Clock) {
    this.#notes = new Notes(record, NEVER, clock);
    this.#rate = rate;
    this.#clock = clock;
    this.#spacingMs = spacingOf(rate);
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
    const paused = (state: PaceState, nowMs: number) => {
      const until = Math.max(state.pausedUntil, nowMs + milliseconds);
      return { ...state, pausedUntil: Math.min(until, nowMs + PAUSE_MS_MAX) };
    };
    // This process waits in any case, and the others as well as it can be done.
    void this.#notes.change(paused).catch(() => undefined);
  }

  /** Also a process that only watches says, as long as it lives, that its rate holds: others send for it. */
  async claim(): Promise<void> {
    if (this.#rate === undefined || this.#isClaiming) return;
    this.#isClaiming = true;
    // Each of its requests says it, too.
    await this.#notes.change((state, nowMs) => this.#reserved(state, 0, nowMs)).catch(() => undefined);
    this.#isClaiming = false;
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

  /** For the callers that wait now. */
  async #slots(): Promise<readonly Slot[]> {
    if (this.#spacingMs === 0) {
      const { state, nowMs } = await this.#notes.read();
      this.#spacingMs = spacingOf(rateIn(state, undefined, nowMs));
      if (this.#spacingMs === 0) {
        const receivedMs = this.#clock.monotonicMs();
        const of = { count: this.#waiting.length, spacingMs: 0, receivedMs };
        const slots = slotTimes({ ...state, firstAt: nowMs, nowMs }, of);
        const [slot] = slots;
        if (slot !== undefined) this.#looked = { slot, sinceMs: receivedMs };
        return slots;
      }
    }
    const count = slotsAtOnce(this.#spacingMs, this.#waiting.length);
    const { state, nowMs } = await this.#notes.change((before, now) => this.#reserved(before, count, now));
    const receivedMs = this.#clock.monotonicMs();
    const spacingMs = spacingOf(state.slowest);
    this.#spacingMs = spacingMs;
    return slotTimes(
      { ...state, firstAt: state.nextAt - count * spacingMs, nowMs },
      { count, spacingMs, receivedMs },
    );
  }

  #reserved(state: PaceState, count: number, nowMs: number): PaceState {
    return reserve(state, { count, rate: this.#rate, nowMs });
  }
}
