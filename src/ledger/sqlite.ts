/**
 * node:sqlite behind the port, and its only door: one connection that writes, another that reads, and one more for whatever
 * has to be of one moment. Each question is answered at once, by a promise that is already kept.
 *
 * In memory there is one connection alone: a question of a reader waits until no commit is open on it, and a commit until
 * nobody reads as of one moment.
 * Errors:  as sql.ts says.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ports/ledger/errors.ts';
import {
  Busy,
  type Database,
  nextCommit,
  numberOf,
  type Query,
  q,
  Refused,
  type Row,
  refusedOnly,
  SAVEPOINT,
  type Sql,
  StorageError,
  type Value,
} from './sql.ts';
import { addRows, rowsOf } from './sqlite-rows.ts';

/** A ledger in memory, lost when it is closed. */
export const MEMORY = ':memory:';
const BLOCK = 500;
/** More than a database can have. */
const PAGES_MAX = 2 ** 31 - 1;
const BUSY_SLICE_MS = 25;
/** WAL-mode databases could be damaged by several connections before this release. */
const SQLITE_MIN = [3, 51, 3] as const;
const CONNECTION = { timeout: BUSY_SLICE_MS, readBigInts: true, enableForeignKeyConstraints: true } as const;
const NEXT_COMMIT = q`SELECT ${nextCommit} AS number`;
const PRAGMAS = `
PRAGMA busy_timeout = ${BUSY_SLICE_MS};
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA cache_size = -16000;
PRAGMA wal_autocheckpoint = 4000;
`;

export interface ConnectOptions {
  readonly readOnly?: boolean;
  /** Nobody else may have the file open, and nobody can open it until this one is closed. */
  readonly alone?: boolean;
  /** Refuses to grow beyond this many pages, as a full disk would. */
  readonly maxPages?: number | undefined;
}

/** An open file that is safe to work with. Errors: LedgerError for a SQLite that is too old; SQLite's own. */
export function connectSqlite(
  path: string,
  { readOnly = false, alone = false, maxPages }: ConnectOptions = {},
): DatabaseSync {
  const db = new (sqlite().DatabaseSync)(path, { ...CONNECTION, readOnly });
  try {
    // Before the first page is read: then that is refused while another connection is open, even one that only reads.
    if (alone) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    checkSqlite(String(db.prepare('SELECT sqlite_version() AS v').get()?.['v']));
    db.exec(PRAGMAS);
    if (!readOnly) db.exec('PRAGMA journal_mode = WAL');
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export type SqliteConnection = DatabaseSync;

/** All pages in one step, so that a run beside it cannot make the copying begin again and again. */
export async function copySqlite(from: SqliteConnection, to: string): Promise<void> {
  await sqlite().backup(from, to, { rate: PAGES_MAX });
}

export function checkSqlite(version: string): void {
  const inOne = (parts: readonly number[]) => parts.reduce((sum, part) => sum * 1_000 + part, 0);
  if (inOne(version.split('.').map(Number)) >= inOne(SQLITE_MIN)) return;
  const text = `SQLite ${version} is too old (needed: ${SQLITE_MIN.join('.')}); run payfile with Node 24.15 or newer.`;
  throw new LedgerError('ledger_unsupported', text);
}

/** Loads node:sqlite without the notice that it is experimental, which cron would mail to somebody each night. */
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = (() => undefined) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

export interface SqliteParts {
  readonly path: string;
  readonly writer: DatabaseSync;
  /** Opens one more connection that only reads; undefined: in memory, or where nobody else may have the file open. */
  readonly open: (() => DatabaseSync) | undefined;
}

export function sqliteDatabase({ path, writer, open }: SqliteParts): Database {
  const sql = sqliteSql(writer, path);
  const turn = new Turn();
  let reader: DatabaseSync | undefined;
  const read =
    open === undefined
      ? waiting(sql, turn)
      : readingSql(open, path, () => {
          reader ??= open();
          return reader;
        });
  const inode = inodeAt(path);
  const exec = async (words: string) => told(path, () => writer.exec(words));
  return {
    read,
    shard: 0,
    isLost: false,
    async begin() {
      if (open === undefined) await turn.take();
      await exec('BEGIN IMMEDIATE');
      return { sql, number: numberOf((await sql.get(NEXT_COMMIT))?.['number']) };
    },
    savepoint: (word) => exec(SAVEPOINT[word]),
    // A statement that is refused leaves nothing of itself, and the commit as it was.
    guarded: (statement) => statement().catch(refusedOnly),
    async commit() {
      await exec('COMMIT');
      turn.giveBack();
    },
    async rollback() {
      try {
        if (writer.isTransaction) writer.exec('ROLLBACK');
      } finally {
        turn.giveBack();
      }
    },
    still: (work) => (open === undefined ? turn.still(() => work(sql)) : stillOf(path, open, work)),
    settled: (work) => work(read),
    async scrub() {
      await exec('VACUUM');
      const { busy } = (await sql.get(q`PRAGMA wal_checkpoint(TRUNCATE)`)) ?? {};
      return Number(busy ?? 0) === 0;
    },
    requireInPlace() {
      if (path !== MEMORY && inodeAt(path) !== inode) throw replacedWhileOpen(path);
    },
    async close() {
      reader?.close();
      writer.close();
    },
  };
}

/** Who has the only connection. */
class Turn {
  #taken: PromiseWithResolvers<void> | undefined;
  readonly #stills = new Set<Promise<unknown>>();

  /** Taken in the same step in which nobody reads as of one moment any more. */
  async take(): Promise<void> {
    while (this.#stills.size > 0) await Promise.allSettled(this.#stills);
    this.#taken = Promise.withResolvers();
  }

  giveBack(): void {
    this.#taken?.resolve();
    this.#taken = undefined;
  }

  /** Nothing is committed until it ends. */
  async still<T>(work: () => Promise<T>): Promise<T> {
    let begun: Promise<T> | undefined;
    try {
      return await this.when(() => {
        begun = work();
        this.#stills.add(begun);
        return begun;
      });
    } finally {
      if (begun !== undefined) this.#stills.delete(begun);
    }
  }

  /** Asked in the same step in which it is found free. */
  async when<T>(ask: () => T): Promise<Awaited<T>> {
    while (this.#taken !== undefined) await this.#taken.promise;
    return await ask();
  }
}

function waiting(sql: Sql, turn: Turn): Sql {
  return {
    dialect: 'sqlite',
    get: (query) => turn.when(() => sql.get(query)),
    all: (query) => turn.when(() => sql.all(query)),
    run: (query) => turn.when(() => sql.run(query)),
    add: sql.add,
    async *each(query) {
      const rows = await turn.when(() => sql.all(query));
      for (let at = 0; at < rows.length; at += BLOCK) yield rows.slice(at, at + BLOCK);
    },
  };
}

/** Opened when it is needed first. */
function readingSql(open: () => DatabaseSync, path: string, reader: () => DatabaseSync): Sql {
  let sql: Sql | undefined;
  const own = () => {
    sql ??= sqliteSql(reader(), path);
    return sql;
  };
  return {
    dialect: 'sqlite',
    get: async (query) => own().get(query),
    all: async (query) => own().all(query),
    run: async (query) => own().run(query),
    add: async (table, rows) => own().add(table, rows),
    each: (query) => eachApart(open, path, query),
  };
}

/** On a connection of its own: one that has rows left to give sees nothing of what is committed meanwhile. */
async function* eachApart(
  open: () => DatabaseSync,
  path: string,
  query: Query,
): AsyncGenerator<readonly Row[]> {
  const db = await told(path, open);
  try {
    yield* blocksOf(db, path, query);
  } finally {
    db.close();
  }
}

async function stillOf<T>(
  path: string,
  open: () => DatabaseSync,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const db = open();
  try {
    // The first read takes the moment.
    await told(path, () => db.exec('BEGIN; SELECT count(*) FROM format'));
    return await work(sqliteSql(db, path));
  } finally {
    db.close();
  }
}

/** Questions on one connection. */
function sqliteSql(db: DatabaseSync, path: string): Sql {
  const prepared = new Map<string, Prepared>();
  const of = (text: string) => {
    const known = prepared.get(text) ?? prepare(db, text);
    prepared.set(text, known);
    return known;
  };
  const ask = <T>(query: Query, how: (prepared: Prepared, values: never[]) => T): Promise<T> =>
    told(path, () => {
      const { text, values } = query.render('sqlite');
      return how(of(text), values as never[]);
    });
  return {
    dialect: 'sqlite',
    get: (query) => ask(query, ({ statement, rowOf }, values) => rowOf(statement.get(...values))),
    all: (query) =>
      ask(query, ({ statement, rowOf }, values) => statement.all(...values).map(rowOf) as Row[]),
    run: (query) => ask(query, ({ statement }, values) => Number(statement.run(...values).changes)),
    add: (table, rows) =>
      told(path, () =>
        addRows((text, values) => void of(text).statement.run(...(values as never[])), table, rows),
      ),
    each: (query) => blocksOf(db, path, query),
  };
}

type Prepared = ReturnType<typeof prepare>;

/** The statement gives rows as arrays, which takes half the time of objects. `rowOf` makes an object of one. */
function prepare(db: DatabaseSync, text: string) {
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  let named: ReturnType<typeof rowsOf> | undefined;
  const rowOf = (values: unknown): Row | undefined => {
    if (values === undefined) return undefined;
    named ??= rowsOf(statement.columns().map(({ name }) => name));
    return named(values as readonly Value[]);
  };
  return { statement, rowOf };
}

/** Lets others have their turn between two blocks. A statement that is left before its end would keep its read open. */
async function* blocksOf(db: DatabaseSync, path: string, query: Query): AsyncGenerator<readonly Row[]> {
  const { text, values } = query.render('sqlite');
  const { statement, rowOf } = await told(path, () => prepare(db, text));
  const rows = await told(path, () => statement.iterate(...(values as never[])));
  try {
    for (let isOver = false; !isOver; ) {
      const block = await told(path, () => {
        const taken: Row[] = [];
        while (taken.length < BLOCK) {
          const { done, value } = rows.next();
          if (done === true) break;
          taken.push(rowOf(value) as Row);
        }
        return taken;
      });
      isOver = block.length < BLOCK;
      if (block.length > 0) yield block;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  } finally {
    rows.return?.();
  }
}

async function told<T>(path: string, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    throw sqliteError(error, path);
  }
}

/** undefined when there is no file, or nobody can say which it is. */
function inodeAt(path: string): string | undefined {
  try {
    return String(statSync(path, { bigint: true }).ino);
  } catch {
    return undefined;
  }
}

/**
 * What an error of SQLite means here. It may come before a batch is read or after every row was paid, so its text does not
 * mention the payments; whoever knows the batch adds what became of them.
 *
 * Source:  SQLite result codes; the low byte is the kind, the rest a detail.
 */

const [BUSY, LOCKED, READ_ONLY, IO, FULL, CONSTRAINT] = [5, 6, 8, 10, 13, 19];
const UNWRITABLE = new Map([
  [3, 'access was denied'],
  [READ_ONLY, 'it is read-only'],
  [IO, 'the disk reported an input or output error'],
  [FULL, 'the disk is full'],
  [14, 'a file of it cannot be opened'],
]);
const DAMAGED = new Set([11, 26]);

/** The error for whoever asked: the error itself where the storage is not at fault. */
export function sqliteError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const kind = error.errcode & 0xff;
  if (kind === CONSTRAINT) {
    const column = /UNIQUE constraint failed: (\w+\.\w+)/.exec(error.message)?.[1];
    return column === undefined ? error : new Refused(column, error);
  }
  if (kind === BUSY || kind === LOCKED) {
    const text = `The ledger ${path} is locked by another process. Wait until it ends, then run again.`;
    return new Busy(text, error);
  }
  const unwritable = UNWRITABLE.get(kind);
  if (unwritable !== undefined) {
    const text = `The ledger ${path} cannot be written: ${unwritable}. Make room or mend the permissions, then run the command again.`;
    // After an error of the disk nothing is known about what it kept.
    const isFinal = kind === IO;
    return new StorageError('ledger_unwritable', text, { cause: error, isFinal, isUnknown: isFinal });
  }
  return DAMAGED.has(kind) ? ledgerDamaged(path, error.message, error) : error;
}

export function ledgerDamaged(path: string, what: string, cause?: unknown): LedgerError {
  const text =
    `The ledger ${path} is damaged: ${what}. Keep it. A backup does not know what was paid after it ` +
    'was made: compare every batch since then with a statement of the service before you pay anything.';
  return new StorageError('ledger_damaged', text, { cause });
}

function replacedWhileOpen(path: string): LedgerError {
  const text =
    `The ledger ${path} was taken away, or another file was put in its place, while payfile worked with it. What is ` +
    'written now would be lost. Put the same file back, with the files that lay beside it, then run the command again. A ' +
    'copy or a backup does not know what was paid last.';
  return new StorageError('ledger_unwritable', text, { isFinal: true });
}
