/**
 * What machines that share a ledger tell each other of work on batches: who asks for it, who does it, how it ended. It
 * says nothing of money: whether something was sent, and whether it may be, only the ledger knows.
 *
 * Errors:  those of the server, as they are.
 */
import type { BatchId } from '../domain/payouts/instruction.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { LeaseHolder, Part } from './ledger/leases.ts';

export type WorkStage = 'price' | 'send' | 'settle';

/**
 * The kinds of work that a worker can do. `send-head` leads the sending of a batch and hands its parts out; `send` is one
 * part. Nothing in these two is tried again: what was cut off goes to `recover`, which moves no money.
 */
export const WORKER_QUEUES = ['price', 'send-head', 'send', 'settle', 'recover'] as const;
export type StageQueue = (typeof WORKER_QUEUES)[number];

/** Where a stage of a batch is asked for. */
export const QUEUE_OF: Readonly<Record<WorkStage, StageQueue>> = {
  price: 'price',
  send: 'send-head',
  settle: 'settle',
};

export interface NewWork {
  readonly batchId: BatchId;
  readonly stage: WorkStage;
  /** As JSON: what was asked for besides. */
  readonly request: string;
  /** The process that asks. */
  readonly asker: LeaseHolder;
}

export interface Work extends NewWork {
  readonly id: string;
}

/** So often it is looked whether what is to be done is in the queue or with a worker: jobs are rows that anybody can delete. */
export const ASK_AGAIN_MS = 10_000;

export interface WorkSeen {
  /** As JSON: set when it ended. */
  readonly result: string | undefined;
  /** A person wants it to end: nothing more is begun. */
  readonly isStopped: boolean;
  /** Who does it; undefined while nobody does. */
  readonly worker: string | undefined;
}

/** The open queue on the ledger's server. */
export interface WorkQueue {
  readonly fleet: Fleet;
  close(): Promise<void>;
}

export interface Fleet {
  /** Workers that said in the last seconds that they take such jobs. */
  workersOf(queue: StageQueue): Promise<number>;
  /** `busy`: this batch waits for the same already. */
  ask(
    work: NewWork,
  ): Promise<{ kind: 'asked'; id: string } | { kind: 'busy'; holder: LeaseHolder; since: Timestamp }>;
  look(id: string): Promise<WorkSeen>;
  stop(id: string): Promise<void>;
  /** A job for the work, if it has neither an end nor a job: somebody deleted it. */
  askAgain(id: string): Promise<void>;
  /** Nobody is to do it any more. False: it had ended. */
  withdraw(id: string): Promise<boolean>;
  seen(): Promise<FleetSeen>;
  /** From now on this process is a worker. */
  join(worker: NewWorker): Promise<Member>;
}

export interface NewWorker {
  readonly host: string;
  readonly pid: number;
  readonly user: string;
  readonly queues: readonly StageQueue[];
  /** Lanes that all workers share, and how many of them this one takes at most. */
  readonly lanes: { readonly all: number; readonly own: number };
  /** Requests a second, at most; undefined: as fast as the service answers. */
  readonly rate?: number | undefined;
}

export interface Member {
  readonly name: string;
  /** Says that this worker lives, and lets jobs of dead ones go to `recover`. */
  beat(): Promise<void>;
  /** Queues that have something to take: one question for all, because an idle worker asks some times a second. */
  waiting(): Promise<readonly StageQueue[]>;
  /** Of several workers one gets it; undefined: nothing waits. */
  take(queue: StageQueue): Promise<TakenJob | undefined>;
  /** Leave to have one part in flight; undefined: all lanes are taken, over all batches. */
  takeLane(): Promise<Lane | undefined>;
  leave(): Promise<void>;
}

export interface Lane {
  readonly number: number;
  release(): Promise<void>;
}

/** Until it ends the server is told every few seconds that the worker is alive. */
export interface TakenJob {
  readonly work: Work;
  /** Set where the job is one part. */
  readonly part: Part | undefined;
  /** How the whole stands. */
  look(): Promise<WorkSeen>;
  /** Jobs for all parts, in one transaction; those of an earlier try are forgotten. */
  handOut(parts: number): Promise<void>;
  parts(): Promise<readonly { readonly index: number; readonly result: WorkSeen['result'] }[]>;
  /** A job for each part that has neither an end nor a job: somebody deleted it. */
  askAgain(): Promise<void>;
  /** All who have a part of it, or wait for its end, see that it stops. */
  stop(): Promise<void>;
  /** Parts that nobody has begun are ended with this result. */
  endWaiting(result: string): Promise<void>;
  end(result: string): Promise<void>;
  /** The worker gives it up unfinished: it goes to `recover`, or is tried again where nothing moves. */
  fail(why: string): Promise<void>;
  /** Of `recover`: what was cut off may go on, by whoever takes it. False: it was cut off too often. */
  again(): Promise<boolean>;
}

export interface FleetSeen {
  readonly workers: readonly SeenWorker[];
  readonly works: readonly SeenWork[];
  /** `worker` undefined: free. */
  readonly lanes: readonly { readonly number: number; readonly worker: string | undefined }[];
  readonly queues: readonly { readonly queue: string; readonly waiting: number; readonly active: number }[];
  /** After a 429, nobody who shares the login asks the service before then. */
  readonly pausedUntil: Timestamp | undefined;
  /** The slowest rate of those who are at work or watch; it holds for all. */
  readonly rate: number | undefined;
}

export interface SeenWorker extends NewWorker {
  readonly name: string;
  readonly since: Timestamp;
  readonly seenAt: Timestamp;
}

export interface SeenWork extends Pick<Work, 'id' | 'batchId' | 'stage' | 'asker'> {
  readonly askedAt: Timestamp;
  readonly worker: string | undefined;
  readonly isStopped: boolean;
  readonly parts: readonly {
    readonly index: number;
    readonly worker: string | undefined;
    readonly isEnded: boolean;
  }[];
}
