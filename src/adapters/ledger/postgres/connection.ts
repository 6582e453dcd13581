/**
 * A connection that answers at once, as node:sqlite does: the thread behind it speaks with the server while this one
 * stands still. So every rule of the ledger is written once, and a commit is as indivisible here as in a file.
 * Many rows go there by COPY, and a large answer comes a block at a time.
 *
 * Why:     behind a promise or a generator each of some 250 statements, and all that calls them, would be written anew;
 *          a statement takes about half as long again as an asynchronous one (0.21–0.24 ms against 0.14–0.17).
 */
import { extname } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Database, SqlValue, Statement, StoredRow } from '../storage/database.ts';
import { isBusy } from '../storage/sql-statements.ts';
import type { Question, ServerError, ThreadAnswer, ThreadData } from './connection-thread.ts';
import { copyLine, refuseNul } from './copy-text.ts';
import { postgresSql } from './dialect.ts';
import { ANSWER_MS, LOCK_MS, type ServerPlace } from './pg-client.ts';

/** This process stands still while it waits. */
const LOCK_MS_MAX = 400;
/** About five seconds. */
const LOCK_TRIES = 14;
/** Rows that a cursor fetches at once. */
const BLOCK = 5_000;
/** The move of a payout, whose unique indexes may refuse it. */
const MAY_BE_REFUSED = /^UPDATE payouts SET status = \?, version/;

/** Its `errcode` is SQLite's for the same thing, so that one place judges errors of both. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly errcode: number;
  readonly sqlState: string | undefined;
  constructor({ message, code, constraint }: ServerError) {
    super(constraint === undefined ? message : `${message} (${UNIQUE.get(constraint) ?? constraint})`);
    this.sqlState = code;
    this.errcode = errcodeOf(code);
  }
}

const UNIQUE = new Map([
  ['payouts_root', 'payouts.living_root'],
  ['payouts_transfer', 'payouts.transfer_id'],
  ['payouts_other', 'payouts.other_id'],
  ['payouts_tag', 'payouts.tag'],
]);

function errcodeOf(code: string | undefined): number {
  if (code === undefined) return 10;
  if (code.startsWith('23')) return 19;
  if (['55P03', '40001', '40P01', '57014'].includes(code)) return 5;
  if (['42501', '25006'].includes(code)) return 8;
  if (code === '53100') return 13;
  // The connection, the server or its disk: nothing is known about what it kept.
  return /^(08|57P|58|XX|53)/.test(code) ? 10 : 1;
}

export class PostgresDatabase implements Database {
  readonly isServer = true;
  readonly #worker: Worker;
  readonly #port;
  readonly #count: Int32Array;
  readonly #answerMs: number;
  #isGivenUp = false;
  #isTransaction = false;
  #statements = 0;
  #cursors = 0;
  /** How often a lock was not to be had, one after another. */
  #refusals = 0;

  constructor(place: ServerPlace, answerMs = ANSWER_MS) {
    this.#answerMs = answerMs;
    const { port1, port2 } = new MessageChannel();
    const answered = new SharedArrayBuffer(8);
    this.#count = new Int32Array(answered);
    this.#port = port1;
    const workerData: ThreadData = { port: port2, answered, place };
    const file = new URL(`./connection-thread${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(file, { workerData, transferList: [port2], execArgv: [] });
    this.#worker.unref();
  }

  get isTransaction(): boolean {
    return this.#isTransaction;
  }

  /** Also when an answer did not come in time: when it comes later, it would be taken for the next question's. */
  get isLost(): boolean {
    return Atomics.load(this.#count, 1) === 1;
  }

  prepare(text: string): Statement {
    const turned = postgresSql(text);
    const isGuarded = MAY_BE_REFUSED.test(text);
    let name: string | undefined;
    let runs = 0;
    let isArrays = false;
    const ask = (values: readonly SqlValue[]) => {
      runs += 1;
      // Not worth it for a statement that is used once, such as one about a temporary table.
      if (runs === 2) {
        this.#statements += 1;
        name = `payfile_${this.#statements}`;
      }
      return this.#ask({ text: turned, values, name, isGuarded: isGuarded && this.#isTransaction });
    };
    const all = (...values: SqlValue[]) => rowsOf(ask(values), isArrays);
    return {
      get: (...values) => all(...values)[0],
      all,
      iterate: (...values) => this.#blocks(turned, values, () => isArrays),
      setReturnArrays: (isOn) => {
        isArrays = isOn;
      },
      run: (...values) => ({ changes: ask(values).changes }),
    };
  }

  /** A block at a time. Outside a transaction the server keeps the whole answer, so that it stays of one moment. */
  *#blocks(text: string, values: readonly SqlValue[], isArrays: () => boolean): Generator<StoredRow> {
    this.#cursors += 1;
    const cursor = `rows_${this.#cursors}`;
    const plain = { name: undefined, isGuarded: false };
    const hold = this.#isTransaction ? '' : 'WITH HOLD';
    this.#ask({ ...plain, text: `DECLARE ${cursor} NO SCROLL CURSOR ${hold} FOR ${text}`, values });
    let isThere = true;
    const fetched = () => {
      isThere = false;
      const answer = this.#ask({ ...plain, text: `FETCH ${BLOCK} FROM ${cursor}`, values: [] });
      isThere = true;
      return answer;
    };
    try {
      for (let count = BLOCK; count === BLOCK; ) {
        const answer = fetched();
        count = answer.rows.length;
        yield* rowsOf(answer, isArrays());
      }
    } finally {
      if (isThere) this.exec(`CLOSE ${cursor}`);
    }
  }

  addRows(table: string, columns: readonly string[], rows: Iterable<readonly SqlValue[]>): void {
    let lines = '';
    for (const row of rows) lines += copyLine(row);
    const text = `COPY ${table} (${columns.join(', ')}) FROM STDIN`;
    this.#ask({ text, values: undefined, name: undefined, isGuarded: false, lines });
  }

  exec(text: string): void {
    const question = { text: postgresSql(text), values: undefined, name: undefined, isGuarded: false };
    if (!text.startsWith('BEGIN')) this.#ask(question);
    else this.#begin(question);
    if (text === 'COMMIT' || text === 'ROLLBACK') this.#isTransaction = false;
  }

  /**
   * A lock that was not to be had leaves a transaction behind. The next time it is waited for longer: where others write
   * all the time, only a place in the queue gets it.
   */
  #begin(question: Question): void {
    const waitMs = Math.min(LOCK_MS * 2 ** this.#refusals, LOCK_MS_MAX);
    const longer = `BEGIN; SET LOCAL lock_timeout = ${waitMs}; LOCK`;
    const text = waitMs > LOCK_MS ? question.text.replace('BEGIN; LOCK', longer) : question.text;
    try {
      this.#ask({ ...question, text });
      this.#isTransaction = true;
      this.#refusals = 0;
    } catch (error) {
      this.#refusals += 1;
      this.#ask({ ...question, text: 'ROLLBACK' });
      throw error;
    }
  }

  settled<T>(read: () => T): T {
    if (this.#isTransaction) return read();
    this.#lockWhileOthersWrite();
    try {
      return read();
    } finally {
      this.exec('ROLLBACK');
    }
  }

  /** A read has nobody who asks again for it, as the writer of a group does. */
  #lockWhileOthersWrite(): void {
    for (let tries = 1; ; tries += 1) {
      try {
        this.exec('BEGIN; LOCK TABLE ledger IN SHARE MODE');
        return;
      } catch (error) {
        if (!isBusy(error) || tries >= LOCK_TRIES) throw error;
      }
    }
  }

  close(): void {
    this.#isGivenUp = true;
    this.#port.close();
    void this.#worker.terminate();
  }

  #ask(question: Question) {
    for (const value of question.values ?? []) refuseNul(value);
    if (this.#isGivenUp) throw unanswered();
    const before = Atomics.load(this.#count, 0);
    this.#port.postMessage(question);
    const answer = hasChanged(this.#count, before, this.#answerMs)
      ? (receiveMessageOnPort(this.#port)?.message as ThreadAnswer | undefined)
      : undefined;
    if (answer === undefined) {
      Atomics.store(this.#count, 1, 1);
      this.close();
      throw unanswered();
    }
    if ('error' in answer) throw new PostgresError(answer.error);
    return answer;
  }
}

/**
 * Waits until the first number is another one than before. Whoever was quick enough to see the last answer before its call
 * came is woken by that call while it waits for the next one: to be woken says nothing.
 */
export function hasChanged(count: Int32Array, before: number, mostMs: number): boolean {
  const endMs = performance.now() + mostMs;
  while (Atomics.load(count, 0) === before) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) return false;
    Atomics.wait(count, 0, before, leftMs);
  }
  return true;
}

const unanswered = () =>
  new PostgresError({ message: 'no answer in time', code: undefined, constraint: undefined });

type Answer = Extract<ThreadAnswer, { readonly rows: unknown[][] }>;

function rowsOf({ names, rows }: Answer, isArrays: boolean): StoredRow[] {
  if (isArrays) return rows as unknown as StoredRow[];
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) row[name] = values[at];
    return row as StoredRow;
  });
}
