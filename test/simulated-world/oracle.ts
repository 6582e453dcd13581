/**
 * The payment service of a history, with a book of its own: what really executed, what became of it, and which
 * tokens it takes. The product never reads the book; the checkers judge by it.
 *
 * Units:   virtual milliseconds.
 */

import type { Random } from '../builders/random.ts';
import type { Faults } from './faults.ts';
import { Market } from './market.ts';

/** Why an execution beside another one of the same row is counted apart: nothing in the answer could tell. */
export type Apart = 'doubled' | 'refuses_after_executing';

export interface Execution {
  readonly id: string;
  readonly tag: string;
  readonly account: string;
  readonly amount: string;
  readonly name: string;
  /** As the service shows them. */
  readonly institution: string;
  readonly country: string;
  readonly atMs: number;
  fate: Fate;
  readonly apart: Apart | undefined;
  looks: number;
}

export type Fate =
  | { readonly kind: 'finishes'; readonly afterMs: number }
  | { readonly kind: 'flaps'; readonly looks: number }
  | { readonly kind: 'fails'; readonly afterMs: number; readonly word: string }
  | { readonly kind: 'fails_then_finishes'; readonly afterMs: number }
  | { readonly kind: 'returns'; readonly afterMs: number; readonly finishesFirst: boolean }
  | Story;

/** The service says one thing after the other. Once Finished was due, it is shown at least once. */
export interface Story {
  readonly kind: 'story';
  readonly finishesFirst: boolean;
  /** Each from an age of the transfer on; the first one from the beginning. */
  readonly phases: readonly Phase[];
}

interface Phase {
  readonly fromMs: number;
  readonly shows: Shown | 'not_found';
}

/** `times`: which part of the amount is shown, or how many times it. */
export interface Shown {
  readonly word: string;
  readonly times?: number;
}

/** What the service told of a transfer when it was asked; `amount` as a decimal. undefined: that it does not know the transfer. */
export interface Told {
  readonly id: string;
  readonly atMs: number;
  readonly status: { readonly word: string; readonly amount: string } | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Which end is thought of first. */
const ENDS = [
  ['status_fails', 'failed_then_finished', 'returned'],
  ['failed_then_finished', 'returned', 'status_fails'],
  ['returned', 'status_fails', 'failed_then_finished'],
] as const;
const FLAPPING = [
  'Processing',
  'Failed',
  'pending',
  'Declined',
  'On hold',
  'PROCESSING',
  'Verified',
] as const;

export class Oracle {
  readonly book: Execution[] = [];
  readonly market = new Market();
  /** Answers about transfers, oldest first. */
  readonly told: Told[] = [];
  readonly #fates = new Map<string, Fate>();
  readonly #faults: Faults;
  readonly #random: Random;
  readonly #now: () => number;
  readonly #tokens = new Map<string, number>();
  #ids = 0;

  constructor(faults: Faults, random: Random, now: () => number) {
    this.#faults = faults;
    this.#random = random;
    this.#now = now;
  }

  nowMs(): number {
    return this.#now();
  }

  execute(order: Omit<Execution, 'id' | 'atMs' | 'fate' | 'looks'>, payout: number | undefined): Execution {
    this.#ids += 1;
    const told = this.book.some(({ account }) => account === order.account)
      ? undefined
      : this.#fates.get(order.account);
    const [atMs, fate] = [this.#now(), told ?? this.#fate(payout)];
    const execution: Execution = { ...order, id: `tr-${this.#ids}`, atMs, fate, looks: 0 };
    this.book.push(execution);
    return execution;
  }

  /** A transfer that some other program of the same account made. */
  foreign(amount: string, to: Partial<Pick<Execution, 'name' | 'institution'>> = {}): Execution {
    const shown = { name: 'AMA MENSAH', institution: 'MTN Mobile Money', country: 'Ghana', ...to };
    return this.execute({ ...shown, tag: '', account: '0244999999', amount, apart: undefined }, undefined);
  }

  /** What becomes of the first transfer to the account, whether it was made already or not. */
  decree(account: string, fate: Fate): void {
    this.#fates.set(account, fate);
    const first = this.book.find((execution) => execution.account === account);
    if (first !== undefined) first.fate = fate;
  }

  byId(id: string): Execution | undefined {
    return this.book.find((execution) => execution.id === id);
  }

  /** What the service answers about it now. */
  tell(execution: Execution): Told['status'] {
    const { id, amount } = execution;
    const shown = this.#shown(execution);
    const status =
      shown === 'not_found'
        ? undefined
        : { word: shown.word, amount: shown.times === undefined ? amount : part(amount, shown.times) };
    this.told.push({ id, atMs: this.#now(), status });
    return status;
  }

  #shown(execution: Execution): Phase['shows'] {
    const { fate, atMs } = execution;
    execution.looks += 1;
    const age = this.#now() - atMs;
    if (fate.kind !== 'story') return { word: this.#wordOf(execution, fate, age) };
    const { finishesFirst, phases } = fate;
    if (finishesFirst && execution.looks === 1) return { word: 'Finished' };
    const isOver = this.#faults.isHealed();
    return phases.findLast(({ fromMs }) => isOver || age >= fromMs)?.shows ?? { word: 'Processing' };
  }

  #wordOf({ looks }: Execution, fate: Exclude<Fate, Story>, age: number): string {
    const isOver = this.#faults.isHealed();
    switch (fate.kind) {
      case 'finishes':
        return isOver || age >= fate.afterMs ? 'Finished' : 'Processing';
      case 'flaps':
        return isOver || looks > fate.looks ? 'Finished' : this.#random.pick(FLAPPING);
      case 'fails':
        return isOver || age >= fate.afterMs ? fate.word : 'Processing';
      case 'fails_then_finishes':
        return isOver || age >= fate.afterMs ? 'Finished' : 'Failed';
      case 'returns':
        // What comes back after it was paid was shown as paid at least once.
        if (fate.finishesFirst && looks === 1) return 'Finished';
        if (isOver || age >= fate.afterMs) return 'Reversed';
        return fate.finishesFirst ? 'Finished' : 'Processing';
    }
  }

  logIn(lifetimeMs: number): string {
    const token = `token-${this.#tokens.size + 1}`;
    this.#tokens.set(token, this.#now() + lifetimeMs);
    return token;
  }

  takes(token: string | undefined): boolean {
    return token !== undefined && (this.#tokens.get(token) ?? 0) > this.#now();
  }

  revoke(token: string | undefined): void {
    if (token !== undefined) this.#tokens.set(token, 0);
  }

  #fate(payout: number | undefined): Fate {
    const random = this.#random;
    const soon = random.below(15_000);
    const later = random.pick([60_000, HOUR_MS, 3 * DAY_MS]) * random.next();
    const [first, second, third] = random.pick(ENDS);
    for (const end of [first, second, third]) {
      if (!this.#faults.strikes(end, payout)) continue;
      if (end === 'status_fails')
        return { kind: 'fails', afterMs: soon, word: random.pick(['Failed', 'DECLINED', 'rejected']) };
      if (end === 'failed_then_finished') return { kind: 'fails_then_finishes', afterMs: 60_000 + later };
      return random.chance(0.4)
        ? { kind: 'returns', afterMs: soon, finishesFirst: false }
        : { kind: 'returns', afterMs: later, finishesFirst: true };
    }
    if (this.#faults.strikes('contradicts', payout)) return someStory(random);
    if (this.#faults.strikes('status_flaps', payout)) return { kind: 'flaps', looks: random.between(1, 8) };
    return { kind: 'finishes', afterMs: soon };
  }
}

/** Whether the money stays paid, in the end. */
export function isPaid({ fate }: Execution): boolean {
  if (fate.kind === 'story') {
    const last = fate.phases.at(-1)?.shows;
    return last !== undefined && last !== 'not_found' && last.word === 'Finished';
  }
  return fate.kind === 'finishes' || fate.kind === 'flaps' || fate.kind === 'fails_then_finishes';
}

/** Words that no setting has. */
const ENDLESS: readonly string[] = ['Charged back', 'Expired'];

/** Whether the service ends with words that leave the payment on its way, if it was not shown as paid before. */
export function neverEnds({ fate }: Execution): boolean {
  if (fate.kind !== 'story') return false;
  const last = fate.phases.at(-1)?.shows;
  if (last === undefined || last === 'not_found') return true;
  return ENDLESS.includes(last.word) || (last.word !== 'Finished' && last.times !== undefined);
}

/** What services did in the incidents that people told of: after they had said Finished, or instead of it. */
function someStory(random: Random): Story {
  const first = random.below(15_000);
  const second = first + 60_000 + random.pick([60_000, HOUR_MS, 3 * DAY_MS]) * random.next();
  const third = second + random.pick([60_000, HOUR_MS, 3 * DAY_MS]) * random.next();
  const failed = random.pick(['Failed', 'DECLINED']);
  const unknown = random.pick(ENDLESS);
  const finished = { fromMs: first, shows: { word: 'Finished' } };
  const [later, last] = [second, third].map((fromMs) => (shows: Phase['shows']) => ({ fromMs, shows }));
  if (later === undefined || last === undefined) throw new TypeError('no phases');
  const phases = random.pick<readonly Phase[]>([
    [finished, later({ word: failed })],
    [finished, later({ word: failed }), last({ word: 'Finished' })],
    [finished, later({ word: 'Reversed' }), last({ word: 'Finished' })],
    [finished, later({ word: 'Reversed' }), last({ word: 'Finished' })],
    [finished, later({ word: unknown })],
    [finished, later({ word: 'Returned', times: 0.75 })],
    [finished, later({ word: 'Finished', times: 0.75 })],
    [finished, later('not_found'), last({ word: 'Finished' })],
    [{ fromMs: 0, shows: 'not_found' }, later('not_found'), last({ word: 'Finished' })],
    [{ fromMs: first, shows: { word: 'Finished', times: random.pick([100, 0.9]) } }],
    [{ fromMs: first, shows: { word: unknown } }],
    [{ fromMs: first, shows: 'not_found' }],
  ]);
  return { kind: 'story', finishesFirst: phases[0] === finished, phases };
}

function part(amount: string, times: number): string {
  return (Math.round(Number(amount) * 100 * times) / 100).toFixed(2);
}
