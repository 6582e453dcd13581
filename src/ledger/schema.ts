/**
 * The tables of a ledger, format 1, written once for both databases. No trigger and no function: what has to be kept in
 * step is written by the same commit, and `verify` proves it.
 *
 * One `payouts` row per row of a file, one append-only `journal` row per event, one `commits` row per commit and batch.
 * While a file is staged only indexes that grow at their end are touched; those of the memory of payments hold living
 * payouts alone. A payout lives (money moved, may have moved, or is about to) while `memory_at` is set; `remembered` is 1 then,
 * so that those indexes stay as they are when only the instant changes. `living_root` is
 * then the root of its replacements; `incident_root` is set if it failed first and was paid after all. `other_id` is the
 * second id of a transfer. `ended_at`: when it was settled, failed or came back. `beside`: 1 where somebody has to look at it
 * although its status does not say so; `concern`: 1 where the last look (`look`) says so of one that is on its way.
 *
 * Persons: `journal.personal` with its `salt` (chain.ts), and the row's own columns with `payouts.salt`. Both can be emptied;
 * `seal`, their salted hash, then stands in their place.
 * Units:   instants in milliseconds; `minor` in minor units; keys are 16 bytes.
 */
import { DECISION_KINDS, isOfRow } from '../domain/batches/decisions.ts';
import { type Dialect, q, type Sql, text } from './sql.ts';

/** "PayF" in ASCII: tells our files from other SQLite files. */
export const APPLICATION_ID = 0x50617946;
export const FORMAT = 1;

/** The chain of the ledger itself, beside those of its batches. */
export const LEDGER_CHAIN = 0;
/** The entry that names rows whose persons were erased. */
export const ERASED = 'persons_erased';
/** In front of the kind of a note. */
export const NOTE = 'note:';
/** `leases.part` of a whole batch. */
export const WHOLE = -1;

const WORDS = {
  sqlite: { WHOLE: 'INTEGER', WORDS: 'TEXT', BYTES: 'BLOB', TABLE_END: ') STRICT' },
  pg: { WHOLE: 'bigint', WORDS: 'text COLLATE "C"', BYTES: 'bytea', TABLE_END: ')' },
} as const;

const TABLES = `
CREATE TABLE format(version WHOLE NOT NULL TABLE_END;
CREATE TABLE ledger(
  one WHOLE PRIMARY KEY CHECK (one = 1),
  id WORDS NOT NULL, environment WORDS NOT NULL, base_url WORDS NOT NULL, login_id WORDS NOT NULL,
  salt WORDS NOT NULL, time_zone WORDS NOT NULL, created_at WHOLE NOT NULL
TABLE_END;
CREATE TABLE counters(name WORDS PRIMARY KEY, last WHOLE NOT NULL TABLE_END;
CREATE TABLE batches(
  id WHOLE PRIMARY KEY,
  state WORDS NOT NULL, name WORDS NOT NULL, digest WORDS, facts WORDS NOT NULL
TABLE_END;
CREATE TABLE routes(
  id WHOLE PRIMARY KEY,
  source_id WORDS NOT NULL, source_name WORDS NOT NULL,
  destination_id WORDS NOT NULL, iso WORDS NOT NULL, destination_name WORDS NOT NULL,
  institution_id WORDS NOT NULL, institution_name WORDS NOT NULL, currency WORDS NOT NULL,
  UNIQUE (source_id, source_name, destination_id, iso, destination_name, institution_id, institution_name, currency)
TABLE_END;
CREATE TABLE payouts(
  id WHOLE PRIMARY KEY,
  batch WHOLE NOT NULL REFERENCES batches(id),
  position WHOLE,
  row_number WHOLE NOT NULL,
  status WORDS NOT NULL, version WHOLE NOT NULL, attempts WHOLE NOT NULL, state WORDS NOT NULL,
  route WHOLE, account WORDS, minor WHOLE,
  reference WORDS, name WORDS, phone WORDS, note WORDS,
  replaces WORDS, root WHOLE NOT NULL,
  cells WORDS NOT NULL,
  row_key BYTES NOT NULL, reference_key BYTES, payment_key BYTES,
  born WHOLE NOT NULL, salt WORDS, seal WORDS,
  tag WORDS, transfer_id WORDS, other_id WORDS,
  memory_at WHOLE, remembered WHOLE, ended_at WHOLE, living_root WHOLE, incident_root WHOLE, quoted_at WHOLE, beside WHOLE,
  due_at WHOLE, look WORDS, concern WHOLE, due_check WHOLE NOT NULL DEFAULT 0
TABLE_END;
CREATE TABLE journal(
  seq WHOLE PRIMARY KEY,
  batch WHOLE NOT NULL, payout WHOLE, at WHOLE NOT NULL, kind WORDS NOT NULL, body WORDS NOT NULL,
  personal WORDS, salt WORDS, seal WORDS
TABLE_END;
CREATE TABLE commits(
  seq WHOLE PRIMARY KEY,
  batch WHOLE NOT NULL, first WHOLE NOT NULL, last WHOLE NOT NULL, events WHOLE NOT NULL,
  rows_hash WORDS, head WORDS NOT NULL, shard WHOLE NOT NULL DEFAULT 0
TABLE_END;
CREATE TABLE name_releases(key WORDS PRIMARY KEY, entry WHOLE NOT NULL TABLE_END;
CREATE TABLE leases(
  batch WHOLE NOT NULL, part WHOLE NOT NULL, parts WHOLE NOT NULL DEFAULT 0,
  token WORDS NOT NULL, holder WORDS NOT NULL, started WORDS, taken_at WHOLE NOT NULL, heartbeat_at WHOLE NOT NULL,
  stopped WHOLE NOT NULL DEFAULT 0, PRIMARY KEY (batch, part)
TABLE_END;
`;

/** Word for word in statements too: only so SQLite takes the index. */
export const DECISION_OF_ROW = text(
  "payout IS NOT NULL AND kind IN ('release','cancel','rule_paid','rule_not_paid','accept_difference','replacement')",
);
export const DECISION_OF_BATCH = text(
  `payout IS NULL AND kind IN (${DECISION_KINDS.filter((kind) => !isOfRow(kind))
    .flatMap((kind) => [`'${kind}'`, `'${NOTE}${kind}'`])
    .join(',')})`,
);
/** Entries of one payout but the one that it was born with, which has no index: WHERE payout = … AND ${LATER}. */
export const LATER = text("payout IS NOT NULL AND kind <> 'imported'");

/** Notes by which a payment was paid after all; `payout` in their body names it. */
export const PAID_AFTER_ALL = text(`('${NOTE}incident','${NOTE}late_acceptance_not_applied')`);
/** States of payments that somebody agreed to. */
export const AGREED = text("('approved','sending','in_doubt','accepted','settled','failed','returned')");
/** Entries of a payout that do not change where it stands. */
export const OTHER_KINDS = text(
  "('imported','kept','rewritten','joined','left_out','replaced','replacement','put_back')",
);

/** Payouts that somebody may have to look at although their status does not say so. */
export const TO_LOOK_AT = text('position IS NOT NULL AND (beside IS NOT NULL OR concern IS NOT NULL)');

/** Payouts with a time for their next look, whose last one showed no status. */
export const SILENT = text(`due_at IS NOT NULL AND look LIKE '%"nothing":%'`);

const INDEXES = `
CREATE UNIQUE INDEX batches_name ON batches(name) WHERE state = 'open';
CREATE UNIQUE INDEX payouts_file ON payouts(batch, position) WHERE position IS NOT NULL;
CREATE INDEX payouts_withdrawn ON payouts(batch) WHERE position IS NULL AND status = 'canceled';
CREATE INDEX payouts_status ON payouts(batch, status, position, due_at) WHERE position IS NOT NULL;
CREATE INDEX payouts_sums ON payouts(batch, status, route, position, minor) WHERE position IS NOT NULL;
CREATE INDEX payouts_words ON payouts(batch, position, row_number, name, reference) WHERE position IS NOT NULL;
CREATE INDEX payouts_beside ON payouts(batch, position) WHERE ${TO_LOOK_AT.render('sqlite').text};
CREATE INDEX payouts_due ON payouts(batch, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX payouts_silent ON payouts(batch, due_at, id) WHERE ${SILENT.render('sqlite').text};
CREATE UNIQUE INDEX payouts_root ON payouts(living_root) WHERE living_root IS NOT NULL;
CREATE INDEX payouts_incident ON payouts(incident_root) WHERE incident_root IS NOT NULL;
CREATE UNIQUE INDEX payouts_tag ON payouts(tag) WHERE tag IS NOT NULL;
CREATE UNIQUE INDEX payouts_transfer ON payouts(transfer_id) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX payouts_other ON payouts(other_id) WHERE other_id IS NOT NULL;
CREATE INDEX payouts_reference ON payouts(reference_key) WHERE remembered IS NOT NULL;
CREATE INDEX payouts_payment ON payouts(payment_key) WHERE remembered IS NOT NULL;
CREATE INDEX payouts_replaces ON payouts(replaces) WHERE replaces IS NOT NULL;
CREATE INDEX journal_payout ON journal(payout) WHERE payout IS NOT NULL AND kind <> 'imported';
CREATE INDEX journal_batch ON journal(batch, kind) WHERE payout IS NULL;
CREATE INDEX journal_decided ON journal(batch) WHERE ${DECISION_OF_ROW.render('sqlite').text};
CREATE INDEX commits_batch ON commits(batch, seq);
`;

/**
 * Commits and chains of processes that write side by side are numbered by the server. `service_session` and `pace` are
 * shared by all processes with one login of the payment service (access.ts): no part of the ledger.
 */
const ON_SERVER = `CREATE SEQUENCE shards; CREATE SEQUENCE commit_numbers;
CREATE TABLE service_session(login text PRIMARY KEY, version text NOT NULL, state jsonb NOT NULL);
CREATE TABLE pace(login text PRIMARY KEY, version text NOT NULL, state jsonb NOT NULL);`;

/** The statements that make the tables, in the words of one database. */
export function schemaText(dialect: Dialect): string {
  const words: Readonly<Record<string, string>> = WORDS[dialect];
  const tables = TABLES.replace(/TABLE_END|WHOLE|WORDS|BYTES/g, (word) => words[word] ?? word);
  const own =
    dialect === 'pg'
      ? ON_SERVER
      : `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT};`;
  return `${tables}${INDEXES}${own}
    INSERT INTO format VALUES (${FORMAT});
    INSERT INTO counters VALUES ('batches', 0), ('payouts', 0), ('routes', 0);`;
}

/** Inside a commit: ids that were never given out and never will be again; the first of `count`. */
export async function nextIds(
  sql: Sql,
  of: 'batches' | 'payouts' | 'routes',
  count: number,
): Promise<number> {
  const row = await sql.get(
    q`UPDATE counters SET last = last + CAST(${count} AS bigint) WHERE name = ${of} RETURNING last`,
  );
  return Number(row?.['last']) - count + 1;
}
