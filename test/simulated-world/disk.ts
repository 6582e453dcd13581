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
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  identify,
  newLedgerId,
  setPragmas,
  writeNewLedger,
} from '../../src/adapters/ledger/storage/open-file.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { LedgerIdentity } from '../../src/ports/ledger/ledger.ts';
import type { Faults } from './faults.ts';

export const START_MS = Date.UTC(2026, 4, 25, 6, 0);
const CONNECTION = { timeout: 0, readBigInts: true, enableForeignKeyConstraints: true } as const;
const QUICK =
  'PRAGMA synchronous = OFF; PRAGMA fullfsync = OFF; PRAGMA checkpoint_fullfsync = OFF; PRAGMA wal_autocheckpoint = 0';

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

  constructor() {
    this.#identities = { live: this.#makeTemplate('live'), sandbox: this.#makeTemplate('sandbox') };
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
    const db = new DatabaseSync(this.path, CONNECTION);
    setPragmas(db, { isReadOnly: true });
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

  #makeTemplate(environment: Environment): LedgerIdentity {
    const path = this.#templatePath(environment);
    const db = new DatabaseSync(path, CONNECTION);
    setPragmas(db, { isReadOnly: false });
    const binding = { environment, baseUrl: 'https://pay.example', loginId: 'shop' };
    writeNewLedger(db, path, binding, { at: timestampOf(START_MS), id: newLedgerId() });
    const identity = identify(db, path, binding, false);
    db.close();
    return identity;
  }
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

const OUTCOME_TIMES = 5;
const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;

export function faultyDatabase({ db: real, statements }: Connection, watch: CommitWatch): DatabaseSync {
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
  /** A text that is prepared twice gets a statement of its own the second time. */
  const statementOf = (text: string): StatementSync => {
    const known = inUse.has(text) ? undefined : statements.get(text);
    inUse.add(text);
    if (known !== undefined) return known;
    const statement = real.prepare(text);
    if (!statements.has(text)) statements.set(text, statement);
    return statement;
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
      const statement = statementOf(text);
      const run: StatementSync['run'] = Object.getPrototypeOf(statement).run.bind(statement);
      const failing = (...values: Parameters<typeof run>) => {
        if (failingRun !== undefined && real.isTransaction) throw failingRun;
        return run(...values);
      };
      return Object.assign(statement, { run: failing });
    },
    close: watch.closed,
  };
  return connection as unknown as DatabaseSync;
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
