/**
 * The disk of a simulated machine: one ledger file that every process opens for itself, as real ones do. It is
 * filled from a template for each history, and a connection of the checkers' own sees only what was committed.
 * On a process's own connection commits fail, lie, or end the process; everything else is the real node:sqlite.
 *
 * Power loss is not simulated here. So nothing is synced, and the file is in memory if the machine has a folder for that.
 * All processes of a history are in one real process, so SQLite keeps their locks and the index of the WAL there
 * (`unix-excl`), and not in files.
 * Connections and their prepared statements are used again by other processes and other histories. To open and to prepare
 * takes longer than the work.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementColumnMetadata, StatementSync } from 'node:sqlite';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { ownEntry } from '../../src/ledger/identity.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { partsOf } from '../../src/ledger/open.ts';
import { schemaText } from '../../src/ledger/schema.ts';
import { type Database, q, type Sql } from '../../src/ledger/sql.ts';
import { connectSqlite, sqliteDatabase } from '../../src/ledger/sqlite.ts';
import type { LedgerIdentity } from '../../src/ports/ledger/ledger.ts';
import type { Faults } from './faults.ts';
import { loadOperations } from './load-operations.ts';

export const START_MS = Date.UTC(2026, 4, 25, 6, 0);
const QUICK =
  'PRAGMA synchronous = OFF; PRAGMA fullfsync = OFF; PRAGMA checkpoint_fullfsync = OFF; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0';

const SERVICE = { baseUrl: 'https://pay.example', loginId: 'shop' } as const;

const ENVIRONMENTS = ['live', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export interface Connection {
  readonly db: DatabaseSync;
  /** One of each text, for one process at a time. */
  readonly statements: Map<string, Prepared>;
}

interface Prepared {
  readonly statement: StatementSync;
  /** Asked for once: the schema stays. */
  columns: StatementColumnMetadata[] | undefined;
}

const IN_MEMORY = '/dev/shm';

export class Store {
  readonly #folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'payfile-simulation-'));
  readonly #identities: Readonly<Record<Environment, LedgerIdentity>>;
  readonly path = join(this.#folder, 'ledger.db');
  readonly emergencyPath = join(this.#folder, 'emergency');

  private constructor() {
    this.#identities = { live: this.#identityOf('live'), sandbox: this.#identityOf('sandbox') };
  }

  static async make(): Promise<Store> {
    await loadOperations();
    const store = new Store();
    for (const environment of ENVIRONMENTS) await store.#makeTemplate(environment);
    copyFileSync(store.#templatePath('live'), store.path);
    return store;
  }

  readonly #idle: Connection[] = [];
  readonly #inUse = new Set<Connection>();
  #filler: DatabaseSync | undefined;

  /** A new, empty ledger in the place of the last one. */
  reset(environment: Environment): LedgerIdentity {
    this.#closeInUse();
    this.#filler ??= this.#openFiller();
    this.#filler.exec(`BEGIN IMMEDIATE; ${fillText(environment)}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
    return this.#identities[environment];
  }

  /** For one process at a time, which gives it back. */
  connect(): Connection {
    const connection = this.#idle.pop() ?? { db: this.#open(), statements: new Map() };
    this.#inUse.add(connection);
    return connection;
  }

  /** Undoes what is not committed. */
  giveBack(connection: Connection): void {
    if (!this.#inUse.delete(connection)) return;
    if (connection.db.isTransaction) connection.db.exec('ROLLBACK');
    this.#idle.push(connection);
  }

  remove(): void {
    this.#closeInUse();
    for (const { db } of this.#idle.splice(0)) db.close();
    this.#filler?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #closeInUse(): void {
    for (const { db } of this.#inUse) db.close();
    this.#inUse.clear();
  }

  #open(): DatabaseSync {
    const db = connectSqlite(`file:${this.path}?vfs=unix-excl`);
    db.exec(QUICK);
    return db;
  }

  #openFiller(): DatabaseSync {
    const db = this.#open();
    db.exec('PRAGMA foreign_keys = OFF');
    for (const environment of ENVIRONMENTS)
      db.prepare('ATTACH ? AS ?').run(this.#templatePath(environment), environment);
    return db;
  }

  #templatePath(environment: Environment): string {
    return join(this.#folder, `${environment}.db`);
  }

  /** The salt is always the same, and so is the order of whatever lies by its key. */
  #identityOf(environment: Environment): LedgerIdentity {
    const id = `simulated-${environment}`;
    return { ...{ id, path: this.path, environment, salt: 'salt', timeZone: 'UTC' }, ...SERVICE };
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
      const { id, baseUrl, loginId, salt, timeZone } = identity;
      await sql.run(q`INSERT INTO ledger(one, id, environment, base_url, login_id, salt, time_zone, created_at)
        VALUES (1, ${id}, ${environment}, ${baseUrl}, ${loginId}, ${salt}, ${timeZone}, ${at})`);
      add(ownEntry('created', identity, at));
    });
    await db.close();
  }
}

const TABLES = [
  ...['format', 'ledger', 'counters', 'batches', 'routes', 'payouts', 'journal', 'commits'],
  ...['name_releases', 'leases'],
];

function fillText(template: Environment): string {
  return TABLES.map(
    (table) => `DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM ${template}.${table}`,
  ).join('; ');
}

/** A connection that only reads, for one process or for a checker. It goes back to the store when it is closed. */
export function readingDatabase(store: Store, closed: () => void = () => undefined): DatabaseSync {
  const connection = store.connect();
  const handle = new Handle(connection);
  return {
    exec: (text: string) => handle.exec(text),
    prepare: (text: string) => handle.prepare(text),
    close() {
      if (!handle.close()) return;
      closed();
      store.giveBack(connection);
    },
  } as unknown as DatabaseSync;
}

/** What one process may do with its connection, until it has closed it or is dead. */
class Handle {
  readonly #connection: Connection;
  readonly #prepared = new Set<string>();
  readonly #iterating = new Set<Iterator<unknown>>();
  #isOpen = true;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get isTransaction(): boolean {
    return this.#isOpen && this.#connection.db.isTransaction;
  }

  exec(text: string): void {
    this.#requireOpen();
    this.#connection.db.exec(text);
  }

  /** A text that is prepared twice gets a statement of its own the second time. */
  prepare(text: string, check: () => void = () => undefined): StatementSync {
    this.#requireOpen();
    const { db, statements } = this.#connection;
    const known = this.#prepared.has(text) ? undefined : statements.get(text);
    this.#prepared.add(text);
    const prepared = known ?? { statement: db.prepare(text), columns: undefined };
    if (!statements.has(text)) statements.set(text, prepared);
    prepared.statement.setReturnArrays(false);
    const begin = () => {
      this.#requireOpen();
      check();
    };
    return new Asked(prepared, begin, this.#iterating) as unknown as StatementSync;
  }

  /** False: it was closed before. Statements that have rows left would keep the connection at an earlier moment. */
  close(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    for (const rows of this.#iterating) rows.return?.();
    return true;
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw new Error('database is not open');
  }
}

/** What a process asks by one statement. */
class Asked {
  readonly #prepared: Prepared;
  readonly #statement: StatementSync;
  readonly #begin: () => void;
  readonly #iterating: Set<Iterator<unknown>>;

  constructor(prepared: Prepared, begin: () => void, iterating: Set<Iterator<unknown>>) {
    this.#prepared = prepared;
    this.#statement = prepared.statement;
    this.#begin = begin;
    this.#iterating = iterating;
  }

  setReturnArrays(isOn: boolean): void {
    this.#statement.setReturnArrays(isOn);
  }

  columns(): StatementColumnMetadata[] {
    this.#prepared.columns ??= this.#statement.columns();
    return this.#prepared.columns;
  }

  get(...values: SQLInputValue[]) {
    this.#begin();
    return this.#statement.get(...values);
  }

  all(...values: SQLInputValue[]) {
    this.#begin();
    return this.#statement.all(...values);
  }

  run(...values: SQLInputValue[]) {
    this.#begin();
    return this.#statement.run(...values);
  }

  iterate(...values: SQLInputValue[]) {
    this.#begin();
    const rows = this.#statement.iterate(...values);
    this.#iterating.add(rows);
    return rows;
  }
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

export function faultyDatabase(store: Store, watch: CommitWatch): DatabaseSync {
  const connection = store.connect();
  const handle = new Handle(connection);
  let failingRun: Error | undefined;
  const times = () => (watch.holdsOutcome() ? OUTCOME_TIMES : 1);
  const begin = () => {
    const { faults } = watch;
    if (faults.strikes('ledger_busy')) throw sqliteError(BUSY, 'database is locked');
    failingRun = faults.strikes('ledger_full', undefined, times())
      ? sqliteError(FULL, 'database or disk is full')
      : undefined;
    if (failingRun !== undefined) watch.struck();
    handle.exec('BEGIN IMMEDIATE');
  };
  const commit = () => {
    const { faults } = watch;
    if (failingRun !== undefined) throw failingRun;
    if (faults.strikes('crash_before_commit', undefined, times())) return died(watch);
    if (faults.strikes('ledger_io_error', undefined, times())) return fail(IO_ERROR, watch);
    handle.exec('COMMIT');
    watch.committed();
    if (faults.strikes('crash_after_commit')) return died(watch);
    if (faults.strikes('ambiguous_commit')) return fail(IO_ERROR, watch);
  };
  /** Whatever may change a row finds the disk full, also where it gives rows back. */
  const requireRoom = () => {
    if (failingRun !== undefined) throw failingRun;
  };
  const database = {
    get isTransaction() {
      return handle.isTransaction;
    },
    exec(text: string) {
      if (text === 'BEGIN IMMEDIATE') return begin();
      if (text === 'COMMIT') return commit();
      return handle.exec(text);
    },
    prepare: (text: string) => handle.prepare(text, READS.test(text) ? undefined : requireRoom),
    close() {
      if (!handle.close()) return;
      watch.closed();
      store.giveBack(connection);
    },
  };
  return database as unknown as DatabaseSync;
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
