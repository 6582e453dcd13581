/**
 * The disk of a simulated machine: one ledger file that every process opens for itself, as real ones do. It is
 * copied from a template for each history, and a connection of the checkers' own sees only what was committed.
 * On a process's own connection commits fail, lie, or end the process; everything else is the real node:sqlite.
 *
 * Power loss is not simulated here, so nothing is synced: that keeps a history short.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { ownEntry } from '../../src/ledger/identity.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { partsOf } from '../../src/ledger/open.ts';
import { schemaText } from '../../src/ledger/schema.ts';
import { type Database, q, type Sql } from '../../src/ledger/sql.ts';
import { connectSqlite, sqliteDatabase } from '../../src/ledger/sqlite.ts';
import type { LedgerIdentity } from '../../src/ports/ledger/ledger.ts';
import type { Faults } from './faults.ts';

export const START_MS = Date.UTC(2026, 4, 25, 6, 0);
const QUICK =
  'PRAGMA synchronous = OFF; PRAGMA fullfsync = OFF; PRAGMA checkpoint_fullfsync = OFF; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0';

const SERVICE = { baseUrl: 'https://pay.example', loginId: 'shop' } as const;

export type Environment = 'live' | 'sandbox';

export interface Connection {
  readonly db: DatabaseSync;
  /** One of each text, for one process at a time. */
  readonly statements: Map<string, StatementSync>;
}

export class Store {
  readonly #folder = mkdtempSync(join(tmpdir(), 'payfile-simulation-'));
  readonly #identities: Readonly<Record<Environment, LedgerIdentity>>;
  readonly path = join(this.#folder, 'ledger.db');
  readonly emergencyPath = join(this.#folder, 'emergency');

  private constructor() {
    this.#identities = { live: this.#identityOf('live'), sandbox: this.#identityOf('sandbox') };
  }

  static async make(): Promise<Store> {
    const store = new Store();
    for (const environment of ['live', 'sandbox'] as const) await store.#makeTemplate(environment);
    return store;
  }

  /** Connections that a process has closed in good order, for the next one. */
  readonly #idle: Connection[] = [];

  /** A new, empty ledger in the place of the last one. */
  reset(environment: Environment): LedgerIdentity {
    for (const { db } of this.#idle.splice(0)) db.close();
    for (const end of ['-wal', '-shm']) rmSync(`${this.path}${end}`, { force: true });
    copyFileSync(this.#templatePath(environment), this.path);
    return { ...this.#identities[environment], path: this.path };
  }

  open(): DatabaseSync {
    const db = connectSqlite(this.path);
    db.exec(QUICK);
    return db;
  }

  /** A connection for one process; preparing statements anew for each would take most of a history's time. */
  connect(): Connection {
    return this.#idle.pop() ?? { db: this.open(), statements: new Map() };
  }

  giveBack(connection: Connection): void {
    this.#idle.push(connection);
  }

  remove(): void {
    for (const { db } of this.#idle.splice(0)) db.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #templatePath(environment: Environment): string {
    return join(this.#folder, `${environment}.db`);
  }

  /** The salt is always the same, and so is the order of whatever lies by its key. */
  #identityOf(environment: Environment): LedgerIdentity {
    const id = `simulated-${environment}`;
    return { ...{ id, path: this.path, environment, salt: 'salt' }, ...SERVICE };
  }

  async #makeTemplate(environment: Environment): Promise<void> {
    const path = this.#templatePath(environment);
    const writer = connectSqlite(path);
    writer.exec(`BEGIN; ${schemaText('sqlite')} COMMIT`);
    const db = sqliteDatabase({ path, writer, open: undefined });
    const at = timestampOf(START_MS);
    const { path: _, ...identity } = this.#identities[environment];
    const parts = partsOf({
      ...{ db, identity: { ...identity, path }, clock: { now: () => at }, machine: THIS_MACHINE },
    });
    await parts.writer.write(async ({ sql, add }) => {
      const { id, baseUrl, loginId, salt } = identity;
      await sql.run(q`INSERT INTO ledger(one, id, environment, base_url, login_id, salt, created_at)
        VALUES (1, ${id}, ${environment}, ${baseUrl}, ${loginId}, ${salt}, ${at})`);
      add(ownEntry('created', identity, at));
    });
    await db.close();
  }
}

/** One that a process reads by, of what was committed. It goes back to the store when it is closed. */
export function readingDatabase(connection: Connection, store: Store, closed: () => void): DatabaseSync {
  const { db: real } = connection;
  const inUse = new Set<string>();
  return {
    exec: (text: string) => real.exec(text),
    prepare: (text: string) => statementOf(text, connection, inUse),
    close() {
      closed();
      if (real.isTransaction) real.exec('ROLLBACK');
      store.giveBack(connection);
    },
  } as unknown as DatabaseSync;
}

type Between = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * As on a server, where each statement is a way there and back: others have their turns between two of them, of this process
 * too. `turn` gives them one where it wants.
 */
export function withTurns(
  database: Database,
  turn: (isInCommit: boolean) => Promise<void> | undefined,
): Database {
  const turning =
    (isInCommit: boolean): Between =>
    async (ask) => {
      await turn(isInCommit);
      return ask();
    };
  const inTurns = (sql: Sql, between: Between): Sql => ({
    dialect: sql.dialect,
    get: (query) => between(() => sql.get(query)),
    all: (query) => between(() => sql.all(query)),
    run: (query) => between(() => sql.run(query)),
    add: (table, rows) => between(() => sql.add(table, rows)),
    each: sql.each,
  });
  // A connection answers in the order in which it was asked, also whoever no longer waits for it.
  let last: Promise<unknown> = Promise.resolve();
  const inCommit: Between = (ask) => {
    const next = last.then(() => turning(true)(ask));
    last = next.catch(() => undefined);
    return next;
  };
  return {
    ...database,
    read: inTurns(database.read, turning(false)),
    async begin(how) {
      const { sql, number } = await database.begin(how);
      return { sql: inTurns(sql, inCommit), number };
    },
    commit: () => inCommit(database.commit),
    async rollback() {
      await last;
      await database.rollback();
    },
  };
}

export interface CommitWatch {
  readonly faults: Faults;
  /** After a commit that took place, whether or not its caller learns of it. */
  readonly committed: () => void;
  /** The process that owns the connection dies at this very instruction. */
  readonly die: () => void;
  /** The process closes it. */
  readonly closed: () => void;
  /** What waits for this commit is the outcome of a transfer: the worst moment. */
  readonly holdsOutcome: () => boolean;
  /** Rows that are on the wire now: what a fault of the ledger may leave in doubt. */
  readonly struck: () => void;
}

export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

const READS = /^\s*SELECT/;
const OUTCOME_TIMES = 5;
const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;

export function faultyDatabase(from: Connection, watch: CommitWatch): DatabaseSync {
  const { db: real } = from;
  const inUse = new Set<string>();
  let failingRun: Error | undefined;
  const times = () => (watch.holdsOutcome() ? OUTCOME_TIMES : 1);
  const begin = () => {
    const { faults } = watch;
    if (faults.strikes('ledger_busy')) throw sqliteError(BUSY, 'database is locked');
    failingRun = faults.strikes('ledger_full', undefined, times())
      ? sqliteError(FULL, 'database or disk is full')
      : undefined;
    if (failingRun !== undefined) watch.struck();
    real.exec('BEGIN IMMEDIATE');
  };
  const commit = () => {
    const { faults } = watch;
    if (failingRun !== undefined) throw failingRun;
    if (faults.strikes('crash_before_commit', undefined, times())) return died(watch);
    if (faults.strikes('ledger_io_error', undefined, times())) return fail(IO_ERROR, watch);
    real.exec('COMMIT');
    watch.committed();
    if (faults.strikes('crash_after_commit')) return died(watch);
    if (faults.strikes('ambiguous_commit')) return fail(IO_ERROR, watch);
  };
  const connection = {
    get isTransaction() {
      return real.isTransaction;
    },
    exec(text: string) {
      if (text === 'BEGIN IMMEDIATE') return begin();
      if (text === 'COMMIT') return commit();
      return real.exec(text);
    },
    prepare(text: string): StatementSync {
      const statement = statementOf(text, from, inUse);
      return READS.test(text)
        ? statement
        : Object.assign(
            statement,
            failing(statement, () => failingRun),
          );
    },
    close: watch.closed,
  };
  return connection as unknown as DatabaseSync;
}

/** A text that is prepared twice gets a statement of its own the second time. */
function statementOf(text: string, { db, statements }: Connection, inUse: Set<string>): StatementSync {
  const known = inUse.has(text) ? undefined : statements.get(text);
  inUse.add(text);
  if (known !== undefined) return known;
  const statement = db.prepare(text);
  if (!statements.has(text)) statements.set(text, statement);
  return statement;
}

/** Whatever may change a row finds the disk full, also where it gives rows back. */
function failing(statement: StatementSync, failure: () => Error | undefined): Partial<StatementSync> {
  const proper = Object.getPrototypeOf(statement) as StatementSync;
  const unless = (ask: 'run' | 'all' | 'get') =>
    function asked(this: StatementSync, ...values: SQLInputValue[]) {
      const failed = failure();
      if (failed !== undefined) throw failed;
      return (proper[ask] as (...given: SQLInputValue[]) => unknown).apply(this, values);
    };
  return { run: unless('run'), all: unless('all'), get: unless('get') } as unknown as Partial<StatementSync>;
}

function died(watch: CommitWatch): never {
  watch.die();
  throw new ProcessDied('The process died in its commit');
}

function fail(code: number, watch: CommitWatch): never {
  watch.struck();
  throw sqliteError(code, 'disk I/O error');
}

function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode, errstr: message });
}
