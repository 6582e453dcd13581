/**
 * The tables of a ledger file and how older files become new ones. Ledgers of older programs go on working: those kept in
 * test/fixtures/old-ledgers are run through every later program.
 *
 * One `payouts` row per row of a file, one append-only `journal` row per event, one `commits` row per commit
 * and batch. While a file is staged only indexes that grow at their end are touched; the indexes of the memory
 * of payments hold living payouts alone. A payout lives (money moved, may have moved, or is about to) while `memory_at` is
 * set; `living_root` is its family then, `incident_root` when it failed first and was paid after all.
 * Units:   instants in milliseconds; `minor` in minor units; keys are 16 bytes.
 */
import { LedgerError } from '../../../ports/ledger/errors.ts';
import { LIST_OLDER_READINGS, MARK_READ_BEFORE } from '../payouts/older-readings.ts';
import { FIND_DECISIONS } from '../reports/decisions.ts';
import { ADD_TOGETHER, KEEP_SUMS } from '../reports/kept-sums.ts';
import { FIND_ROWS } from '../reports/row-pages.ts';
import type { Database } from './database.ts';

/** "PayF" in ASCII: tells our files from other SQLite files. */
export const APPLICATION_ID = 0x50617946;

/** As they were in the first format, but for what the migrations add. */
export const TABLES = `
CREATE TABLE ledger(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL, environment TEXT NOT NULL, base_url TEXT NOT NULL, login_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE batches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  state TEXT NOT NULL, name TEXT, digest TEXT, facts TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX batches_name ON batches(name) WHERE name IS NOT NULL AND state = 'open';
CREATE INDEX batches_digest ON batches(digest) WHERE digest IS NOT NULL;
CREATE TABLE routes(
  id INTEGER PRIMARY KEY,
  source_id TEXT NOT NULL, destination_id TEXT NOT NULL, iso TEXT NOT NULL, destination_name TEXT NOT NULL,
  institution_id TEXT NOT NULL, institution_name TEXT NOT NULL, currency TEXT NOT NULL,
  UNIQUE (source_id, destination_id, iso, destination_name, institution_id, institution_name, currency)
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
  content_key BLOB NOT NULL, reference_key BLOB, payment_key BLOB,
  born INTEGER NOT NULL,
  tag TEXT, transfer_id TEXT, memory_at INTEGER, living_root INTEGER, incident_root INTEGER,
  rate TEXT, quoted_at INTEGER,
  due_at INTEGER, polls INTEGER NOT NULL DEFAULT 0, due_check INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX payouts_file ON payouts(batch, position) WHERE position IS NOT NULL;
CREATE INDEX payouts_status ON payouts(batch, status, position, due_at) WHERE position IS NOT NULL;
CREATE UNIQUE INDEX payouts_root ON payouts(living_root) WHERE living_root IS NOT NULL;
CREATE INDEX payouts_incident ON payouts(incident_root) WHERE incident_root IS NOT NULL;
CREATE UNIQUE INDEX payouts_tag ON payouts(tag) WHERE tag IS NOT NULL;
CREATE UNIQUE INDEX payouts_transfer ON payouts(transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX payouts_reference ON payouts(reference_key) WHERE memory_at IS NOT NULL;
CREATE INDEX payouts_payment ON payouts(payment_key) WHERE memory_at IS NOT NULL;
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
CREATE TABLE name_releases(key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE leases(
  batch INTEGER PRIMARY KEY,
  token TEXT NOT NULL, holder TEXT NOT NULL, started TEXT, taken_at INTEGER NOT NULL, heartbeat_at INTEGER NOT NULL
) STRICT;
`;

const APPEND_ONLY = `
CREATE TRIGGER journal_stays BEFORE DELETE ON journal BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_as_written BEFORE UPDATE ON journal BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER commits_stay BEFORE DELETE ON commits BEGIN SELECT raise(ABORT, 'commits are append-only'); END;
CREATE TRIGGER commits_as_written BEFORE UPDATE ON commits BEGIN SELECT raise(ABORT, 'commits are append-only'); END;
`;

/** The second name by which the service shows a transfer: its own id, or that of the transaction. */
export const OTHER_NAME = `
ALTER TABLE payouts ADD COLUMN other_id TEXT;
CREATE UNIQUE INDEX payouts_other ON payouts(other_id) WHERE other_id IS NOT NULL;
`;

/** Parts of a batch that its holder handed out; `payouts.id % parts` says which part a payout is in. */
export const PART_LEASES = `
ALTER TABLE leases ADD COLUMN parts INTEGER NOT NULL DEFAULT 0;
CREATE TABLE part_leases(
  batch INTEGER NOT NULL, part INTEGER NOT NULL, parts INTEGER NOT NULL,
  token TEXT NOT NULL, holder TEXT NOT NULL, started TEXT, taken_at INTEGER NOT NULL, heartbeat_at INTEGER NOT NULL,
  PRIMARY KEY (batch, part)
) STRICT;
`;

/** Batches keep the folder of their file and how it was read: older programs cannot read that. */
const KEEP_READING = '';

/** Each entry brings a file from version index to index + 1. */
const MIGRATIONS: readonly string[] = [
  TABLES + APPEND_ONLY,
  LIST_OLDER_READINGS,
  OTHER_NAME,
  MARK_READ_BEFORE,
  KEEP_READING,
  KEEP_SUMS + FIND_ROWS + FIND_DECISIONS,
  PART_LEASES,
  ADD_TOGETHER,
];
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the open file to this version in one commit; refuses a file from a newer payfile. */
export function migrate(db: Database, path: string): void {
  const version = pragmaNumber(db, 'user_version');
  if (version > SCHEMA_VERSION) {
    const text = `The ledger ${path} was written by a newer payfile (format ${version}, this one knows ${SCHEMA_VERSION}). Update payfile.`;
    throw new LedgerError('ledger_unsupported', text);
  }
  if (version === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS.slice(pragmaNumber(db, 'user_version'))) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export function pragmaNumber(db: Database, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get();
  return Number(Object.values(row ?? {})[0]);
}
