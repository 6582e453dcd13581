/**
 * The queue of the workers on the ledger's server, by pg-boss. The only file that uses pg-boss.
 *
 * Errors:  ServerFailure; LedgerError where the queue cannot be opened.
 */
import { PgBoss } from 'pg-boss';
import type { WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerDatabase } from '../ports/server-place.ts';
import { fleetOn, fleetTables, STAGE_QUEUES } from './fleet-on-boss.ts';

/** A lock of the server that only we take. */
const MAKING = 0x50617947;

/** Of the ledger's schema and this the name has to fit. */
const SCHEMA_END = '_jobs';
const NAME_MAX = 63;

/** The database, and the schema of the ledger. */
interface QueuePlace {
  readonly database: ServerDatabase;
  readonly ledger: string;
}

/** undefined if no worker ever ran. Changes nothing. */
export async function findBossQueue({ database, ledger }: QueuePlace): Promise<WorkQueue | undefined> {
  try {
    const named = await database.executeSql(`SELECT to_regclass('${schemaOf(ledger)}.version') AS made`);
    if (madeIn(named)) return await opened({ database, ledger }, false);
  } catch (error) {
    await database.close();
    throw error;
  }
  await database.close();
  return undefined;
}

export async function openBossQueue({ database, ledger }: QueuePlace): Promise<WorkQueue> {
  try {
    return await opened({ database, ledger }, true);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function opened({ database, ledger }: QueuePlace, create: boolean): Promise<WorkQueue> {
  const schema = schemaOf(ledger);
  const boss = new PgBoss({
    ...{ db: database, schema, schedule: false, supervise: false },
    ...{ migrate: create, createSchema: create, persistWarnings: false, monitorIntervalSeconds: 5 },
  });
  // The next question reports it.
  boss.on('error', () => undefined);
  const stop = () => boss.stop({ graceful: false }).catch(() => undefined);
  try {
    await boss.start();
    if (create) await prepare(boss, database, schema);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    fleet: fleetOn({ boss, database, schema, ledger }),
    async close() {
      await stop();
      await database.close();
    },
  };
}

function schemaOf(ledger: string): string {
  const schema = `${ledger}${SCHEMA_END}`;
  if (schema.length <= NAME_MAX) return schema;
  throw new LedgerError('ledger_unsupported', `The schema name ${ledger} is too long for workers.`);
}

async function prepare(boss: PgBoss, database: ServerDatabase, schema: string): Promise<void> {
  for (const [name, options] of Object.entries(STAGE_QUEUES)) await boss.createQueue(name, options);
  await database.inTransaction(async (inside) => {
    // Of two workers that start together one makes them.
    await inside.executeSql(`SELECT pg_advisory_xact_lock(${MAKING})`);
    // A user who may make none finds them made.
    const named = await inside.executeSql(`SELECT to_regclass('${schema}.fleet_lanes') AS made`);
    if (!madeIn(named)) await inside.executeSql(fleetTables(schema));
  });
}

const madeIn = ({ rows }: { readonly rows: unknown[] }) =>
  (rows[0] as { readonly made: unknown } | undefined)?.made !== null;
