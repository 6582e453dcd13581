/**
 * A ledger file goes to a server: its tables as they are, with ids, heads and journal. The only door of pg-copy-streams.
 *
 * Why nobody takes the copy for the ledger: the row that says whose ledger it is comes last, in the same commit as the
 * entry that the file has already. Tables without that row are refused by every program.
 * Errors:  LedgerError.
 * Source:  the text format of COPY in PostgreSQL's documentation.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Copied, LedgerMove } from '../ports/ledger/moving.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import { COMMITS, ENTRIES, type Head, ledgerHead, NO_HEAD } from './chain.ts';
import { realPlace } from './file.ts';
import { LEFT_FORMAT, MOVED, movedAway, ownEntry, standingOf } from './identity.ts';
import type { OpenLedger } from './open.ts';
import { pgDatabase, refuseNul } from './pg.ts';
import { type Client, connectPg, pgError, shownPlace } from './pg-connection.ts';
import { FORMAT } from './schema.ts';
import { hasTables, MAKING, makeTables, openingError, tablesOf } from './server.ts';
import { Watch } from './server-watch.ts';
import { numberOf, q, type Row, type Sql, text, type Value } from './sql.ts';

interface MoveParts {
  readonly file: OpenLedger;
  readonly place: ServerPlace;
  readonly clock: Pick<Clock, 'now'>;
  /** Opens what is there when the move is over. */
  readonly open: () => Promise<Ledger>;
}

export async function beginMove(parts: MoveParts): Promise<LedgerMove> {
  const { file, place } = parts;
  const to = shownPlace(place);
  const { read } = file.parts;
  const { moved } = await standingOf(read);
  if (moved !== undefined && moved.to !== to) throw movedAway(file.ledger.identity.path, moved);
  let digests: Digests = new Map();
  const onServer = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    try {
      // A table of millions of rows takes its time.
      const client = await connectPg(place, { query_timeout: 0 });
      // Without COMMIT the server forgets it all.
      return await work(client).finally(() => client.end().catch(() => undefined));
    } catch (error) {
      throw openingError(pgError(error, to), to);
    }
  };
  return {
    ...{ from: file.ledger, to, isLeft: moved !== undefined },
    copy: (copied, signal) =>
      onServer(async (client) => {
        digests = await copyTables(parts, client, copied, signal);
      }),
    verifyCopy: () => onServer((client) => otherTables(client, digests)),
    leave: (by) => onServer(() => leaveFile(parts, by)),
    arrive: () =>
      onServer(async (client) => {
        const left = await leftOf(read);
        await file.ledger.close();
        await becomeLedger(place, client, left);
        const ledger = await parts.open();
        await ledger.close();
        const { rows } = await client.query(SIZE);
        const [batches, entries] = [numberOf(rows[0]?.batches), numberOf(rows[0]?.entries)];
        return { identity: ledger.identity, batches, entries, head: left.after.hash };
      }),
    close: () => file.ledger.close(),
  };
}

const SIZE = `SELECT (SELECT count(*) FROM batches WHERE state = 'open') AS batches, (SELECT count(*) FROM journal) AS entries`;

/**
 * In the order in which one points to another; each is told apart, and ordered, by its first column. Leases end with their
 * process, and whose ledger it is comes last.
 */
const TABLES = ['batches', 'routes', 'payouts', 'journal', 'commits', 'name_releases', 'counters'] as const;
const BY_WORD: readonly string[] = ['name_releases', 'counters'];

/** What was written into each table. */
type Digests = ReadonlyMap<string, string>;

const LONG = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

async function copyTables(
  { file, place }: MoveParts,
  client: Client,
  copied: (progress: Copied) => void,
  signal: AbortSignal | undefined,
): Promise<Digests> {
  await requireSafe(place);
  await makeTables(client, place);
  await client.query(
    `BEGIN; ${LONG}; SET LOCAL lock_timeout = '5s'; SELECT pg_advisory_xact_lock(${MAKING})`,
  );
  await requireFree(client, place, file.ledger.identity.id);
  await client.query(`TRUNCATE ${TABLES.join(', ')}`);
  const putBack = await withoutIndexes(client);
  const digests = new Map<string, string>();
  for (const table of TABLES) {
    const tell = (rows: number) => copied({ table, rows });
    digests.set(table, await copyTable(file.parts.read, client, { table, signal, tell }));
  }
  signal?.throwIfAborted();
  await client.query(putBack);
  await client.query("SELECT setval('commit_numbers', max(seq)) FROM commits HAVING max(seq) IS NOT NULL");
  // Inside, where no other's vacuum stands in the way.
  await client.query(`ANALYZE ${TABLES.join(', ')}`);
  signal?.throwIfAborted();
  await client.query('COMMIT');
  return digests;
}

async function requireSafe(place: ServerPlace): Promise<void> {
  const path = shownPlace(place);
  const db = pgDatabase({ place, format: FORMAT });
  try {
    await Watch.requireSafe(db.read, path);
  } finally {
    await db.close();
  }
}

/** The statements that make them again: over rows that are there, that takes a part of the time. */
async function withoutIndexes(client: Client): Promise<string> {
  const found = await client.query<{ away: string; back: string }>(
    `SELECT 'DROP INDEX ' || indexrelid::regclass AS away, pg_get_indexdef(indexrelid) AS back FROM pg_index
       WHERE indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
     UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY($1::regclass[])`,
    [TABLES],
  );
  await client.query(found.rows.map(({ away }) => away).join(';'));
  return found.rows.map(({ back }) => back).join(';');
}

/** Nothing is there, or a copy of this very ledger that was not finished. */
async function requireFree(client: Client, place: ServerPlace, id: string): Promise<void> {
  const found = await client.query(`SELECT (SELECT id FROM ledger) AS owner,
    (SELECT body::json ->> 'id' FROM journal WHERE kind = 'created' AND payout IS NULL ORDER BY seq LIMIT 1) AS born`);
  const { owner, born } = found.rows[0] as { owner: string | null; born: string | null };
  if (owner === null && (born === null || born === id)) return;
  const more = owner === null ? ', whose move did not end' : '';
  const words = `At ${shownPlace(place)} there is a ledger already${more}. Nothing was changed. Name another schema with ?schema=NAME.`;
  throw new LedgerError('ledger_present', words);
}

interface Copying {
  readonly table: string;
  readonly signal: AbortSignal | undefined;
  readonly tell: (rows: number) => void;
}

/** What was written, as a digest. */
async function copyTable(sql: Sql, client: Client, { table, signal, tell }: Copying): Promise<string> {
  const columns = await columnsOf(client, table);
  const hash = createHash('sha256');
  async function* chunks(): AsyncGenerator<string> {
    let count = 0;
    for await (const rows of pagesOf(sql, table, columns)) {
      const lines = rows.map((row) => lineOf(columns, row)).join('');
      count += rows.length;
      hash.update(lines);
      tell(count);
      yield lines;
    }
  }
  const stream = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  await pipeline(Readable.from(chunks()), stream, signal === undefined ? {} : { signal });
  return hash.digest('hex');
}

async function columnsOf(client: Client, table: string): Promise<readonly string[]> {
  const words = `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;
  return (await client.query<{ name: string }>(words, [table])).rows.map(({ name }) => name);
}

const PAGE_ROWS = 2_000;

/** By its key, so that no answer holds them all. */
async function* pagesOf(sql: Sql, table: string, columns: readonly string[]): AsyncGenerator<readonly Row[]> {
  const key = columns[0] ?? '';
  let after: Value = BY_WORD.includes(table) ? '' : -1;
  for (;;) {
    const rows: readonly Row[] = await sql.all(q`SELECT ${text(columns.join(', '))} FROM ${text(table)}
      WHERE ${text(key)} > ${after} ORDER BY ${text(key)} LIMIT ${PAGE_ROWS}`);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.[key] ?? null;
  }
}

const lineOf = (columns: readonly string[], row: Row) =>
  `${columns.map((column) => wordOf(row[column] ?? null)).join('\t')}\n`;

const SPECIAL = /[\\\b\t\n\v\f\r]/g;
const ESCAPED: Readonly<Record<string, string>> = {
  ...{ '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r' },
};

function wordOf(value: Value): string {
  if (value === null) return '\\N';
  refuseNul(value);
  if (typeof value === 'string') return value.replace(SPECIAL, (sign) => ESCAPED[sign] ?? sign);
  return value instanceof Uint8Array ? `\\\\x${Buffer.from(value).toString('hex')}` : String(value);
}

async function otherTables(client: Client, digests: Digests): Promise<readonly string[]> {
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LONG}`);
  const others: string[] = [];
  for (const [table, digest] of digests) {
    const columns = await columnsOf(client, table);
    const hash = createHash('sha256');
    const words = `COPY (SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${columns[0]}) TO STDOUT`;
    for await (const chunk of client.query(copyTo(words))) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== digest) others.push(`its table ${table} is another`);
  }
  return others;
}

/** The last commit of the file. */
async function leaveFile({ file, place, clock }: MoveParts, by: string): Promise<void> {
  const { parts, ledger } = file;
  const db = pgDatabase({ place, format: FORMAT });
  const tables = await tablesOf(db.read).finally(() => db.close());
  const from = realPlace(ledger.identity.path);
  const moved = ownEntry(MOVED, { to: shownPlace(place), place: tables, from, by }, clock.now());
  await parts.writer.write(async ({ sql, add }) => {
    add(moved);
    await sql.run(q`UPDATE format SET version = ${LEFT_FORMAT}`);
    await sql.run(q`PRAGMA user_version = ${text(String(LEFT_FORMAT))}`);
  });
  // Whoever copies the file without its log must not get one that may send.
  await parts.read.all(q`PRAGMA wal_checkpoint(TRUNCATE)`);
}

/** What the file has since it was left, and the server gets to become the ledger. */
interface Left {
  readonly before: Head;
  readonly after: Head;
  readonly commit: Row;
  readonly entries: readonly Row[];
  readonly owner: Row;
}

/** The file's last commit says that it was left, for nobody works with it any more. */
async function leftOf(sql: Sql): Promise<Left> {
  const after = await ledgerHead(sql);
  const commits = after.commits - 1;
  const before = await sql.get(q`SELECT head FROM commits WHERE seq = ${commits}`);
  const commit = (await sql.get(q`SELECT * FROM commits WHERE seq = ${after.commits}`)) ?? {};
  const entries = await sql.all(
    q`SELECT * FROM journal WHERE seq BETWEEN ${commit['first'] ?? 0} AND ${commit['last'] ?? 0}`,
  );
  // Else there would be two ledgers.
  if (!entries.some(({ kind }) => kind === MOVED)) throw new TypeError('The file was not left');
  const owner = (await sql.get(q`SELECT * FROM ledger`)) ?? {};
  return { before: { commits, hash: String(before?.['head'] ?? NO_HEAD) }, after, commit, entries, owner };
}

const LAST = `SELECT seq, head, (SELECT id FROM ledger) AS owner, (SELECT head FROM commits WHERE seq = $1) AS mine
  FROM commits ORDER BY seq DESC LIMIT 1`;

/** One commit: before it the tables are nobody's, after it they are the ledger. Done before: nothing is left to do. */
async function becomeLedger(
  place: ServerPlace,
  client: Client,
  { before, after, commit, entries, owner }: Left,
): Promise<void> {
  const path = shownPlace(place);
  await requireSafe(place);
  if (!(await hasTables(client, place))) throw copyGone(path);
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${MAKING})`);
  const [last] = (await client.query(LAST, [after.commits])).rows;
  const isDone = last?.owner === owner['id'] && last?.mine === after.hash;
  const isAsCopied = Number(last?.seq ?? 0) === before.commits && (last?.head ?? NO_HEAD) === before.hash;
  if (!isDone) {
    if ((last?.owner ?? null) !== null || !isAsCopied) throw copyGone(path);
    for (const entry of entries) await insert(client, ENTRIES.name, entry);
    await insert(client, COMMITS.name, commit);
    await insert(client, 'ledger', owner);
    await client.query("SELECT setval('commit_numbers', $1)", [after.commits]);
  }
  await client.query('COMMIT');
}

async function insert(client: Client, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`).join(', ');
  await client.query(`INSERT INTO ${table}(${names.join(', ')}) VALUES (${places})`, Object.values(row));
}

function copyGone(path: string): LedgerError {
  const text =
    `The file says that its ledger was moved to ${path}, and the copy is not there as it was made. Nothing was done. ` +
    'The file may not know what was paid since, so it is not copied again. Name the right server, or put its data back.';
  return new LedgerError('ledger_damaged', text);
}
