/**
 * The one writer of a process: whatever waits at one moment shares one commit, and each caller is answered after it is
 * durable. Parts run one after another to their end, so nothing of another caller comes between two statements of one.
 *
 * A part asks its own `sql` and nothing else: no reader (it may wait for this very commit), and never the service.
 * Why:     a commit waits for the disk, however much is in it.
 * Units:   a commit takes in parts for 35 ms at most; a busy ledger is asked again in short slices for 5 s.
 * Errors:  what a part throws is its caller's alone. A failure of the storage fails the whole commit; after one that leaves
 *          it unknown what was kept nothing is written any more, and the ledger has to be opened anew.
 */
import { LedgerError } from '../ports/ledger/errors.ts';
import { Chain, type Commit, type Head } from './chain.ts';
import type { Machine } from './machine.ts';
import { type Due, moveTogether, type Plain, scheduleTogether } from './moves.ts';
import { type Begun, Busy, type Database, type How, type Sql, StorageError } from './sql.ts';

const WORK_MS = 35;
const BUSY_PAUSE_MS = 20;
const BUSY_TOTAL_MS = 5_000;
const TOGETHER_MAX = 500;

interface Waiting {
  readonly since: number;
  fail(error: unknown): void;
}
interface Part extends Waiting {
  readonly how: How;
  run(commit: Commit): Promise<unknown>;
  done(value: unknown): void;
}
interface Move extends Waiting {
  readonly plain: Plain;
  done(isMoved: boolean): void;
}
interface Scheduled extends Waiting {
  readonly due: Due;
  done(): void;
}
type Answer = () => void;

export interface WriterParts {
  readonly db: Database;
  readonly path: string;
  readonly machine: Machine;
  readonly isReadOnly: boolean;
  /** Names who holds the ledger, where a lease tells: the end of a message. */
  readonly holders: () => Promise<string>;
  /** After each commit that has an entry. */
  readonly committed: (head: Head) => void;
  /** What was read inside a commit that came to nothing, or a part of it, is not there. */
  readonly undone: () => void;
}

export class Writer {
  readonly #parts: WriterParts;
  #waiting: Part[] = [];
  #moves: Move[] = [];
  #schedules: Scheduled[] = [];
  #working: Promise<void> | undefined;
  #poison: LedgerError | undefined;
  #last: How = 'alone';

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** `beside`: what it reads may change at the same moment by other processes; only what its own statements compare counts. */
  write<T>(run: (commit: Commit) => Promise<T>, how: How = 'alone'): Promise<T> {
    return this.#wait<T>((waiting) =>
      this.#waiting.push({ ...waiting, how, run, done: waiting.done as Part['done'] }),
    );
  }

  /** The hot way: all that wait are one statement. False: not moved by it, and nothing was written. */
  move(plain: Plain): Promise<boolean> {
    return this.#wait<boolean>((waiting) => this.#moves.push({ ...waiting, plain }));
  }

  /** When a payout is looked at next: no part of its state, so there is no entry. */
  schedule(due: Due): Promise<void> {
    return this.#wait<void>((waiting) => this.#schedules.push({ ...waiting, due }));
  }

  /** Nothing is written any more: what became of a commit is not known, or the connection is gone. */
  get isOver(): boolean {
    return this.#poison !== undefined;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  #wait<T>(add: (waiting: Waiting & { done(value: T): void }) => void): Promise<T> {
    const { path, isReadOnly, machine } = this.#parts;
    if (isReadOnly)
      return Promise.reject(
        new LedgerError('ledger_unwritable', `The ledger ${path} was opened for reading only.`),
      );
    if (this.#poison !== undefined) return Promise.reject(this.#poison);
    return new Promise<T>((done, fail) => {
      add({ since: machine.monotonicMs(), done, fail });
      this.#working ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    // What others hand over in the same moment goes along.
    await this.#later();
    while (this.#hasWork()) {
      const isBusy = await this.#group();
      if (isBusy || this.#hasWork()) await this.#later(isBusy ? BUSY_PAUSE_MS : undefined);
    }
    // In the same step as the look at the queues, so that nothing is left in them.
    this.#working = undefined;
  }

  #later(delayMs?: number): Promise<void> {
    return new Promise((resolve) => this.#parts.machine.later(resolve, delayMs));
  }

  #hasWork(): boolean {
    return this.#waiting.length + this.#moves.length + this.#schedules.length > 0;
  }

  /** True when the turn was not to be had, and is to be asked for again soon. */
  async #group(): Promise<boolean> {
    const { db, undone } = this.#parts;
    const how = this.#nextHow();
    const taken: Waiting[] = [];
    try {
      db.requireInPlace();
      const answers = await this.#inCommit(await db.begin(how), how, taken);
      for (const answer of answers) answer();
      return false;
    } catch (error) {
      await db.rollback().catch(() => undefined);
      undone();
      return this.#fail(error, how, taken);
    }
  }

  async #inCommit({ sql, number }: Begun, how: How, taken: Waiting[]): Promise<readonly Answer[]> {
    const { db, committed } = this.#parts;
    const chain = new Chain(number);
    const answers: Answer[] = [];
    const moves = this.#takeMoves(how, taken);
    if (moves.length > 0) answers.push(...(await this.#moveAll(sql, chain, moves)));
    if (how === 'beside' || db.read.dialect === 'sqlite')
      answers.push(...(await this.#scheduleAll(sql, taken)));
    answers.push(...(await this.#runParts(sql, chain, how, taken)));
    const head = await chain.write(sql, db.shard);
    await db.commit();
    this.#last = how;
    if (head !== undefined) committed(head);
    return answers;
  }

  /** In a file every commit is alone, and takes what there is. On a server both kinds have their turns. */
  #nextHow(): How {
    if (this.#parts.db.read.dialect === 'sqlite') return 'alone';
    const isBeside =
      this.#schedules.length > 0 ||
      this.#moves.some(({ plain }) => !plain.isAlone) ||
      this.#waiting.some(({ how }) => how === 'beside');
    const isAlone =
      this.#moves.some(({ plain }) => plain.isAlone) || this.#waiting.some(({ how }) => how === 'alone');
    if (isBeside && isAlone) return this.#last === 'alone' ? 'beside' : 'alone';
    return isBeside ? 'beside' : 'alone';
  }

  #isOf(how: How, needsAlone: boolean): boolean {
    return this.#parts.db.read.dialect === 'sqlite' || (how === 'alone') === needsAlone;
  }

  #takeMoves(how: How, taken: Waiting[]): readonly Move[] {
    const moves: Move[] = [];
    const left: Move[] = [];
    for (const move of this.#moves)
      (moves.length < TOGETHER_MAX && this.#isOf(how, move.plain.isAlone) ? moves : left).push(move);
    this.#moves = left;
    taken.push(...moves);
    return moves;
  }

  async #moveAll(sql: Sql, chain: Chain, moves: readonly Move[]): Promise<readonly Answer[]> {
    const moved = await moveTogether(
      this.#parts.db,
      sql,
      moves.map(({ plain }) => plain),
    );
    return moves.map(({ plain, done }) => {
      const isMoved = moved.has(plain);
      if (isMoved) chain.add(plain.entry);
      return () => done(isMoved);
    });
  }

  async #scheduleAll(sql: Sql, taken: Waiting[]): Promise<readonly Answer[]> {
    const schedules = this.#schedules.splice(0, TOGETHER_MAX);
    taken.push(...schedules);
    await scheduleTogether(
      sql,
      schedules.map(({ due }) => due),
    );
    return schedules.map(({ done }) => done);
  }

  async #runParts(sql: Sql, chain: Chain, how: How, taken: Waiting[]): Promise<readonly Answer[]> {
    const { machine } = this.#parts;
    const answers: Answer[] = [];
    const started = machine.monotonicMs();
    do {
      const at = this.#waiting.findIndex((part) => this.#isOf(how, part.how === 'alone'));
      const [part] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (part === undefined) break;
      // Alone in its commit it needs no savepoint, for which SQLite would copy every page that it touches.
      const isOnly = taken.length === 0 && this.#waiting.length === 0;
      taken.push(part);
      answers.push(await this.#run(part, { sql, chain, isOnly }));
      if (isOnly) break;
    } while (machine.monotonicMs() - started < WORK_MS);
    return answers;
  }

  async #run(
    { run, done, fail }: Part,
    { sql, chain, isOnly }: { sql: Sql; chain: Chain; isOnly: boolean },
  ): Promise<Answer> {
    const { db, undone } = this.#parts;
    const before = chain.length;
    if (!isOnly) await db.savepoint('set');
    try {
      const value = await run({
        sql,
        add: (entry) => chain.add(entry),
        has: (batch, kinds) => chain.has(batch, kinds),
        guarded: (statement) => db.guarded(statement),
      });
      if (!isOnly) await db.savepoint('keep');
      return () => done(value);
    } catch (error) {
      if (isOnly || error instanceof StorageError || error instanceof Busy) throw error;
      chain.cut(before);
      await db.savepoint('undo');
      undone();
      return () => fail(error);
    }
  }

  async #fail(error: unknown, how: How, taken: readonly Waiting[]): Promise<boolean> {
    const { machine, holders } = this.#parts;
    const all = [...this.#waiting, ...this.#moves, ...this.#schedules];
    let reason = error;
    let failed = taken;
    if (error instanceof Busy) {
      // Whoever was taken in waits no longer; the others are asked for again.
      const isOver = ({ since }: Waiting) => machine.monotonicMs() - since >= BUSY_TOTAL_MS;
      failed = [...taken, ...all.filter(isOver)];
      if (failed.length === 0) return true;
      const text = `${error.message}${await holders().catch(() => '')}`;
      reason = new LedgerError('ledger_busy', text, { cause: error });
    } else if (error instanceof StorageError && error.isFinal) {
      this.#poison = error;
      failed = [...taken, ...all];
    } else if (taken.length === 0) failed = all.filter((each) => this.#wants(each, how));
    this.#drop(new Set(failed));
    for (const { fail } of failed) fail(reason);
    return false;
  }

  /** What would have been taken into a commit that could not even begin. */
  #wants(each: Waiting, how: How): boolean {
    if ('plain' in each) return this.#isOf(how, (each as Move).plain.isAlone);
    return 'how' in each ? this.#isOf(how, (each as Part).how === 'alone') : true;
  }

  #drop(failed: ReadonlySet<Waiting>): void {
    const stays = (each: Waiting) => !failed.has(each);
    this.#waiting = this.#waiting.filter(stays);
    this.#moves = this.#moves.filter(stays);
    this.#schedules = this.#schedules.filter(stays);
  }
}
