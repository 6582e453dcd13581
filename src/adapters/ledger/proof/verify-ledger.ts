/**
 * Verifies the whole ledger in one walk and one snapshot. Other work goes on meanwhile and does not change what is
 * compared.
 *
 * Errors:  LedgerError `ledger_busy` when the ledger cannot be read to its end now; that says nothing about it.
 */
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { batchDigest } from '../../../domain/batches/batch.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { LedgerIdentity, VerifyResult } from '../../../ports/ledger/ledger.ts';
import { rowKeysOf } from '../batches/imports.ts';
import {
  CONTENT_COLUMNS,
  Routes,
  type RowContent,
  routeOfRow,
  rowKeys,
  rowText,
} from '../payouts/stored-payout.ts';
import { verifySums } from '../reports/kept-sums.ts';
import type { Database } from '../storage/database.ts';
import { verifyIdentity } from '../storage/open-file.ts';
import { isBusy, numberOf, prepareOnce, type Sql, yieldToEvents } from '../storage/sql-statements.ts';
import { type CommitNumbers, headOf, joinOf, lineText, NO_HEAD, RowsHash } from './event-chain.ts';
import { verifyPayouts } from './verify-payouts.ts';

const PROBLEMS_MAX = 100;

/** While the snapshot is read, no page of the log can be used again: it grows with whatever a run writes. */
const LOG_GROWTH_MAX = 256 * 1024 * 1024;

interface VerifyParts {
  /** What to read with. `isOwn`: nobody else reads with it, and it holds one snapshot. */
  readonly db: Database;
  readonly isOwn: boolean;
  readonly identity: LedgerIdentity;
  /** Bytes that the log may grow by. */
  readonly logMax?: number | undefined;
}

interface Walk {
  readonly sql: Sql;
  readonly routes: Routes;
  /** Lets everything else have its turn. */
  readonly yieldToEvents: () => Promise<void>;
}

export async function verifyLedger(
  parts: VerifyParts,
  batch: number | undefined,
): Promise<Omit<VerifyResult, 'unknownHere' | 'accepted'>> {
  const { db, isOwn, identity, logMax = LOG_GROWTH_MAX } = parts;
  const sql = prepareOnce(db);
  const walk = {
    sql,
    routes: new Routes(sql),
    yieldToEvents: isOwn ? besideLog(identity.path, logMax) : yieldToEvents,
  };
  const problems: string[] = [];
  let count = 0;
  const found = (problem: string) => {
    count += 1;
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  const result = { batches: 0, entries: 0, head: '' };
  try {
    if (batch === undefined && db.isServer !== true) checkPages(db, found);
    verifyIdentity(db, identity, found);
    await walk.yieldToEvents();
    const chaining = { ...walk, isServer: db.isServer === true };
    const { entries, head } = await verifyChains(chaining, batch, found);
    for (const file of filesOf(sql, batch))
      result.entries += (await verifyChains(chaining, file, found)).entries;
    result.entries += entries;
    Object.assign(result, { head, batches: verifyFacts(sql, batch, found) });
    await verifyPayouts(walk, batch, found);
    await verifyDigests(db, batch, found);
    await verifySums(sql, batch, found);
  } catch (error) {
    if (isBusy(error) || (error instanceof LedgerError && error.code === 'ledger_busy')) throw error;
    found(`the ledger cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (count > PROBLEMS_MAX) problems.push(`… and ${count - PROBLEMS_MAX} more`);
  return { ...result, problems };
}

/** Newer files of a batch: each has a chain of its own, which proves the rows that it brought. */
function filesOf(sql: Sql, batch: number | undefined): readonly number[] {
  if (batch === undefined) return [];
  const merged = sql(
    "SELECT id FROM batches WHERE state = 'merged' AND json_extract(facts, '$.mergedInto') = ?",
  );
  return merged.all(String(batch)).map(({ id }) => numberOf(id));
}

/** Lets other work run, and checks the size of the log. */
function besideLog(path: string, logMax: number): Walk['yieldToEvents'] {
  const sizeNow = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const first = sizeNow();
  return async () => {
    await yieldToEvents();
    if (sizeNow() - first > logMax) throw logGrown(path);
  };
}

function logGrown(path: string): LedgerError {
  const text =
    `The ledger ${path} was not checked to its end: a run writes to it, and its log grew too much meanwhile. Nothing ` +
    'wrong was found so far. Check it again when the run has ended; or make a backup now, which is checked when it is ' +
    'made.';
  return new LedgerError('ledger_busy', text);
}

function checkPages(db: Database, found: (problem: string) => void): void {
  for (const row of db.prepare('PRAGMA integrity_check(20)').all()) {
    const said = String(Object.values(row)[0]);
    if (said !== 'ok') found(`the file itself: ${said}`);
  }
  for (const row of db.prepare('PRAGMA foreign_key_check').all())
    found(`the file itself: ${JSON.stringify(row, text)}`);
}

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The rows of the current file add up to the digest that was bound. */
async function verifyDigests(
  db: Database,
  batch: number | undefined,
  found: (problem: string) => void,
): Promise<void> {
  const fresh = (words: string) => db.prepare(words);
  // While a revision is under way its rows stand between two files; the next revision settles that.
  const open =
    "SELECT id, digest FROM batches WHERE state = 'open' AND json_extract(facts, '$.merging') IS NULL";
  for (const row of fresh(open).all()) {
    if (batch !== undefined && Number(row.id) !== batch) continue;
    const digest = await batchDigest(rowKeysOf(fresh, Number(row.id)));
    if (digest !== row.digest) found(`batch ${row.id}: its rows do not add up to its digest`);
  }
}

/**
 * Verifying the chains: every commit's head is computed again from the journal and the rows, and every entry
 * of the journal belongs to exactly one commit. Then the facts of each batch are replayed from its events.
 */

const SLICE = 200;
const WITH_ROW = "('imported','replacement')";

interface CommitRow extends CommitNumbers {
  readonly head: string;
  /** 0: of a writer that worked alone, and joined the chains of all others. */
  readonly shard: number;
}

/** By shard. */
type BatchHeads = ReadonlyMap<number, { readonly head: string; readonly last: number }>;
const NO_HEADS: BatchHeads = new Map();

/** What the commit builds on, and how the chains of its batch stand after it. */
function headsWith(heads: BatchHeads, commit: CommitRow) {
  const { shard } = commit;
  if (shard !== 0) {
    const before = heads.get(shard) ?? heads.get(0) ?? { head: NO_HEAD, last: 0 };
    return { before, after: new Map([...heads, [shard, commit]]) };
  }
  const ordered = [...heads].sort(([one], [other]) => one - other).map(([, head]) => head);
  const last = ordered.reduce((most, head) => Math.max(most, head.last), 0);
  return { before: { head: joinOf(ordered.map(({ head }) => head)), last }, after: new Map([[0, commit]]) };
}

interface ChainVerdict {
  readonly entries: number;
  readonly head: string;
}

/** `found` is told each problem in words. `batch` undefined: the whole ledger. */
async function verifyChains(
  { sql, yieldToEvents, isServer }: { sql: Sql; yieldToEvents: () => Promise<void>; isServer: boolean },
  batch: number | undefined,
  found: (problem: string) => void,
): Promise<ChainVerdict> {
  const heads = new Map<number, BatchHeads>();
  const dropped = new Set(
    sql("SELECT id FROM batches WHERE state = 'dropped'")
      .all()
      .map((row) => numberOf(row.id)),
  );
  const next = sql(
    `SELECT * FROM commits WHERE seq > ? ${batch === undefined ? '' : 'AND batch = ?'} ORDER BY seq LIMIT ${SLICE}`,
  );
  let [seq, entries, head] = [0, 0, NO_HEAD];
  for (;;) {
    const rows = next.all(...(batch === undefined ? [seq] : [seq, batch]));
    if (rows.length === 0) break;
    for (const commit of rows.map(commitOf)) {
      // A server numbers commits that came to nothing, too.
      if (batch === undefined && !isServer && commit.seq !== seq + 1) found(`commit ${seq + 1} is missing`);
      const { before, after } = headsWith(heads.get(commit.batch) ?? NO_HEADS, commit);
      checkCommit(sql, commit, { before, isDropped: dropped.has(commit.batch), found });
      heads.set(commit.batch, after);
      seq = commit.seq;
      entries += commit.events;
      head = commit.head;
      await yieldToEvents();
    }
  }
  const where = batch === undefined ? '' : 'WHERE batch = ?';
  const counted = numberOf(
    sql(`SELECT count(*) AS n FROM journal ${where}`).get(...(batch === undefined ? [] : [batch]))?.n,
  );
  if (counted !== entries) found(`the journal has ${counted} entries, its commits name ${entries}`);
  return { entries: counted, head };
}

function commitOf(row: Record<string, unknown>): CommitRow {
  const { seq, batch, first, last, events, rows_hash: rowsHash, head } = row;
  return {
    seq: Number(seq),
    batch: Number(batch),
    first: Number(first),
    last: Number(last),
    events: Number(events),
    rowsHash: rowsHash === null ? null : String(rowsHash),
    head: String(head),
    shard: Number(row.shard ?? 0),
  };
}

interface Checking {
  readonly before: { readonly head: string; readonly last: number };
  readonly isDropped: boolean;
  readonly found: (problem: string) => void;
}

function checkCommit(sql: Sql, commit: CommitRow, { before, isDropped, found }: Checking): void {
  const { seq, batch, first, last, events, rowsHash, head } = commit;
  const name = `commit ${seq} of batch ${batch}`;
  if (first <= before.last) found(`${name} overlaps an earlier one`);
  const lines = sql(
    'SELECT seq, payout, at, kind, body FROM journal WHERE seq BETWEEN ? AND ? AND batch = ? ORDER BY seq',
  );
  const text: string[] = [];
  for (const row of lines.all(first, last, batch)) {
    const { payout, at, kind, body } = row;
    text.push(
      lineText({
        seq: Number(row.seq),
        payout: payout === null ? null : Number(payout),
        at: Number(at),
        kind: String(kind),
        body: String(body),
      }),
    );
  }
  if (text.length !== events) found(`${name} has ${text.length} entries in the journal, not ${events}`);
  if (headOf(before.head, commit, text.join('')) !== head) {
    found(`${name}: its head does not follow from its entries; something was changed or removed`);
  }
  // Rows of a dropped import are gone on purpose; what they were is still part of the heads.
  if (rowsHash !== null && !isDropped && rowsHashOf(sql, commit) !== rowsHash) {
    found(`${name}: rows of the file (instruction or cells) are not as they were written`);
  }
}

function rowsHashOf(sql: Sql, { batch, first, last }: CommitRow): string {
  const columns = CONTENT_COLUMNS.split(', ').map((column) => `p.${column}`);
  const rows = sql(
    `SELECT ${columns.join(', ')} FROM journal j JOIN payouts p ON p.id = j.payout
     WHERE j.seq BETWEEN ? AND ? AND j.batch = ? AND j.kind IN ${WITH_ROW} ORDER BY j.seq`,
  );
  const contents = rows.all(first, last, batch) as unknown as RowContent[];
  const rewritten = sql(
    `SELECT payout, body FROM journal INDEXED BY journal_payout WHERE payout IN (SELECT value FROM json_each(?))
     AND payout IS NOT NULL AND kind <> 'imported' AND kind = 'rewritten' ORDER BY payout, seq DESC`,
  ).all(`[${contents.map(({ id }) => id).join(',')}]`);
  // Of several the earliest, which comes last.
  const bodies = new Map(rewritten.map(({ payout, body }) => [payout, body]));
  const hash = new RowsHash();
  for (const current of contents) {
    const earliest = bodies.get(BigInt(current.id));
    const content = typeof earliest === 'string' ? { ...current, cells: textBefore(earliest) } : current;
    hash.add(rowText(content), rowKeys(content));
  }
  return hash.finish();
}

/** The cells as they were imported, from the first event that changed them. */
function textBefore(body: string): string {
  return JSON.stringify((JSON.parse(body) as { before?: unknown }).before ?? []);
}

/** Facts of batches and routes as their events say. */
function verifyFacts(sql: Sql, batch: number | undefined, found: (problem: string) => void): number {
  const where = batch === undefined ? '' : 'WHERE id = ?';
  const rows = sql(`SELECT * FROM batches ${where}`).all(...(batch === undefined ? [] : [batch]));
  for (const row of rows) checkFacts(sql, row, found);
  const routes = sql("SELECT body FROM journal WHERE payout IS NULL AND kind = 'route'").all();
  for (const row of routes) {
    const { v: _version, id, ...route } = JSON.parse(String(row.body)) as { v: number; id: number };
    const stored = sql('SELECT * FROM routes WHERE id = ?').get(id);
    if (stored === undefined || !isDeepStrictEqual(routeOfRow(stored), route))
      found(`route ${id} is not as it was written`);
  }
  // An import that was merged into a batch, dropped or never finished is a chain of its own, and no batch.
  return rows.filter(({ state }) => state === 'open').length;
}

function checkFacts(sql: Sql, row: Record<string, unknown>, found: (problem: string) => void): void {
  const events = sql('SELECT kind, body FROM journal WHERE batch = ? AND payout IS NULL ORDER BY seq').all(
    Number(row.id),
  );
  let facts: Record<string, unknown> = {};
  for (const { kind, body } of events) {
    // A remark of the application may have any body; it changes no fact.
    if (String(kind).startsWith('note:')) continue;
    const { set } = JSON.parse(String(body)) as { set?: Record<string, unknown> };
    facts = { ...facts, ...set };
  }
  const stored = JSON.parse(String(row.facts)) as Record<string, unknown>;
  const columns = { state: row.state, name: row.name, digest: row.digest };
  const expected = { state: facts.state, name: facts.name, digest: facts.digest ?? null };
  if (!isDeepStrictEqual(stored, facts) || !isDeepStrictEqual(columns, expected)) {
    found(`batch ${row.id}: what it is differs from what its journal says`);
  }
}
