/**
 * A connection to PostgreSQL, and the only door of pg: it gets every guarantee when it is made, whatever the server's defaults
 * are, and its errors are told as the ledger's own.
 *
 * Units:   values come back as node:sqlite gives them: whole numbers as bigint, truth as 1 and 0.
 * Errors:  as sql.ts says. A connection that is gone is told as that (`ledger_unreachable`), never as damage.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import { patienceOf } from './patience.ts';
import { Busy, Refused, StorageError } from './sql.ts';

export type Client = pg.Client;
export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;
export type QueryResult = pg.QueryResult;

const CONNECT_MS = 10_000;
/** A statement that waits longer than this has lost its server. */
const STATEMENT_MS = 120_000;
/** What takes longer has no server any more. */
const ANSWER_MS = STATEMENT_MS + 10_000;
/** A process that was stopped inside of a transaction must not keep the others from work. */
const IDLE_MS = 2_000;
/** For a writer that works alone to end. Whoever waits keeps nobody from work. */
const LOCK_MS = 10_000;

const whole = (text: string): bigint => BigInt(text);
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT2, whole],
  [pg.types.builtins.INT4, whole],
  [pg.types.builtins.INT8, whole],
  [pg.types.builtins.NUMERIC, whole],
  [pg.types.builtins.BOOL, (text) => (text === 't' ? 1n : 0n)],
  [pg.types.builtins.BYTEA, (text) => Buffer.from(text.slice(2), 'hex')],
]);

/**
 * `synchronous_commit` of the session wins over whatever is set on the server, now or later. After a lock was waited for,
 * the next statement has to see what was written meanwhile.
 */
const guaranteesFor = (schema: string, session: string) => `
SET synchronous_commit TO on; SET default_transaction_isolation TO 'read committed';
SET idle_session_timeout TO 0; SET idle_in_transaction_session_timeout TO ${IDLE_MS};
SET statement_timeout TO ${STATEMENT_MS}; SET lock_timeout TO ${LOCK_MS}; SET client_min_messages TO warning;
SET search_path TO ${pg.escapeIdentifier(schema)}; SET payfile.session TO '${session}'`;

function configOf({ schema: _schema, tls, ...place }: ServerPlace): pg.ClientConfig {
  return {
    ...place,
    ssl:
      tls === undefined
        ? false
        : { rejectUnauthorized: true, ...(tls.root === undefined ? {} : { ca: tls.root }) },
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: 'payfile',
    types: { getTypeParser: (type: number) => PARSERS.get(type) ?? ((text: string) => text) } as never,
  };
}

/** Without a password: there is none in the place that a person writes. */
export function shownPlace({ user, host, port, database, schema }: ServerPlace): string {
  return `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
}

/** A connection of its own with every guarantee, for what is no part of the ledger's reading and writing. */
export async function connectPg(
  place: ServerPlace,
  { stop, ...options }: pg.ClientConfig & Stoppable = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...configOf(place), ...options });
  waitUntil(stop, client);
  // An error between two questions is told with the next one.
  client.on('error', () => undefined);
  try {
    await patienceOf(stop).of(client.connect());
    await guarantee(client, place);
    return client;
  } catch (error) {
    await patienceOf(stop)
      .of(client.end())
      .catch(() => undefined);
    throw pgError(error, shownPlace(place));
  }
}

export interface Stoppable {
  /** Whoever stops the process waits no longer for a server that gives no answer; undefined: nobody can. */
  readonly stop?: AbortSignal | undefined;
}

function waitUntil(stop: AbortSignal | undefined, client: Pick<pg.ClientBase, 'query'>): void {
  if (stop === undefined) return;
  const [ask, patience] = [client.query.bind(client) as (...given: unknown[]) => unknown, patienceOf(stop)];
  const asked = (...given: unknown[]) => {
    const answer = ask(...given);
    // A question of the pool has a callback, and is waited for there.
    return answer instanceof Promise ? patience.of(answer) : answer;
  };
  client.query = asked as typeof client.query;
}

/** Left out of pg's types. */
export type Asker = Pick<pg.ClientBase, 'query'> & { readonly processID?: number | null };

/** The session that has them is named, so that each commit can see that it is in it. */
export const SESSION = "current_setting('payfile.session', true)";

export async function guarantee(client: Asker, place: ServerPlace): Promise<void> {
  const session = randomUUID();
  await client.query(guaranteesFor(place.schema, session));
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  // The server itself tells its process when it is connected to; whatever stands between tells a number of its own.
  if (Number(rows[0]?.pid) !== client.processID) await requireSession(client, place, session);
}

/** A pooler is fine as long as it keeps one session of the server for each of ours. Each commit looks again (`SESSION`). */
async function requireSession(client: Asker, place: ServerPlace, session: string): Promise<void> {
  // Whoever is in a transaction has the session that a pooler of transactions took from us.
  const other = new pg.Client(configOf(place));
  other.on('error', () => undefined);
  try {
    await other.connect();
    await other.query('BEGIN');
    const { rows } = await client.query(`SELECT ${SESSION} AS session`);
    if (rows[0]?.session !== session) throw pooled(shownPlace(place));
  } finally {
    await other.end().catch(() => undefined);
  }
}

export function pooled(path: string): LedgerError {
  const text =
    `The ledger ${path} is reached through a pooler that gives each transaction another session of the server. What keeps ` +
    'payments from being forgotten or made twice is set once a session, and would be lost. Nothing was done. Name the ' +
    'server itself, or let the pooler keep one session for each client (in PgBouncer: pool_mode = session).';
  return new StorageError('ledger_unsupported', text, { guide: 'server' });
}

/** Each connection gets the guarantees before it is used, and `more` of its own. */
export function poolOf(
  place: ServerPlace,
  { more, stop, ...own }: pg.PoolConfig & Stoppable & { readonly more?: string },
): pg.Pool {
  const onConnect = async (client: pg.ClientBase) => {
    // While somebody has it the pool does not listen, and an error that nobody hears ends the process.
    client.on('error', () => undefined);
    waitUntil(stop, client);
    await guarantee(client, place);
    if (more !== undefined) await client.query(more);
  };
  const pool = new pg.Pool({ ...configOf(place), ...own, onConnect } as pg.PoolConfig);
  pool.on('error', () => undefined);
  return pool;
}

/** The error for whoever asked: the error itself where neither server nor connection is at fault. */
export function pgError(error: unknown, path: string, isUnknown = false): unknown {
  if (error instanceof LedgerError || error instanceof Refused) return error;
  const { message = String(error), severity, code, constraint } = error as Partial<pg.DatabaseError>;
  // Only the server's own errors have a severity: another one's code, such as ECONNRESET, is of the connection.
  const state = severity === undefined ? undefined : code;
  if (state === undefined)
    return error instanceof TypeError || error instanceof RangeError
      ? error
      : unreachable(path, message, { cause: error, isUnknown });
  if (state === '23505') return new Refused(constraint ?? '', error);
  if (['55P03', '40001', '40P01', '57014'].includes(state))
    return new Busy(
      `The ledger ${path} is locked by another process. Wait until it ends, then run again.`,
      error,
    );
  if (['42501', '25006'].includes(state)) {
    const text = `The ledger ${path} cannot be used: ${message}. Have whoever runs the server grant it: payfile help server.`;
    return new StorageError('ledger_unwritable', text, { cause: error, guide: 'server' });
  }
  if (state === '53100') {
    const text = `The ledger ${path} cannot be written: the disk of its server is full. Make room, then run the command again.`;
    return new StorageError('ledger_unwritable', text, { cause: error });
  }
  return /^(08|28|3D|57P|58|XX|53|25P0[34])/.test(state)
    ? unreachable(path, message, { cause: error, isUnknown })
    : error;
}

export function unreachable(
  path: string,
  said: string,
  { cause, isUnknown = false }: { readonly cause?: unknown; readonly isUnknown?: boolean } = {},
): StorageError {
  const what = isUnknown ? ' What it wrote last is not known here.' : '';
  const then = isUnknown ? ': it looks up what became of the payments' : '';
  const text =
    `The server of the ledger ${path} cannot be reached, or broke off: ${said}.${what} Check the server, its address, ` +
    `the user and the password. Then run the same command again${then}.`;
  return new StorageError('ledger_unreachable', text, { cause, isUnknown, isFinal: true });
}

export function otherFormat(path: string): LedgerError {
  const text =
    `The ledger ${path} was brought to another format while this process was at work. Nothing of this was written. ` +
    'Start it again with the newest payfile on every machine.';
  return new StorageError('ledger_unsupported', text);
}
