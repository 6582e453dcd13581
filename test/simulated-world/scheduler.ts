/**
 * The scheduler: owns everything that could happen next, lets chance choose, and moves the clock on only when
 * nothing else can run. Nothing in a history waits for real time.
 *
 * Units:   virtual milliseconds since the history began.
 */

import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Random } from '../builders/random.ts';
import { START_MS } from './disk.ts';

/** Whoever acts: a simulated process, or the world around all of them. */
export interface Actor {
  readonly name: string;
  /** A dead actor's turns never come. */
  isAlive(): boolean;
  /** A stopped actor's turns wait until it goes on. */
  isStopped(): boolean;
}

interface Turn {
  readonly actor: Actor;
  readonly label: string;
  readonly run: () => void;
}

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly turn: Turn;
  isOff: boolean;
}

/** Turns of the event loop given to work that lets others go first, before the clock moves on. */
const QUIET_TURNS = 3;
/** The same when there is nothing that the clock could move to. */
const QUIET_TURNS_LAST = 2_000;

export class Scheduler {
  nowMs = 0;
  steps = 0;
  readonly #random: Random;
  readonly #trace: Trace;
  #ready: Turn[] = [];
  readonly #timers: Timer[] = [];
  #order = 0;
  #still: Promise<void> | undefined;

  constructor(random: Random, trace: Trace) {
    this.#random = random;
    this.#trace = trace;
  }

  soon(actor: Actor, label: string, run: () => void): void {
    this.#ready.push({ actor, label, run });
  }

  /** Returns how to take it back. */
  after(actor: Actor, delayMs: number, label: string, run: () => void): () => void {
    const turn = { actor, label, run };
    const timer: Timer = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order, turn, isOff: false };
    this.#order += 1;
    insertSorted(this.#timers, timer);
    return () => {
      timer.isOff = true;
    };
  }

  /** Resolves when chance has chosen it. */
  park(actor: Actor, label: string): Promise<void> {
    return new Promise((resolve) => this.soon(actor, label, resolve));
  }

  /** Nothing else happens until the work is done. */
  async still<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#still = promise;
    try {
      return await work();
    } finally {
      this.#still = undefined;
      resolve();
    }
  }

  /** Runs one turn, or moves the clock to the next timer. False when there is nothing left at all. */
  async step(isDone: () => boolean): Promise<boolean> {
    while (this.#still !== undefined) await this.#still;
    if (await this.#runOne(QUIET_TURNS, isDone)) return true;
    if (this.#advance()) return true;
    // What still works may also set a timer.
    for (let quiet = 0; quiet < QUIET_TURNS_LAST; quiet += 1)
      if ((await this.#runOne(1, isDone)) || this.#advance()) return true;
    return false;
  }

  async #runOne(quietTurns: number, isDone: () => boolean): Promise<boolean> {
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      while (this.#still !== undefined) await this.#still;
      const turn = this.#choose();
      if (turn !== undefined) {
        this.steps += 1;
        this.#trace.add(this.nowMs, turn.actor.name, turn.label);
        turn.run();
        await eventLoopTurn();
        return true;
      }
      await eventLoopTurn();
      if (isDone()) return true;
    }
    return false;
  }

  /** Time passes for everyone, whatever waits. */
  jump(milliseconds: number): void {
    this.nowMs += milliseconds;
  }

  #choose(): Turn | undefined {
    this.#ready = this.#ready.filter(({ actor }) => actor.isAlive());
    const runnable = this.#ready.filter(({ actor }) => !actor.isStopped());
    if (runnable.length === 0) return undefined;
    const chosen = this.#random.pick(runnable);
    this.#ready.splice(this.#ready.indexOf(chosen), 1);
    return chosen;
  }

  #advance(): boolean {
    for (;;) {
      const timer = this.#timers.shift();
      if (timer === undefined) return false;
      if (timer.isOff || !timer.turn.actor.isAlive()) continue;
      this.nowMs = Math.max(this.nowMs, timer.atMs);
      this.#ready.push(timer.turn);
      return true;
    }
  }
}

/** Microtasks, and what was handed to setImmediate, have their turn. */
function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function insertSorted(timers: Timer[], timer: Timer): void {
  let [low, high] = [0, timers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timers[middle]?.atMs ?? 0) <= timer.atMs) low = middle + 1;
    else high = middle;
  }
  timers.splice(low, 0, timer);
}

const LINES_KEPT = 4_000;
/** Of a store; the same history has another one each time. */
const FOLDER = /\/\S*payfile-simulation-\w+/g;

export class Trace {
  readonly #lines: string[] = [];
  readonly #keepsLines: boolean;
  #hash = 0x811c9dc5;
  #count = 0;

  constructor(keepsLines: boolean) {
    this.#keepsLines = keepsLines;
  }

  add(atMs: number, who: string, what: string): void {
    const line = `${atMs.toFixed(0)} ${who} ${what.replace(FOLDER, '')}`;
    this.#count += 1;
    for (let index = 0; index < line.length; index += 1)
      this.#hash = Math.imul(this.#hash ^ line.charCodeAt(index), 0x01000193);
    if (!this.#keepsLines) return;
    if (this.#lines.length >= LINES_KEPT) this.#lines.splice(0, LINES_KEPT / 2);
    this.#lines.push(line);
  }

  hash(): string {
    return `${(this.#hash >>> 0).toString(16).padStart(8, '0')}-${this.#count}`;
  }

  lines(): readonly string[] {
    return this.#lines;
  }
}

export interface WallClock {
  /** What somebody set the wall clock by, in all. */
  offMs: number;
}

export function simClock(actor: Actor, scheduler: Scheduler, wall: WallClock, random: Random): Clock {
  return {
    now: () => timestampOf(Math.round(START_MS + scheduler.nowMs + wall.offMs)),
    monotonicMs: () => scheduler.nowMs,
    random: () => random.next(),
    sleep: (milliseconds, signal) => sleep(actor, scheduler, milliseconds, signal),
  };
}

/** As the system's clock sleeps: an abort ends it with the signal's reason. */
export function sleep(
  actor: Actor,
  scheduler: Scheduler,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const onAbort = () => {
      takeBack();
      reject(signal?.reason);
    };
    const takeBack = scheduler.after(actor, milliseconds, 'wakes', () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
