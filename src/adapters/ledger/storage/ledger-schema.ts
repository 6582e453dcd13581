/**
 * The tables of a ledger file, format 1. After the first release only a migration changes them (migrations.ts).
 *
 * One `payouts` row per row of a file, one append-only `journal` row per event, one `commits` row per commit
 * and batch. While a file is staged only indexes that grow at their end are touched; the indexes of the memory
 * of payments hold living payouts alone. A payout lives (money moved, may have moved, or is about to) while `memory_at` is
 * set. `living_root` is then the root of its replacements; `incident_root` is set if it failed first and was paid after
 * all. `other_id` is the second id of a transfer: its own id, or the id of the transaction. The process that holds a
 * batch hands out `parts` of it; `payouts.id % parts` is the part of a payout.
 * Units:   instants in milliseconds; `minor` in minor units; keys are 16 bytes.
 */
import { FIND_SCHEDULED } from '../payouts/scheduled.ts';
import { FIND_DECISIONS } from '../reports/decisions.ts';
import { KEEP_SUMS } from '../reports/kept-sums.ts';
import { FIND_ROWS } from '../reports/row-pages.ts';
import type { Database } from './database.ts';
import { MIGRATIONS, type Migration, migrationsFrom } from './migrations.ts';

/** "PayF" in ASCII: tells our files from other SQLite files. */
export const APPLICATION_ID = 0x50617946;

/** The tables that a ledger file and a ledger on a server share. */
export const TABLES = `
CREATE TABLE ledger(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL, environment TEXT NOT NULL, base_url TEXT NOT NULL, login_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE batches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  state TEXT NOT NULL, name TEXT NOT NULL, digest TEXT, facts TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX batches_name ON batches(name) WHERE state = 'open';
CREATE TABLE routes(
  id INTEGER PRIMARY KEY,
  source_id TEXT NOT NULL, source_name TEXT NOT NULL,
  destination_id TEXT NOT NULL, iso TEXT NOT NULL, destination_name TEXT NOT NULL,
  institution_id TEXT NOT NULL, institution_name TEXT NOT NULL, currency TEXT NOT NULL,
  UNIQUE (source_id, source_name, destination_id, iso, destination_name, institution_id, institution_name, currency)
) STRICT;
CREATE TABLE payouts(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  batch INTEGER NOT NULL REFERENCES batches(id),
  position INTEGER,
  row_number INTEGER NOT NULL,
  status TEXT NOT NULL, version INTEGER NOT NULL, attempts INTEGER NOT NULL, state TEXT NOT NULL,
  route INTEGER, account TEXT, minor INTEGER,
  reference TEXT, name TEXT, phone TEXT, note TEXT,
  replaces TEXT, root INTEGER NOT NULL,
  cells TEXT NOT NULL,
  row_key BLOB NOT NULL, reference_key BLOB, payment_key BLOB,
  born INTEGER NOT NULL,
  tag TEXT, transfer_id TEXT, memory_at INTEGER, living_root INTEGER, incident_root INTEGER,
  quoted_at INTEGER,
  due_at INTEGER, look TEXT, due_check INTEGER NOT NULL DEFAULT 0,
  other_id TEXT
) STRICT;
CREATE UNIQUE INDEX payouts_file ON payouts(batch, position) WHERE position IS NOT NULL;
CREATE INDEX payouts_withdrawn ON payouts(batch) WHERE position IS NULL AND status = 'canceled';
CREATE INDEX payouts_status ON payouts(batch, status, position, due_at) WHERE position IS NOT NULL;
CREATE UNIQUE INDEX payouts_root ON payouts(living_root) WHERE living_root IS NOT NULL;
CREATE INDEX payouts_incident ON payouts(incident_root) WHERE incident_root IS NOT NULL;
CREATE UNIQUE INDEX payouts_tag ON payouts(tag) WHERE tag IS NOT NULL;
CREATE UNIQUE INDEX payouts_transfer ON payouts(transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX payouts_reference ON payouts(reference_key) WHERE memory_at IS NOT NULL;
CREATE INDEX payouts_payment ON payouts(payment_key, memory_at) WHERE memory_at IS NOT NULL;
CREATE UNIQUE INDEX payouts_other ON payouts(other_id) WHERE other_id IS NOT NULL;
CREATE INDEX payouts_replaces ON payouts(replaces) WHERE replaces IS NOT NULL;
CREATE TABLE journal(
  seq INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL, payout INTEGER, at INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX journal_payout ON journal(payout) WHERE payout IS NOT NULL AND kind <> 'imported';
CREATE INDEX journal_batch ON journal(batch, kind) WHERE payout IS NULL;
CREATE TABLE commits(
  seq INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, events INTEGER NOT NULL,
  rows_hash TEXT, head TEXT NOT NULL
) STRICT;
CREATE INDEX commits_batch ON commits(batch);
CREATE TABLE name_releases(key TEXT PRIMARY KEY, entry INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE leases(
  batch INTEGER PRIMARY KEY,
  token TEXT NOT NULL, holder TEXT NOT NULL, started TEXT, taken_at INTEGER NOT NULL, heartbeat_at INTEGER NOT NULL,
  parts INTEGER NOT NULL DEFAULT 0, stopped INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE part_leases(
  batch INTEGER NOT NULL, part INTEGER NOT NULL, parts INTEGER NOT NULL,
  token TEXT NOT NULL, holder TEXT NOT NULL, started TEXT, taken_at INTEGER NOT NULL, heartbeat_at INTEGER NOT NULL,
  stopped INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (batch, part)
) STRICT;
`;

const APPEND_ONLY = `
CREATE TRIGGER journal_stays BEFORE DELETE ON journal BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_as_written BEFORE UPDATE ON journal BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER commits_stay BEFORE DELETE ON commits BEGIN SELECT raise(ABORT, 'commits are append-only'); END;
CREATE TRIGGER commits_as_written BEFORE UPDATE ON commits BEGIN SELECT raise(ABORT, 'commits are append-only'); END;
`;

const SCHEMA = TABLES + APPEND_ONLY + KEEP_SUMS + FIND_ROWS + FIND_SCHEDULED + FIND_DECISIONS;

/** Makes the tables. Call it inside the commit that makes the ledger. */
export function createTables(db: Database, path: string): void {
  db.exec(`${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1`);
  for (const step of migrationsFrom(1, path)) migrateOnce(db, step);
}

/** Brings the open file to the newest format in one commit. */
export function migrate(db: Database, path: string, migrations = MIGRATIONS): void {
  const steps = () => migrationsFrom(pragmaNumber(db, 'user_version'), path, migrations);
  if (steps().length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated it meanwhile.
    for (const step of steps()) migrateOnce(db, step);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function migrateOnce(db: Database, { sqlite, to }: Migration): void {
  db.exec(`${sqlite}; PRAGMA user_version = ${to}`);
}

export function pragmaNumber(db: Database, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get();
  return Number(Object.values(row ?? {})[0]);
}
