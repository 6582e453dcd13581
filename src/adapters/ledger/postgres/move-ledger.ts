/**
 * A ledger file goes to a server: its tables as they are, with ids, heads and journal.
 *
 * Why nobody takes the copy for the ledger: the row that says whose ledger it is comes last, in the same commit as the
 * entry that the file has already. Tables without that row are refused by every program.
 * Errors:  LedgerError; PostgresError becomes one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../ports/clock.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Ledger } from '../../../ports/ledger/ledger.ts';
import type { Copied, LedgerMove } from '../../../ports/ledger/moving.ts';
import { LEDGER_CHAIN } from '../batches/batches.ts';
import { ChainDraft, type Head, ledgerHead } from '../proof/event-chain.ts';
import type { OpenFile } from '../sqlite-ledger.ts';
import type { Database, StoredRow } from '../storage/database.ts';
import { FORMAT } from '../storage/migrations.ts';
import { retryWhileBusy } from '../storage/open-file.ts';
import { numberOf, prepareOnce } from '../storage/sql-statements.ts';
import { fileIdentityOf } from '../trust/ledger-mark.ts';
import { leftFormat, type Moved, movedAway, movedLine, movedOf } from '../trust/moved.ts';
import { PostgresDatabase } from './connection.ts';
import { copyRows, digestThere, type Table } from './copy-rows.ts';
import { type Client, connectClient, type ServerPlace } from './pg-client.ts';
import { hasTables, MAKING, makeTables, serverErrorOf, shownPlace, tablesOf } from './postgres-ledger.ts';
import { requireSafeServer } from './server-checks.ts';

interface MoveParts {
  readonly file: OpenFile;
  readonly place: ServerPlace;
  readonly clock: Pick<Clock, 'now'>;
  /** Opens what is there when the move is over. */
  readonly open: () => Promise<Ledger>;
}

/** What the file has when it was left, and the server gets to become the ledger. */
interface Left {
  readonly moved: Moved;
  readonly before: Head;
  readonly after: Head;
  readonly owner: StoredRow;
}

export async function beginMove(parts: MoveParts): Promise<LedgerMove> {
  const { file, place } = parts;
  const to = shownPlace(place);
  const path = file.ledger.identity.path;
  const moved = movedOf(prepareOnce(file.db));
  if (moved !== undefined && moved.to !== to) throw movedAway(path, moved);
  let digests: Digests = new Map();
  let left = moved === undefined ? undefined : leftOf(file.db, moved);
  const heard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw serverErrorOf(error, to);
    }
  };
  return {
    from: file.ledger,
    to,
    isLeft: left !== undefined,
    copy: (copied, signal) =>
      heard(async () => {
        digests = await copyTables(parts, copied, signal);
      }),
    verifyCopy: () => heard(() => verifyCopy(place, digests)),
    leave: (by) =>
      heard(async () => {
        left = leaveFile(parts, { to, by });
        await file.ledger.close();
      }),
    arrive: () =>
      heard(async () => {
        if (left === undefined) throw new TypeError('The file was not left');
        await file.ledger.close();
        await becomeLedger(place, left);
        const ledger = await parts.open();
        await ledger.close();
        return { identity: ledger.identity, ...withServer(place, sizeOf), head: left.after.hash };
      }),
    close: () => file.ledger.close(),
  };
}

function sizeOf(db: Database) {
  const batches = "SELECT count(*) AS n FROM batches WHERE state = 'open'";
  return { batches: numberOf(db.prepare(batches).get()?.n), entries: countOf(db, 'journal') };
}

/** What was written into each table. */
type Digests = ReadonlyMap<Table, string>;

/** Leases end with their process; whose ledger it is comes last. */
const NOT_COPIED = ['leases', 'part_leases', 'ledger'];

async function copyTables(
  { file: { db }, place }: MoveParts,
  copied: (progress: Copied) => void,
  signal: AbortSignal | undefined,
): Promise<Digests> {
  const digests = new Map<Table, string>();
  const path = shownPlace(place);
  await prepareTables(place, path);
  const tables = tablesIn(db).filter(({ name }) => !NOT_COPIED.includes(name));
  const client = await connectClient(place);
  try {
    // A table of millions of rows takes its time.
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
      SET LOCAL lock_timeout = '5s'; SELECT pg_advisory_xact_lock(${MAKING})`);
    await requireFree(client, path, ownerOf(db).id);
    const all = tables.map(({ name }) => name);
    await client.query(all.map((name) => `ALTER TABLE ${name} DISABLE TRIGGER USER`).join(';'));
    await client.query(`TRUNCATE ${all.join(', ')}`);
    const putBack = await withoutIndexes(client, all);
    for (const table of tables) {
      const tell = (rows: number) => copied({ table: table.name, rows });
      digests.set(table, await copyRows(db, client, table, { signal, copied: tell }));
    }
    signal?.throwIfAborted();
    await client.query(putBack);
    await client.query("SELECT setval('route_ids', max(id)) FROM routes HAVING max(id) IS NOT NULL");
    await client.query(all.map((name) => `ALTER TABLE ${name} ENABLE TRIGGER USER`).join(';'));
    // Inside, where no other's vacuum stands in the way.
    await client.query(`ANALYZE ${all.join(', ')}`);
    signal?.throwIfAborted();
    await client.query('COMMIT');
    return digests;
  } finally {
    // Without COMMIT the server forgets it all.
    await client.end().catch(() => undefined);
  }
}

/** The statements that make them again: over rows that are there, that takes a part of the time. */
async function withoutIndexes(client: Client, tables: readonly string[]): Promise<string> {
  const found = await client.query<{ away: string; back: string }>(
    `SELECT 'DROP INDEX ' || indexrelid::regclass AS away, pg_get_indexdef(indexrelid) AS back FROM pg_index
       WHERE indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
     UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY($1::regclass[])`,
    [tables],
  );
  await client.query(found.rows.map(({ away }) => away).join(';'));
  return found.rows.map(({ back }) => back).join(';');
}

async function prepareTables(place: ServerPlace, path: string): Promise<void> {
  const db = new PostgresDatabase(place);
  try {
    requireSafeServer(db, path);
    await retryWhileBusy(path, () => makeTables(db, place));
  } finally {
    db.close();
  }
}

/** In the order in which they were made: what others point to comes first. */
function tablesIn(db: Database): readonly Table[] {
  const made =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name = 'sqlite_sequence' OR name NOT LIKE 'sqlite%')";
  const known = db.prepare('SELECT name, pk FROM pragma_table_info(?)');
  return db
    .prepare(`${made} ORDER BY rowid`)
    .all()
    .map(({ name }) => {
      const found = known
        .all(String(name))
        .map((each) => ({ column: String(each.name), pk: numberOf(each.pk) }));
      const columns = found.map(({ column }) => column);
      const key = found.filter(({ pk }) => pk > 0).map(({ column }) => column);
      return { name: String(name), columns, key: key.length > 0 ? key : columns };
    });
}

function ownerOf(db: Database): StoredRow {
  return db.prepare('SELECT * FROM ledger').get() ?? {};
}

/** Nothing is there, or a copy of this very ledger that was not finished. */
async function requireFree(client: Client, path: string, id: unknown): Promise<void> {
  const found = await client.query(
    "SELECT (SELECT id FROM ledger) AS owner, (SELECT body::json ->> 'id' FROM journal WHERE seq = 1) AS born",
  );
  const { owner, born } = found.rows[0] as { owner: string | null; born: string | null };
  if (owner === null && (born === null || born === id)) return;
  throw new LedgerError(
    'ledger_present',
    `At ${path} there is a ledger already${owner === null ? ', whose move did not end' : ''}. Nothing was changed. Name another schema with ?schema=NAME.`,
  );
}

async function verifyCopy(place: ServerPlace, digests: Digests): Promise<readonly string[]> {
  const client = await connectClient(place);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0');
    const others: string[] = [];
    for (const [table, digest] of digests)
      if ((await digestThere(client, table)) !== digest) others.push(`its table ${table.name} is another`);
    return others;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function countOf(db: Database, table: string): number {
  return numberOf(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
}

/** The last commit of the file. */
function leaveFile({ file, place, clock }: MoveParts, { to, by }: { to: string; by: string }): Left {
  const { db, ledger } = file;
  const { path } = ledger.identity;
  const tables = withServer(place, tablesOf);
  const moved = { at: clock.now(), to, tables, from: { path, file: fileIdentityOf(path) }, by };
  db.exec('BEGIN IMMEDIATE');
  appendMoved(db, moved);
  db.exec(`PRAGMA user_version = ${leftFormat(FORMAT)}`);
  db.exec('COMMIT');
  // Whoever copies the file without its log must not get one that may send.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return leftOf(db, moved);
}

function appendMoved(db: Database, moved: Moved): void {
  const chain = new ChainDraft(prepareOnce(db));
  chain.begin();
  chain.add(LEDGER_CHAIN, movedLine(moved));
  chain.write();
}

/** `moved` is the last entry of the file, for nobody works with it any more. */
function leftOf(db: Database, moved: Moved): Left {
  const after = ledgerHead(prepareOnce(db));
  const commits = after.commits - 1;
  const hash = String(db.prepare('SELECT head FROM commits WHERE seq = ?').get(commits)?.head);
  return { moved, before: { commits, hash }, after, owner: ownerOf(db) };
}

/** One commit: before it the tables are nobody's, after it they are the ledger. Done before: nothing is left to do. */
async function becomeLedger(place: ServerPlace, { moved, before, after, owner }: Left): Promise<void> {
  const path = shownPlace(place);
  const db = new PostgresDatabase(place);
  try {
    requireSafeServer(db, path);
    if (!hasTables(db, place)) throw copyGone(path);
    await retryWhileBusy(path, () => {
      const sql = prepareOnce(db);
      db.exec('BEGIN IMMEDIATE');
      try {
        if (isDeepStrictEqual(ownerOf(db).id, owner.id) && headAt(db, after.commits) === after.hash)
          return db.exec('ROLLBACK');
        if (ownerOf(db).id !== undefined || !isDeepStrictEqual(ledgerHead(sql), before)) throw copyGone(path);
        appendMoved(db, moved);
        if (!isDeepStrictEqual(ledgerHead(sql), after)) throw copyGone(path);
        const columns = Object.keys(owner);
        db.prepare(
          `INSERT INTO ledger(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ).run(...Object.values(owner));
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    });
  } finally {
    db.close();
  }
}

function headAt(db: Database, commits: number): unknown {
  return db.prepare('SELECT head FROM commits WHERE seq = ?').get(commits)?.head;
}

function copyGone(path: string): LedgerError {
  const text =
    `The file says that its ledger was moved to ${path}, and the copy is not there as it was made. Nothing was done. ` +
    'The file may not know what was paid since, so it is not copied again. Name the right server, or put its data back.';
  return new LedgerError('ledger_damaged', text);
}

function withServer<T>(place: ServerPlace, ask: (db: Database) => T): T {
  const db = new PostgresDatabase(place);
  try {
    return ask(db);
  } finally {
    db.close();
  }
}
