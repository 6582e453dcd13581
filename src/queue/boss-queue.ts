/**
 * The queue of the workers on the ledger's server, by pg-boss. The only door of pg-boss.
 *
 * Errors:  those of the server as they are; LedgerError where the queue cannot be opened.
 */
import { type Db, PgBoss } from 'pg-boss';
import type { WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import { type Boss, fleetOn, fleetTables, STAGE_QUEUES } from './fleet-on-boss.ts';

/** A lock of the server that only we take. */
const MAKING = 0x50617947;

/** Of the ledger's schema and this the name has to fit. */
const SCHEMA_END = '_jobs';
const NAME_MAX = 63;
/** Whoever shares work is taken for dead before that: each question is a small one. */
const ANSWER_MS = 20_000;

/** How long an answer of the server is waited for. */
export type Patient = <T>(answer: Promise<T>) => Promise<T>;
const WAITS: Patient = (answer) => answer;

/** undefined if no worker ever ran and `create` is false. */
export async function openBossQueue(place: ServerPlace, create: true, patient?: Patient): Promise<WorkQueue>;
export async function openBossQueue(
  place: ServerPlace,
  create: boolean,
  patient?: Patient,
): Promise<WorkQueue | undefined>;
export async function openBossQueue(
  place: ServerPlace,
  create: boolean,
  patient = WAITS,
): Promise<WorkQueue | undefined> {
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
    // Left out of its types, and passed on to pg.
    ...{ query_timeout: ANSWER_MS },
  });
  // Whoever called learns it from the answer to the next question.
  boss.on('error', () => undefined);
  try {
    await patient(boss.start());
    if (create) await prepare(boss, schema);
    const db = boss.getDb();
    return {
      fleet: fleetOn({
        boss: patientBoss(boss, patient),
        schema,
        ledger: place.schema,
        inTransaction: (work) => patient(inTransaction(db, work)),
      }),
      close: () => patient(boss.stop({ graceful: false })).catch(() => undefined),
    };
  } catch (error) {
    await patient(boss.stop({ graceful: false })).catch(() => undefined);
    if (!create && error instanceof Error && error.message.includes('not installed')) return undefined;
    throw error;
  }
}

function patientBoss(boss: PgBoss, patient: Patient): Boss {
  const db = boss.getDb();
  const asked: Db = { executeSql: (text, values) => patient(db.executeSql(text, values)) };
  return {
    getDb: () => asked,
    send: (queue, data, options) => patient(boss.send(queue, data, options)),
    fetch: <Data>(queue: string) => patient(boss.fetch<Data>(queue)),
    touch: (queue, id) => patient(boss.touch(queue, id)),
    complete: (queue, id, data, options) => patient(boss.complete(queue, id, data, options)),
    fail: (queue, id, data) => patient(boss.fail(queue, id, data)),
    supervise: (queue) => patient(boss.supervise(queue)),
  };
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
