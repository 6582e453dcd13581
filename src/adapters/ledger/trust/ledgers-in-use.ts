/**
 * Which file of a ledger is in use, kept beside the list of known ledgers. Two copies of one ledger know the
 * same approved payments, and each would send them; so only one file of a ledger may be at work at a time.
 * Several processes on that one file are no danger: they share its leases.
 *
 * Units:   instants in milliseconds.
 * Errors:  LedgerError `ledger_busy` naming the other file; `ledger_unwritable` when the list cannot be kept.
 */
import { closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../../../ports/ledger/ledger.ts';
import { isRunning, processStart } from '../storage/this-machine.ts';

/** Nobody can see whether a process of another machine lives; after this long it surely ended. */
const ELSEWHERE_MS = 12 * 3_600_000;
const TABLE = `
PRAGMA busy_timeout = 2000;
CREATE TABLE IF NOT EXISTS in_use(
  ledger TEXT NOT NULL, path TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT,
  since INTEGER NOT NULL
) STRICT;`;

interface InUseParts {
  /** The file of the list. */
  readonly path: string;
  readonly open: (path: string) => DatabaseSync;
  readonly identity: LedgerIdentity;
  readonly now: () => number;
}

export class LedgersInUse {
  readonly #parts: InUseParts;
  /** The entry of this process and ledger. */
  #row: number | bigint | undefined;

  constructor(parts: InUseParts) {
    this.#parts = parts;
  }

  /** Throws while another file of this ledger is at work. */
  requireNoOther(): void {
    this.#inOneStep((db) => this.#refuseOther(db));
  }

  /** From now until `giveBack` no copy of this ledger can be put to work on this machine. */
  take(): void {
    const { identity, now } = this.#parts;
    this.#inOneStep((db) => {
      const mine = this.#refuseOther(db);
      const insert = 'INSERT INTO in_use(ledger, path, host, pid, started, since) VALUES (?,?,?,?,?,?)';
      const { pid } = process;
      this.#row = db
        .prepare(insert)
        .run(identity.id, mine, hostname(), pid, processStart(pid), now()).lastInsertRowid;
    });
  }

  /** Gives the real path of this one's file. */
  #refuseOther(db: DatabaseSync): string {
    const { identity, now } = this.#parts;
    const mine = realpathSync(identity.path);
    for (const row of db.prepare('SELECT rowid AS row, * FROM in_use WHERE ledger = ?').all(identity.id)) {
      if (!isAtWork(row, hostname(), now()))
        db.prepare('DELETE FROM in_use WHERE rowid = ?').run(Number(row.row));
      else if (row.path !== mine) throw copyAtWork(identity.path, row);
    }
    return mine;
  }

  giveBack(): void {
    const row = this.#row;
    if (row === undefined) return;
    this.#row = undefined;
    try {
      this.#inOneStep((db) => db.prepare('DELETE FROM in_use WHERE rowid = ?').run(row));
    } catch {
      // The entry of a process that is gone counts for nothing.
    }
  }

  #inOneStep(work: (db: DatabaseSync) => void): void {
    const { path, open } = this.#parts;
    let db: DatabaseSync | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // SQLite would let others read it.
      closeSync(openSync(path, 'a', 0o600));
      db = open(path);
      db.exec(TABLE);
      db.exec('BEGIN IMMEDIATE');
      work(db);
      db.exec('COMMIT');
    } catch (error) {
      if (error instanceof LedgerError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      const text =
        `The list of ledgers at work ${path} cannot be kept: ${why}. ` +
        'Make room or mend its permissions; or remove it while no payfile is running.';
      throw new LedgerError('ledger_unwritable', text, { cause: error });
    } finally {
      db?.close();
    }
  }
}

function isAtWork(row: Record<string, unknown>, host: string, now: number): boolean {
  if (row.host === host) return isRunning(Number(row.pid), row.started);
  return now - Number(row.since) < ELSEWHERE_MS;
}

function copyAtWork(path: string, row: Record<string, unknown>): LedgerError {
  const { path: other, pid, host } = row;
  const text =
    `The ledger ${path} is a copy of ${String(other)}, which process ${Number(pid)} on ${String(host)} works ` +
    'with now. Two copies would pay the same rows twice. Use that one alone, and remove ' +
    'the copy.';
  return new LedgerError('ledger_busy', text);
}
