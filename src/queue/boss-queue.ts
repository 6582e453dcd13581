/**
 * The jobs of the workers on the ledger's server, by pg-boss. The only door of pg-boss. A job wakes one worker; what the work
 * is stands in tables of our own beside the jobs (fleet-on-boss.ts).
 *
 * Errors:  ServerFailure; LedgerError where the queue cannot be opened.
 */
import { PgBoss } from 'pg-boss';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerDatabase } from '../ports/server-place.ts';

export type Boss = PgBoss;

/** Of the ledger's schema and this the name has to fit. */
const SCHEMA_END = '_jobs';
const NAME_MAX = 63;
/** A lock of the server that only we take. */
const MAKING = 0x50617947;
const DAY_S = 86_400;
/** As pg-boss takes it; a heartbeat is missed when a worker waits for its server. */
const HEARTBEAT_S = 10;

const moving = { retryLimit: 0, deadLetter: 'recover' } as const;
const asking = { retryLimit: 5, retryBackoff: true, deadLetter: 'recover' } as const;
const alive = { heartbeatSeconds: HEARTBEAT_S, expireInSeconds: DAY_S } as const;
/** As long as somebody else may have the batch, which is as long as a job may take: whoever asked waits for it. */
const waiting = { retryLimit: 3_000, retryDelay: 2, retryBackoff: true, retryDelayMax: 30 } as const;
/** Nothing that moves money is tried again by the queue. */
export const STAGE_QUEUES = {
  recover: { policy: 'standard', ...waiting, ...alive },
  price: { policy: 'exclusive', ...asking, ...alive },
  'send-head': { policy: 'exclusive', ...moving, ...alive },
  send: { policy: 'standard', ...moving, ...alive },
  settle: { policy: 'exclusive', ...asking, ...alive },
} as const;

export function jobsSchema(ledger: string): string {
  const schema = `${ledger}${SCHEMA_END}`;
  if (schema.length > NAME_MAX)
    throw new LedgerError('ledger_unsupported', `The schema name ${ledger} is too long for workers.`);
  return schema;
}

/** `tables`: ours, made in the same schema. undefined if no worker ever ran and they are not to be made. */
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
  // Whoever called learns it from the answer to the next question.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    if (create) await prepare(boss, server, tables);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    if (!create && error instanceof Error && error.message.includes('not installed')) return undefined;
    throw error;
  }
}

async function prepare(boss: Boss, server: ServerDatabase, tables: string): Promise<void> {
  for (const [name, options] of Object.entries(STAGE_QUEUES)) await boss.createQueue(name, options);
  await server.inTransaction(async (inside) => {
    // Of two workers that start together one makes them.
    await inside.executeSql(`SELECT pg_advisory_xact_lock(${MAKING})`);
    // Who may make none finds them made.
    const { rows } = await inside.executeSql("SELECT to_regclass('fleet_lanes') AS made");
    if ((rows[0] as { made?: unknown } | undefined)?.made === null) await inside.executeSql(tables);
  });
}
