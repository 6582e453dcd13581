/**
 * Group commit: all writes waiting at one moment share one commit, and each caller gets its own answer after
 * that commit is durable. A commit that fails fails for all of them; there is never half of one.
 *
 * Units:   a write transaction takes in work for 35 ms at most; a busy ledger is asked again in short slices
 *          for 5 s, without ever blocking the process for longer than one slice.
 * Errors:  LedgerError for storage; what a caller's own part throws is thrown to that caller alone.
 */

import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { ChainDraft, Head } from '../proof/event-chain.ts';
import type { Database } from './database.ts';
import { isBusy, isDiskError, isStorageFailure, ledgerErrorOf, replacedWhileOpen } from './sql-statements.ts';
import type { Machine } from './this-machine.ts';

const WORK_MS = 35;
const BUSY_PAUSE_MS = 20;
const BUSY_TOTAL_MS = 5_000;

interface Waiting {
  readonly run: () => unknown;
  readonly isAtomic: boolean;
  readonly since: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriteQueue {
  /**
   * `work` runs inside a commit, synchronously. `isOneStatement` promises that it changes nothing before it may
   * throw, which saves a savepoint.
   */
  write<T>(work: () => T, options?: { isOneStatement?: boolean }): Promise<T>;
}

interface GroupCommitOptions {
  readonly db: Database;
  readonly chain: ChainDraft;
  readonly path: string;
  readonly machine: Machine;
  readonly isReadOnly: boolean;
  /** False when the file that is open is no longer the one at its path: what is committed to it would be lost. */
  readonly isInPlace: () => boolean;
  /** Asked inside each commit. Throws when the tables no longer have the format that this process works with. */
  readonly requireFormat: (() => void) | undefined;
  /** Names who holds the ledger, when a lease tells. */
  readonly holders: () => string;
  readonly committed: (head: Head) => void;
  readonly rolledBack: () => void;
}

export class GroupCommit implements WriteQueue {
  readonly #options: GroupCommitOptions;
  #queue: Waiting[] = [];
  #isScheduled = false;
  #poison: LedgerError | undefined;
  #drained: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  write<T>(work: () => T, { isOneStatement = false } = {}): Promise<T> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        run: work,
        isAtomic: !isOneStatement,
        since: this.#options.machine.monotonicMs(),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#schedule();
    });
  }

  /** Nothing is written any more: what became of a commit is not known. */
  get isOver(): boolean {
    return this.#poison !== undefined;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    if (this.#queue.length === 0 && !this.#isScheduled) return;
    await new Promise<void>((resolve) => {
      this.#drained.push(resolve);
    });
  }

  #refusal(): LedgerError | undefined {
    const { path, isReadOnly } = this.#options;
    if (!isReadOnly) return this.#poison;
    return new LedgerError('ledger_unwritable', `The ledger ${path} was opened for reading only.`);
  }

  #schedule(delayMs?: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.machine.later(() => this.#flush(), delayMs);
  }

  #flush(): void {
    this.#isScheduled = false;
    const { db, chain, committed, machine, requireFormat } = this.#options;
    if (!this.#options.isInPlace()) {
      this.#poison = replacedWhileOpen(this.#options.path);
      this.#fail(this.#poison, this.#queue.length);
      this.#goOn();
      return;
    }
    if (!this.#begin()) return;
    const done: { waiting: Waiting; answer: () => void }[] = [];
    try {
      requireFormat?.();
      chain.begin();
      const started = machine.monotonicMs();
      while (
        done.length < this.#queue.length &&
        (done.length === 0 || machine.monotonicMs() - started < WORK_MS)
      ) {
        const waiting = this.#queue[done.length];
        if (waiting === undefined) break;
        done.push({ waiting, answer: () => waiting.reject(new Error('not reached')) });
        done[done.length - 1] = { waiting, answer: this.#answerOf(waiting) };
      }
      const head = chain.write();
      db.exec('COMMIT');
      this.#queue = this.#queue.slice(done.length);
      if (head !== undefined) committed(head);
      for (const { answer } of done) answer();
    } catch (error) {
      this.#fail(error, done.length);
    }
    this.#goOn();
  }

  /** One caller's part: its result, or what it threw; a failure of the storage ends the whole commit. */
  #answerOf(waiting: Waiting): () => void {
    const { db, chain } = this.#options;
    if (waiting.isAtomic) db.exec('SAVEPOINT part');
    chain.mark();
    try {
      const value = waiting.run();
      if (waiting.isAtomic) db.exec('RELEASE part');
      return () => waiting.resolve(value);
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      if (waiting.isAtomic) db.exec('ROLLBACK TO part; RELEASE part');
      chain.takeBack();
      return () => waiting.reject(error);
    }
  }

  #begin(): boolean {
    try {
      this.#options.db.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      const first = this.#queue[0];
      const waitedMs =
        first === undefined ? BUSY_TOTAL_MS : this.#options.machine.monotonicMs() - first.since;
      if (isBusy(error) && waitedMs < BUSY_TOTAL_MS) {
        this.#schedule(BUSY_PAUSE_MS);
        return false;
      }
      this.#fail(error, isBusy(error) ? 1 : this.#queue.length);
      this.#goOn();
      return false;
    }
  }

  #fail(error: unknown, count: number): void {
    const { db, path, holders, rolledBack } = this.#options;
    try {
      if (db.isTransaction) db.exec('ROLLBACK');
    } catch {
      // The transaction is gone with the connection; the error that matters is the first one.
    }
    rolledBack();
    let reason = ledgerErrorOf(error, path);
    if (reason instanceof LedgerError && reason.code === 'ledger_busy') {
      reason = new LedgerError('ledger_busy', `${reason.message}${holders()}`, { cause: error });
    }
    if (isDiskError(error) && reason instanceof LedgerError) this.#poison = reason;
    const failed = this.#queue.slice(0, Math.max(1, count));
    this.#queue = this.#queue.slice(failed.length);
    for (const waiting of failed) waiting.reject(reason);
    if (this.#poison === undefined) return;
    for (const waiting of this.#queue) waiting.reject(this.#poison);
    this.#queue = [];
  }

  #goOn(): void {
    if (this.#queue.length > 0) {
      this.#schedule();
      return;
    }
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }
}
