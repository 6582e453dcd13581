/**
 * Work for workers in memory, as queue keeps it in tables: with the limits of its queues, and with what may
 * go wrong between a worker and the server.
 */

import { timestampOf } from '../../src/domain/timestamp.ts';
import {
  type Fleet,
  type Member,
  type NewWorker,
  QUEUE_OF,
  type StageQueue,
  type TakenJob,
  type Work,
  type WorkSeen,
} from '../../src/ports/fleet.ts';
import type { Part } from '../../src/ports/ledger/leases.ts';
import { STAGE_QUEUES } from '../../src/queue/boss-queue.ts';

/** The process that asks or works. */
export interface Hand {
  isAlive(): boolean;
  isStopped(): boolean;
}

export interface Troubles {
  /** How long a job that is ready waits until somebody gets it. */
  lateMs(): number;
  /** There are two jobs of the same. */
  isTwice(): boolean;
  /** An answer of the server is lost: what was asked for was done, or was not. */
  lost(): 'never' | 'undone' | 'done';
}

interface Job {
  readonly queue: StageQueue;
  readonly work: string;
  readonly part: Part | undefined;
  tries: number;
  readyMs: number;
  hand: Hand | undefined;
  beatMs: number;
}

interface Shared extends Work {
  result: string | undefined;
  isStopped: boolean;
  isHalted: boolean;
  isEnded: boolean;
  worker: string | undefined;
  tries: number;
  parts: SharedPart[];
}

interface SharedPart extends Part {
  result: string | undefined;
  worker: string | undefined;
  tries: number;
}

const BEAT_MS_MAX = 10_000;
const SEEN_MS_MAX = 15_000;
const TRIES_MAX = 20;
const RETRY_MS = 2_000;
export const NO_TROUBLES: Troubles = { lateMs: () => 0, isTwice: () => false, lost: () => 'never' };
const GONE: Hand = { isAlive: () => false, isStopped: () => false };
const HERE: Hand = { isAlive: () => true, isStopped: () => false };

export class MemoryFleet {
  readonly works = new Map<string, Shared>();
  jobs: Job[] = [];
  readonly #members = new Map<string, { readonly worker: NewWorker; readonly hand: Hand; seenMs: number }>();
  readonly #lanes = new Map<number, string>();
  readonly #nowMs: () => number;
  readonly #troubles: Troubles;
  #ids = 0;

  constructor(nowMs: () => number, troubles: Troubles = NO_TROUBLES) {
    this.#nowMs = nowMs;
    this.#troubles = troubles;
  }

  /** Something waits, or somebody is at it. */
  isBusy(): boolean {
    return this.jobs.length > 0 || [...this.works.values()].some(({ isEnded }) => !isEnded);
  }

  as(hand: Hand = HERE): Fleet {
    return {
      workersOf: async (queue) =>
        [...this.#members].filter(([name, { worker }]) => worker.queues.includes(queue) && this.#isSeen(name))
          .length,
      ask: async (work) => {
        const queue = QUEUE_OF[work.stage];
        const other = this.jobs.find(
          (job) => job.queue === queue && this.#work(job)?.batchId === work.batchId,
        );
        if (other !== undefined)
          return { kind: 'busy', holder: this.#work(other)?.asker ?? work.asker, since: timestampOf(0) };
        this.#ids += 1;
        const id = `work-${this.#ids}`;
        const open = { result: undefined, isStopped: false, isHalted: false, isEnded: false, tries: 0 };
        this.works.set(id, { ...work, ...open, id, worker: undefined, parts: [] });
        this.#put(queue, id, undefined);
        return { kind: 'asked', id };
      },
      look: async (id) => this.#seen(id, undefined),
      stop: async (id) => {
        const work = this.works.get(id);
        if (work !== undefined) work.isStopped = true;
      },
      askAgain: async (id) => {
        const work = this.works.get(id);
        const hasJob = this.jobs.some((job) => job.work === id && job.part === undefined);
        if (work === undefined || work.isEnded || hasJob) return;
        this.#put(work.worker === undefined ? QUEUE_OF[work.stage] : 'recover', id, undefined);
      },
      withdraw: async (id) => {
        const work = this.works.get(id);
        if (work === undefined || work.isEnded) return false;
        Object.assign(work, { isStopped: true, isEnded: true });
        return true;
      },
      seen: () => Promise.reject(new Error('Nobody looks at it')),
      join: async (worker) => this.#join(worker, hand),
    };
  }

  #join(worker: NewWorker, hand: Hand): Member {
    const name = `${worker.host}/${worker.pid}`;
    this.#members.set(name, { worker, hand, seenMs: this.#nowMs() });
    const free = () => {
      for (const [lane, of] of this.#lanes) if (of === name || !this.#isSeen(of)) this.#lanes.delete(lane);
    };
    return {
      name,
      beat: async () => {
        const member = this.#members.get(name);
        if (member !== undefined) member.seenMs = this.#nowMs();
        this.#supervise();
      },
      waiting: async () => [
        ...new Set(this.jobs.filter((job) => this.#isReady(job)).map(({ queue }) => queue)),
      ],
      take: async (queue) => this.#take(queue, name, hand),
      takeLane: async () => {
        for (let number = 1; number <= worker.lanes.all; number += 1) {
          const of = this.#lanes.get(number);
          if (of !== undefined && this.#isSeen(of)) continue;
          this.#lanes.set(number, name);
          const release = async () => {
            if (this.#lanes.get(number) === name) this.#lanes.delete(number);
          };
          return { number, release };
        }
        return undefined;
      },
      leave: async () => {
        free();
        this.#members.delete(name);
      },
    };
  }

  /** Jobs of whoever gave no sign of life go where jobs go that failed. */
  #supervise(): void {
    for (const job of [...this.jobs]) {
      if (job.hand === undefined) continue;
      if (job.hand.isAlive() && !job.hand.isStopped()) job.beatMs = this.#nowMs();
      else if (this.#nowMs() - job.beatMs > BEAT_MS_MAX) this.#failed(job);
    }
  }

  #take(queue: StageQueue, name: string, hand: Hand): TakenJob | undefined {
    const job = this.jobs.find((each) => each.queue === queue && this.#isReady(each));
    if (job === undefined) return undefined;
    const work = this.#work(job);
    if (work === undefined || work.isEnded || !this.#begin(job, work, name)) {
      this.#done(job);
      return this.#take(queue, name, hand);
    }
    Object.assign(job, { hand, beatMs: this.#nowMs() });
    return this.#taken(job, work, name);
  }

  /** False: there is nothing to begin any more. */
  #begin({ queue, part }: Job, work: Shared, name: string): boolean {
    if (queue === 'recover') return true;
    if (queue === 'send-head') Object.assign(work, { parts: [], isHalted: false });
    const place = part === undefined ? work : this.#part(work, part);
    if (place === undefined || place.result !== undefined) return false;
    // A part that was handed out anew may have a job of before, too.
    if (part !== undefined && place.worker !== undefined) return false;
    place.worker = name;
    return true;
  }

  #taken(job: Job, work: Shared, name: string): TakenJob {
    const { part } = job;
    const place = () => (part === undefined ? work : this.#part(work, part));
    /** Whoever slept while another took its place says nothing of what that one does. */
    const mine = () => {
      const own = place();
      return job.queue === 'recover' || own?.worker === name ? own : undefined;
    };
    return {
      work,
      part,
      look: () => this.#asked(() => this.#seen(work.id, part)),
      handOut: (count) =>
        this.#asked(() => {
          work.parts = Array.from({ length: count }, (_, index) => {
            return { index, of: count, result: undefined, worker: undefined, tries: 0 };
          });
          for (let index = 0; index < count; index += 1) this.#put('send', work.id, { index, of: count });
        }),
      askAgain: async () => undefined,
      parts: () => this.#asked(() => work.parts.map(({ index, result }) => ({ index, result }))),
      stop: () =>
        this.#asked(() => {
          work.isHalted = true;
        }),
      endWaiting: (result) =>
        this.#asked(() => {
          for (const each of work.parts) if (each.worker === undefined) each.result ??= result;
        }),
      end: (result) =>
        this.#asked(() => {
          const ended = mine();
          if (ended !== undefined) ended.result ??= result;
          if (ended === work) work.isEnded = true;
          this.#done(job);
        }),
      fail: () => {
        // Where this cannot be said either, the silence says it.
        if (job.hand !== undefined) job.hand = GONE;
        return this.#asked(() => {
          const failed = mine();
          if (failed !== undefined && part !== undefined) failed.worker = undefined;
          this.#failed(job);
        });
      },
      again: () => this.#asked(() => this.#again(job, work, place())),
    };
  }

  #again(job: Job, work: Shared, place: Shared | SharedPart | undefined): boolean {
    const isOpen = place !== undefined && place.result === undefined;
    if (isOpen) Object.assign(place, { worker: undefined, tries: place.tries + 1 });
    if (isOpen && place.tries > TRIES_MAX) return false;
    if (isOpen) this.#put(job.part === undefined ? QUEUE_OF[work.stage] : 'send', work.id, job.part);
    this.#done(job);
    return true;
  }

  #seen(id: string, part: Part | undefined): WorkSeen {
    const work = this.works.get(id);
    const isGone = work === undefined || (work.isEnded && work.result === undefined);
    const isStopped = isGone || work.isStopped || (part !== undefined && work.isHalted);
    return { result: work?.result, isStopped, worker: work?.worker };
  }

  #put(queue: StageQueue, work: string, part: Part | undefined): void {
    const readyMs = this.#nowMs() + this.#troubles.lateMs();
    const job = { queue, work, part, tries: 0, readyMs, hand: undefined, beatMs: 0 };
    this.jobs.push(job);
    if (this.#troubles.isTwice()) this.jobs.push({ ...job });
  }

  #failed(job: Job): void {
    if (!this.jobs.includes(job)) return;
    const limits: { readonly retryLimit: number; readonly deadLetter?: 'recover' } = STAGE_QUEUES[job.queue];
    if (job.tries < limits.retryLimit) {
      Object.assign(job, { hand: undefined, tries: job.tries + 1, readyMs: this.#nowMs() + RETRY_MS });
      return;
    }
    this.#done(job);
    if (limits.deadLetter !== undefined) this.#put(limits.deadLetter, job.work, job.part);
  }

  #isReady({ hand, readyMs }: Job): boolean {
    return hand === undefined && readyMs <= this.#nowMs();
  }

  #done(job: Job): void {
    this.jobs = this.jobs.filter((each) => each !== job);
  }

  async #asked<Answer>(answer: () => Answer): Promise<Answer> {
    const lost = this.#troubles.lost();
    if (lost === 'undone') throw brokenOff();
    const value = answer();
    if (lost === 'done') throw brokenOff();
    return value;
  }

  #work({ work }: Job): Shared | undefined {
    return this.works.get(work);
  }

  #part(work: Shared, part: Part): SharedPart | undefined {
    return work.parts.find(({ index, of }) => index === part.index && of === part.of);
  }

  #isSeen(name: string): boolean {
    const member = this.#members.get(name);
    if (member === undefined) return false;
    return this.#nowMs() - member.seenMs <= SEEN_MS_MAX;
  }
}

function brokenOff(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' });
}
