/**
 * The only door of pg. Values come back as node:sqlite gives them: whole numbers as bigint, truth as 1 and 0.
 */
import pg from 'pg';

export interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** undefined: without; only on this machine. `root`: the certificate to trust, instead of the system's. */
  readonly tls?: { readonly root: string | undefined } | undefined;
  /** Where the ledger's tables are. */
  readonly schema: string;
}

const CONNECT_MS = 10_000;
/** A statement that waits longer than this has lost its server. */
const STATEMENT_MS = 120_000;
/** What takes longer has no server any more, or no thread that speaks with it. */
export const ANSWER_MS = STATEMENT_MS + 10_000;
/** A process that was stopped inside of a transaction must not keep the others from work. */
const IDLE_MS = 2_000;
/** Whoever waits stands still, and those behind it too; but it has to outlast the commits of others on a slow disk. */
export const LOCK_MS = 100;

const whole = (text: string): bigint => BigInt(text);
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT2, whole],
  [pg.types.builtins.INT4, whole],
  [pg.types.builtins.INT8, whole],
  [pg.types.builtins.NUMERIC, whole],
  [pg.types.builtins.BOOL, (text) => (text === 't' ? 1n : 0n)],
  // A copy of its own: a thread that hands a view over sends the whole buffer behind it.
  [pg.types.builtins.BYTEA, (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))],
]);

export type Client = pg.Client;

export async function connectClient({ schema, tls, ...place }: ServerPlace): Promise<Client> {
  const client = new pg.Client({
    ...place,
    ssl:
      tls === undefined
        ? false
        : { rejectUnauthorized: true, ...(tls.root === undefined ? {} : { ca: tls.root }) },
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    lock_timeout: LOCK_MS,
    keepAlive: true,
    application_name: 'payfile',
    types: { getTypeParser: (type: number) => PARSERS.get(type) ?? ((text: string) => text) },
  });
  await client.connect();
  // Whatever the server's default is: after a lock was waited for, the next statement sees what was written meanwhile.
  await client.query(`SET search_path TO ${pg.escapeIdentifier(schema)}; SET client_min_messages TO warning;
    SET default_transaction_isolation TO 'read committed'`);
  return client;
}
