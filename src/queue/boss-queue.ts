/**
 * Job queues for workers on the server of the ledger. Only this file uses pg-boss. A job wakes one worker. Our own
 * tables describe the work (fleet-on-boss.ts).
 *
 * Errors:  ServerFailure; LedgerError if the queue cannot be opened.
 */
import { PgBoss } from 'pg-boss';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerDatabase } from '../ports/server-place.ts';

export type Boss = PgBoss;

/** Suffix of the schema for jobs. PostgreSQL limits the whole name. */
const SCHEMA_SUFFIX = '_jobs';
const SCHEMA_NAME_MAX = 63;
/** Id of an advisory lock that only payfile takes. */
const SETUP_LOCK = 0x50617947;
const DAY_S = 86_400;
/** Shortest heartbeat that pg-boss accepts. A worker that waits for its server may miss one. */
const HEARTBEAT_S = 10;

const neverRetried = { retryLimit: 0, deadLetter: 'recover' } as const;
const retried = { retryLimit: 5, retryBackoff: true, deadLetter: 'recover' } as const;
const withHeartbeat = { heartbeatSeconds: HEARTBEAT_S, expireInSeconds: DAY_S } as const;
/** Retries for as long as a job may take, because another process may hold the batch that long. */
const retriedForLong = { retryLimit: 3_000, retryDelay: 2, retryBackoff: true, retryDelayMax: 30 } as const;
/** The queue never retries work that moves money. */
export const STAGE_QUEUES = {
  recover: { policy: 'standard', ...retriedForLong, ...withHeartbeat },
  price: { policy: 'exclusive', ...retried, ...withHeartbeat },
  'send-head': { policy: 'exclusive', ...neverRetried, ...withHeartbeat },
  send: { policy: 'standard', ...neverRetried, ...withHeartbeat },
  settle: { policy: 'exclusive', ...retried, ...withHeartbeat },
} as const;

export function jobsSchema(ledger: string): string {
  const schema = `${ledger}${SCHEMA_SUFFIX}`;
  if (schema.length > SCHEMA_NAME_MAX)
    throw new LedgerError('ledger_unsupported', `The schema name ${ledger} is too long for workers.`);
  return schema;
}

/**
 * `tables`: SQL of our tables, created in the same schema; undefined creates nothing. Returns undefined if nobody
 * created the queues.
 */
export async function startBoss(
  server: ServerDatabase,
  schema: string,
  tables: string | undefined,
): Promise<Boss | undefined> {
  const create = tables !== undefined;
  const boss = new PgBoss({
    ...{ db: { executeSql: (text: string, values?: unknown[]) => server.executeSql(text, values) }, schema },
    ...{ schedule: false, supervise: false, migrate: create, createSchema: create, persistWarnings: false },
    monitorIntervalSeconds: 5,
  });
  // The next query reports the error to its caller.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    if (create) await createQueues(boss, server, tables);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    if (!create && error instanceof Error && error.message.includes('not installed')) return undefined;
    throw error;
  }
}

async function createQueues(boss: Boss, server: ServerDatabase, tables: string): Promise<void> {
  for (const [name, options] of Object.entries(STAGE_QUEUES)) await boss.createQueue(name, options);
  await server.inTransaction(async (inside) => {
    // If two workers start together, only one creates the tables.
    await inside.executeSql(`SELECT pg_advisory_xact_lock(${SETUP_LOCK})`);
    // Do not create tables that exist: the role may lack the right to create tables.
    const { rows } = await inside.executeSql("SELECT to_regclass('fleet_lanes') AS made");
    if ((rows[0] as { made?: unknown } | undefined)?.made === null) await inside.executeSql(tables);
  });
}
