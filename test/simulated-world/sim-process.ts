/**
 * A simulated process: the real ledger on a connection of its own, the real service client over the simulated
 * wire, a clock, and a life that can end or stand still at any step. What it has begun when it dies never ends.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Policy } from '../../src/domain/policy.ts';
import { EmergencyFile } from '../../src/ledger/emergency.ts';
import { type Machine, THIS_MACHINE } from '../../src/ledger/machine.ts';
import { ledgerOf, partsOf, start } from '../../src/ledger/open.ts';
import { sqliteDatabase } from '../../src/ledger/sqlite.ts';
import type { Trust } from '../../src/ledger/trust.ts';
import type { LeaseHolder } from '../../src/ports/ledger/leases.ts';
import type { Ledger, LedgerIdentity } from '../../src/ports/ledger/ledger.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import type { Random } from '../builders/random.ts';
import { boundLedger } from './bound-ledger.ts';
import { faultyDatabase, readingDatabase, type Store, withTurns } from './disk.ts';
import type { Faults } from './faults.ts';
import { type Actor, type Scheduler, simClock, type WallClock } from './scheduler.ts';
import type { SimFleet } from './sim-fleet.ts';
import { type ServiceWorld, simService } from './sim-service.ts';

export interface ProcessWorld extends Omit<ServiceWorld, 'clock' | 'log'> {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly random: Random;
  readonly store: Store;
  readonly identity: LedgerIdentity;
  readonly wall: WallClock;
  readonly policy: Policy;
  readonly isRunning: (pid: number) => boolean;
  readonly committed: () => void;
  /** Something happened to this process or its disk that may leave its rows on the wire unknown. */
  readonly mayDoubt: (process: SimProcess) => void;
  /** A line on the standard error output. */
  readonly said: (line: string) => void;
  /** Where workers share the ledger. */
  readonly fleet: (() => SimFleet | undefined) | undefined;
  /** Share of the ledger's reads that let others go first. */
  readonly parkedReads: number;
  /** Share of its statements that let others go first, as on a server. */
  readonly betweenStatements: number;
}

/** Known here, and as far as is remembered. */
const TRUSTED: Trust = {
  ...{ setBack: undefined, unknown: undefined },
  standing: { authUrl: undefined, place: undefined, isRestored: false, moved: undefined },
};

/** How a command came out. `died`: nobody is there to tell. */
export type Ended<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'died' };

export class SimProcess implements Actor {
  readonly name: string;
  readonly holder: LeaseHolder;
  readonly #world: ProcessWorld;
  readonly #died = Promise.withResolvers<void>();
  #stoppedUntilMs = 0;
  #life: 'running' | 'dead' | 'ended' = 'running';
  #close: () => void = () => undefined;
  #holdsOutcome = false;

  constructor(pid: number, command: string, world: ProcessWorld) {
    this.name = `p${pid}`;
    this.holder = { pid, host: pid % 5 === 0 ? 'far' : 'near', user: 'ama', command };
    this.#world = world;
  }

  isAlive(): boolean {
    return this.#life === 'running';
  }

  isDead(): boolean {
    return this.#life === 'dead';
  }

  isStopped(): boolean {
    return this.#world.scheduler.nowMs < this.#stoppedUntilMs;
  }

  die(): void {
    if (this.#life !== 'running') return;
    this.#world.mayDoubt(this);
    this.#life = 'dead';
    this.#close();
    this.#died.resolve();
  }

  /** Time passes for everybody but this process. */
  stop(milliseconds: number): void {
    this.#world.mayDoubt(this);
    this.#stoppedUntilMs = this.#world.scheduler.nowMs + milliseconds;
    // Something has to be there for the clock to move to.
    this.#world.scheduler.after(this, milliseconds, 'goes on', () => undefined);
  }

  goOn(): void {
    this.#stoppedUntilMs = 0;
  }

  /** Opens the ledger, does the work, closes everything; as a command does. */
  async run<Result>(work: (world: Ports, process: SimProcess) => Promise<Result>): Promise<Ended<Result>> {
    const starts = this.#world.scheduler.park(this, `starts ${this.holder.command}`);
    const working = starts
      .then(() => this.#work(work))
      .catch((error: unknown) => ({ kind: 'failed', error }) as const);
    const ended = await Promise.race([working, this.#died.promise.then(() => ({ kind: 'died' }) as const)]);
    if (this.#life === 'running') {
      this.#life = 'ended';
      this.#close();
    }
    return this.#life === 'dead' ? { kind: 'died' } : ended;
  }

  async #work<Result>(work: (world: Ports, process: SimProcess) => Promise<Result>): Promise<Ended<Result>> {
    const { scheduler, wall, random, policy } = this.#world;
    const clock = simClock(this, scheduler, wall, random.fork());
    const log = { write: () => undefined };
    const stored = await this.#openLedger(clock);
    const ledger: Ledger = boundLedger(stored, this, {
      ...this.#world,
      outcomeWaits: () => {
        this.#holdsOutcome = true;
      },
      tookOver: () => this.#world.mayDoubt(this),
      losesAnswer: () => this.#world.fleet?.()?.losesAnswer() ?? 'never',
    });
    const service = simService(this, { ...this.#world, clock, log });
    try {
      const alone: Ports = {
        ...{ ledger, paymentService: service, clock, log, policy, tell: () => undefined },
        hasOwnLogin: true,
      };
      const fleet = this.#world.fleet?.();
      const world = fleet === undefined ? alone : { ...alone, fleet: () => fleet.for(this) };
      return { kind: 'done', result: await work(world, this) };
    } catch (error) {
      return { kind: 'failed', error };
    } finally {
      await service.close();
      await ledger.close().catch(() => undefined);
    }
  }

  async #openLedger(clock: ReturnType<typeof simClock>): Promise<Ledger> {
    const { store, identity, faults, committed, mayDoubt } = this.#world;
    const machine = this.#machine();
    const emergency = new EmergencyFile(store.emergencyPath, identity.id, machine);
    const readers = new Set<DatabaseSync>();
    const open = () => {
      const reader = readingDatabase(store, () => readers.delete(reader));
      readers.add(reader);
      return reader;
    };
    // Whoever dies leaves no file open.
    this.#close = () => {
      emergency.close();
      for (const reader of readers) reader.close();
      writer.close();
    };
    // What is thrown into a dead process reaches nobody.
    const writer = faultyDatabase(store, {
      faults,
      committed: () => {
        this.#holdsOutcome = false;
        committed();
      },
      holdsOutcome: () => this.#holdsOutcome,
      die: () => this.die(),
      struck: () => mayDoubt(this),
      closed: () => this.#close(),
    });
    const own = sqliteDatabase({ path: store.path, writer, open });
    const db =
      this.#world.betweenStatements === 0
        ? own
        : withTurns(own, (isInCommit) => this.#turnOfOthers(isInCommit));
    const parts = partsOf({ db, identity, clock, machine, kept: { emergency } });
    await start(parts, TRUSTED, { binding: undefined, place: undefined });
    return ledgerOf(parts, TRUSTED);
  }

  /** A server undoes a commit that stands still, so nobody is stopped inside one. */
  #turnOfOthers(isInCommit: boolean): Promise<void> | undefined {
    const { scheduler, random, betweenStatements } = this.#world;
    if (!random.chance(betweenStatements)) return undefined;
    if (!isInCommit) return scheduler.park(this, 'reads on');
    const { name } = this;
    const moving = { name, isAlive: () => this.isAlive(), isStopped: () => false };
    return scheduler.park(moving, 'goes on in its commit');
  }

  #machine(): Machine {
    const { scheduler, isRunning, said } = this.#world;
    const { pid, host } = this.holder;
    return {
      ...{ ...THIS_MACHINE, pid, host },
      monotonicMs: () => scheduler.nowMs,
      later: (run, delayMs) =>
        void (delayMs === undefined
          ? scheduler.soon(this, 'commits', run)
          : scheduler.after(this, delayMs, 'commits', run)),
      every: (intervalMs, run) => this.#every(intervalMs, run),
      processStart: (number) => `start of ${number}`,
      isRunning,
      say: said,
    };
  }

  #every(intervalMs: number, run: () => void): () => void {
    let isOver = false;
    const next = () =>
      this.#world.scheduler.after(this, intervalMs, 'beats', () => {
        if (isOver) return;
        run();
        next();
      });
    next();
    return () => {
      isOver = true;
    };
  }
}
