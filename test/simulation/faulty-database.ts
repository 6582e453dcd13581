/**
 * A process's connection to the ledger file, on which commits fail, lie, or end the process. Everything else is
 * the real node:sqlite.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Faults } from './faults.ts';
import type { Connection } from './store.ts';

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
