/**
 * Verifying the chains: every commit's head is computed again from the journal and the rows, and every entry
 * of the journal belongs to exactly one commit. Then the facts of each batch are replayed from its events.
 */
import { isDeepStrictEqual } from 'node:util';
import { type CommitNumbers, headOf, lineText, NO_HEAD, RowsHash } from './event-chain.ts';
import { numberOf, type Sql } from './statements.ts';
import { CONTENT_COLUMNS, type RowContent, routeOfRow, rowKeys, rowText } from './stored-payout.ts';

const SLICE = 200;
const WITH_ROW = "('imported','replacement')";

interface CommitRow extends CommitNumbers {
  readonly head: string;
}

export interface ChainVerdict {
  readonly entries: number;
  readonly head: string;
}

/** `found` is told each problem in words. `batch` undefined: the whole ledger. */
export async function verifyChains(
  { sql, breathe }: { sql: Sql; breathe: () => Promise<void> },
  batch: number | undefined,
  found: (problem: string) => void,
): Promise<ChainVerdict> {
  const heads = new Map<number, { head: string; last: number }>();
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
      if (batch === undefined && commit.seq !== seq + 1) found(`commit ${seq + 1} is missing`);
      const before = heads.get(commit.batch) ?? { head: NO_HEAD, last: 0 };
      checkCommit(sql, commit, { before, isDropped: dropped.has(commit.batch), found });
      heads.set(commit.batch, commit);
      seq = commit.seq;
      entries += commit.events;
      head = commit.head;
      await breathe();
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
  const rewritten = sql(
    "SELECT body FROM journal WHERE payout = ? AND kind <> 'imported' AND kind = 'rewritten' ORDER BY seq LIMIT 1",
  );
  const hash = new RowsHash();
  for (const row of rows.all(first, last, batch)) {
    const current = row as unknown as RowContent;
    const earliest = rewritten.get(current.id)?.body;
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
export function verifyFacts(sql: Sql, batch: number | undefined, found: (problem: string) => void): number {
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
  const expected = { state: facts.state, name: facts.name ?? null, digest: facts.digest ?? null };
  if (!isDeepStrictEqual(stored, facts) || !isDeepStrictEqual(columns, expected)) {
    found(`batch ${row.id}: what it is differs from what its journal says`);
  }
}
