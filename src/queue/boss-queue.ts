/**
 * The queue of the workers on the ledger's server, by pg-boss. The only door of pg-boss.
 *
 * Errors:  those of the server as they are; LedgerError where the queue cannot be opened.
 */
import { type Db, PgBoss } from 'pg-boss';
import type { WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import { fleetOn, fleetTables, STAGE_QUEUES } from './fleet-on-boss.ts';

/** A lock of the server that only we take. */
const MAKING = 0x50617947;

/** Of the ledger's schema and this the name has to fit. */
const SCHEMA_END = '_jobs';
const NAME_MAX = 63;

/** undefined if no worker ever ran and `create` is false. */
export async function openBossQueue(place: ServerPlace, create: true): Promise<WorkQueue>;
export async function openBossQueue(place: ServerPlace, create: boolean): Promise<WorkQueue | undefined>;
export async function openBossQueue(place: ServerPlace, create: boolean): Promise<WorkQueue | undefined> {
  const schema = `${place.schema}${SCHEMA_END}`;
  if (schema.length > NAME_MAX)
    throw new LedgerError('ledger_unsupported', `The schema name ${place.schema} is too long for workers.`);
  const { host, port, database, user, password, tls } = place;
  const boss = new PgBoss({
    ...{ host, port, database, user, schema, max: 4, application_name: 'payfile' },
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { ssl: { rejectUnauthorized: true, ca: tls.root } }),
    ...{ schedule: false, supervise: false, migrate: create, createSchema: create, persistWarnings: false },
    monitorIntervalSeconds: 5,
  });
  // Whoever called learns it from the answer to the next question.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    if (create) await prepare(boss, schema);
    const db = boss.getDb();
    return {
      fleet: fleetOn({
        boss,
        schema,
        ledger: place.schema,
        inTransaction: (work) => inTransaction(db, work),
      }),
      close: () => boss.stop({ graceful: false }),
    };
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    if (!create && error instanceof Error && error.message.includes('not installed')) return undefined;
    throw error;
  }
}

async function prepare(boss: PgBoss, schema: string): Promise<void> {
  for (const [name, options] of Object.entries(STAGE_QUEUES)) await boss.createQueue(name, options);
  await inTransaction(boss.getDb(), async (inside) => {
    // Of two workers that start together one makes them.
    await inside.executeSql(`SELECT pg_advisory_xact_lock(${MAKING})`);
    // Who may make none finds them made.
    const { rows } = await inside.executeSql(`SELECT to_regclass('${schema}.fleet_lanes') AS made`);
    if (rows[0].made === null) await inside.executeSql(fleetTables(schema));
  });
}

async function inTransaction<Result>(db: Db, work: (inside: Db) => Promise<Result>): Promise<Result> {
  const transaction = await db.beginTransaction?.();
  if (transaction === undefined) throw new TypeError('The queue has no transactions.');
  try {
    const result = await work(transaction.db);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
