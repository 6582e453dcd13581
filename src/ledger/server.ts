/**
 * A ledger on a server: opens it, makes one when that is allowed, and refuses one that is not safe to work with.
 *
 * A process that only watches needs no renewal: its pool makes a new connection where one was lost. One that writes is
 * opened anew, and looked at like any other.
 * Errors:  LedgerError, naming the place and what to do.
 */
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import { requireFormat } from './identity.ts';
import { requireKnownPlace } from './known.ts';
import { THIS_MACHINE } from './machine.ts';
import { makeLedger, type OpenOptions, openFound } from './open.ts';
import { patienceOf } from './patience.ts';
import { pgDatabase } from './pg.ts';
import { type Client, connectPg, type Stoppable, shownPlace } from './pg-connection.ts';
import { FORMAT, schemaText } from './schema.ts';
import { Watch } from './server-watch.ts';
import { type Database, q, type Sql } from './sql.ts';

export interface OpenServerLedgerOptions extends OpenOptions, Stoppable {
  readonly place: ServerPlace;
  /** Where outcomes go that no commit takes, by the ledger's id; undefined: nowhere. */
  readonly emergencyPath?: ((id: string) => string) | undefined;
  /** undefined: the server's. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
  /** This machine's; undefined: the system's. */
  readonly ownClock?: { now(): number; monotonicMs(): number } | undefined;
  /** Called whenever it was measured how far the server's clock is ahead of this machine's, in milliseconds. */
  readonly setAheadMs?: ((ms: number) => void) | undefined;
}

export async function openServerLedger(options: OpenServerLedgerOptions): Promise<Ledger> {
  const { place, stop } = options;
  const path = shownPlace(place);
  const db = pgDatabase({ place, format: FORMAT, stop });
  try {
    await prepareTables(path, options);
    return await openOn(db, path, options);
  } catch (error) {
    await db.close();
    throw openingError(error, path);
  }
}

async function prepareTables(path: string, options: OpenServerLedgerOptions): Promise<void> {
  const { place, create, binding, readOnly = false, namedId, knownLedgersPath, stop } = options;
  const client = await connectPg(place, { stop });
  try {
    const isThere = await hasTables(client, place);
    if (!isThere && (readOnly || !create || binding === undefined || namedId !== undefined))
      throw missing(path);
    if (readOnly) return;
    if (isThere) return await requireGrants(client, place);
    if (knownLedgersPath !== undefined) requireKnownPlace(knownLedgersPath);
    await makeTables(client, place);
  } finally {
    await patienceOf(stop)
      .of(client.end())
      .catch(() => undefined);
  }
}

/** "PayF" in ASCII: a lock of the server that only we take. Of two that make the tables, the second finds them made. */
export const MAKING = 0x50617946;

/** Empty: whose ledger they are is written by one commit of its own. */
export async function makeTables(client: Client, place: ServerPlace): Promise<void> {
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${MAKING})`);
  if (!(await hasTables(client, place)))
    await client.query(
      `CREATE SCHEMA IF NOT EXISTS "${place.schema.replaceAll('"', '""')}"; ${schemaText('pg')}`,
    );
  await client.query('COMMIT');
}

/** Also where this user may not look into them. */
export async function hasTables(client: Client, { schema }: ServerPlace): Promise<boolean> {
  const words = "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'format'";
  return (await client.query(words, [schema])).rows.length > 0;
}

/**
 * A user who does not own the tables needs to be granted each of them (guide/server.md). Asked before anything is begun: a
 * table that an outcome needs must not be found closed after the sending.
 */
async function requireGrants(client: Client, place: ServerPlace): Promise<void> {
  const { rows } = await client.query(
    `SELECT string_agg(relname, ', ' ORDER BY relname) AS closed FROM pg_class
     WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND NOT
       CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE') WHEN 'r' THEN
         has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(oid, 'SELECT') AND
         (relname IN ('format', 'ledger') OR has_table_privilege(oid, CASE relname WHEN 'counters' THEN 'UPDATE' ELSE 'INSERT' END))
       ELSE true END`,
    [place.schema],
  );
  const closed = rows[0]?.closed;
  if (closed === null || closed === undefined) return;
  const text =
    `The user ${place.user} may not work with the ledger ${shownPlace(place)}: its owner has not granted ${closed}. Nothing ` +
    'was done. Run the grants of payfile help server as its owner.';
  throw new LedgerError('ledger_unsupported', text, { guide: 'server' });
}

async function openOn(db: Database, path: string, options: OpenServerLedgerOptions): Promise<Ledger> {
  const { binding, create, namedId, machine = THIS_MACHINE } = options;
  await requireFormat(db.read, path);
  const watch = new Watch({ ...options, sql: db.read, path, machine });
  await watch.look();
  if (options.readOnly !== true) watch.requireSafe();
  const { clock = watch.clock, knownLedgersPath, emergencyPath } = options;
  const found = { db, path, clock, place: await tablesOf(db.read) };
  const mayMake = create && options.readOnly !== true && namedId === undefined;
  const isMade = mayMake && binding !== undefined && (await makeLedger(found, { ...options, binding }));
  if ((await db.read.get(q`SELECT 1 AS it FROM ledger`)) === undefined) throw moveNotEnded(path);
  const emergencyOf = (id: string) => emergencyPath?.(id);
  const where = { ...found, isMade, watch, folderOf: () => knownLedgersPath, emergencyOf };
  return (await openFound(where, options)).ledger;
}

/** Which tables of which server: a dump that is restored gives others. */
export async function tablesOf(sql: Sql): Promise<string> {
  const row = await sql.get(
    q`SELECT system_identifier || '.' || (SELECT oid FROM pg_database WHERE datname = current_database()) || '.' ||
      'ledger'::regclass::oid AS tables FROM pg_control_system()`,
  );
  return String(row?.['tables']);
}

const NO_PASSWORD = /empty password|password must be a (non-empty )?string/;

/** Of an opening: nothing was written that could be unknown. */
export function openingError(error: unknown, path: string): unknown {
  const cause = error instanceof LedgerError ? error.cause : error;
  const { message = '', code } = (cause ?? {}) as { readonly message?: string; readonly code?: string };
  if (NO_PASSWORD.test(message)) {
    const text =
      `The server of the ledger ${path} wants a password, and none is set. Write it into a file that only you can read, ` +
      'and name the file in PAYFILE_LEDGER_PASSWORD_FILE, or as "passwordFile" in "ledger" of the configuration.';
    return new LedgerError('ledger_unwritable', text, { cause: error });
  }
  // A user without a right on the schema does not find its tables.
  if (code === '42P01' || code === '42501') {
    const text =
      `The user of the ledger ${path} has no rights on its tables (${message}). Run the grants of payfile help server as ` +
      'the owner of the tables.';
    return new LedgerError('ledger_unwritable', text, { cause: error, guide: 'server' });
  }
  return error;
}

function missing(path: string): LedgerError {
  const text = `There is no ledger at ${path}. Make one with payfile init, or mend PAYFILE_LEDGER.`;
  return new LedgerError('ledger_missing', text);
}

function moveNotEnded(path: string): LedgerError {
  const text =
    `There is no ledger at ${path} yet: a move to this place did not end. Nothing was done. Type payfile ledger move ` +
    'again, with the ledger file that is moved; until then that file says whether it is the ledger.';
  return new LedgerError('ledger_moved', text);
}
