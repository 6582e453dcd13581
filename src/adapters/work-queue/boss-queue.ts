/**
 * The queue of the workers on the ledger's server, by pg-boss. The only door of pg-boss.
 *
 * Why:     pg-boss wakes workers when a schedule is due, and gives each job to one of them. The jobs that it makes of a
 *          schedule do not say for which occurrence they are; of several that were missed it makes one; and it moves its
 *          clock before it makes the job. So its jobs only wake. Which run is owed is worked out from how far each
 *          schedule is: that stands in the schedule, and moves in one transaction with the run that it begins.
 *
 * Errors:  those of the server as they are; LedgerError where the queue cannot be opened.
 */
import { type Db, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Schedule, ScheduledRun } from '../../domain/schedules/schedule.ts';
import { type Timestamp, timestampOf } from '../../domain/timestamp.ts';
import { LedgerError } from '../../ports/ledger/errors.ts';
import type { DueAfter, TakenRun, WorkQueue } from '../../ports/work-queue.ts';
import type { ServerPlace } from '../ledger/postgres/pg-client.ts';
import { type FleetParts, fleetOn, fleetTables, STAGE_QUEUES } from './fleet-on-boss.ts';

const DAY_S = 86_400;
/** Wakes; what it is about is worked out by whoever is woken. */
const OCCURRENCES = 'occurrences';
/** Nothing that moves money is tried again by the queue: the ledger knows what was sent, and a person looks. */
const RUNS = 'runs';
const QUEUES = {
  [OCCURRENCES]: { policy: 'standard', retryLimit: 5, retryBackoff: true },
  [RUNS]: {
    policy: 'exclusive',
    retryLimit: 0,
    /** Longer than a process is busy without a pause, such as while it waits for its server. */
    heartbeatSeconds: 30,
    expireInSeconds: DAY_S,
    retentionSeconds: 365 * DAY_S,
    deleteAfterSeconds: 30 * DAY_S,
  },
} as const;

/** A lock of the server that only we take. */
const MAKING = 0x50617947;

/** How often a process that is at work says so. */
const KEEP_MS = 5_000;

/** Of the ledger's schema and this the name has to fit. */
const SCHEMA_END = '_jobs';
const NAME_MAX = 63;

export interface QueueOptions {
  readonly place: ServerPlace;
  /** This process wakes others when a schedule is due. */
  readonly wakes: boolean;
}

/** undefined where nothing was ever scheduled and nothing is to be made. */
export async function openBossQueue({ place, wakes }: QueueOptions, create: true): Promise<WorkQueue>;
export async function openBossQueue(options: QueueOptions, create: boolean): Promise<WorkQueue | undefined>;
export async function openBossQueue(
  { place, wakes }: QueueOptions,
  create: boolean,
): Promise<WorkQueue | undefined> {
  const schema = `${place.schema}${SCHEMA_END}`;
  if (schema.length > NAME_MAX)
    throw new LedgerError(
      'ledger_unsupported',
      `The schema ${place.schema} is too long a name for schedules.`,
    );
  const { host, port, database, user, password, tls } = place;
  const boss = new PgBoss({
    ...{ host, port, database, user, schema, max: 4, application_name: 'payfile' },
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { ssl: { rejectUnauthorized: true, ca: tls.root } }),
    ...{ schedule: wakes, supervise: false, migrate: create, createSchema: create, persistWarnings: false },
    monitorIntervalSeconds: 5,
  });
  // Whoever called learns it from the answer to the next question.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    if (create) await prepare(boss, schema);
    return queueOver(boss, { schema, ledger: place.schema });
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    if (!create && error instanceof Error && error.message.includes('not installed')) return undefined;
    throw error;
  }
}

async function prepare(boss: PgBoss, schema: string): Promise<void> {
  for (const [name, options] of Object.entries({ ...QUEUES, ...STAGE_QUEUES }))
    await boss.createQueue(name, options);
  await inTransaction(boss.getDb(), async (inside) => {
    // Of two workers that start together one makes them.
    await inside.executeSql(`SELECT pg_advisory_xact_lock(${MAKING})`);
    // Who may make none finds them made.
    const { rows } = await inside.executeSql(`SELECT to_regclass('${schema}.fleet_lanes') AS made`);
    if (rows[0].made === null) await inside.executeSql(fleetTables(schema));
  });
}

function queueOver(boss: PgBoss, { schema, ledger }: Pick<FleetParts, 'schema' | 'ledger'>): WorkQueue {
  const db = boss.getDb();
  return {
    fleet: fleetOn({ boss, schema, ledger, inTransaction: (work) => inTransaction(db, work) }),
    schedules: async () => (await boss.getSchedules(OCCURRENCES)).map(scheduleOf),
    async addSchedule({ name, cron, zone, ...data }) {
      if ((await boss.getSchedule(OCCURRENCES, name)) !== null) return false;
      await boss.schedule(OCCURRENCES, cron, data, { tz: zone, key: name, missed: 'once' });
      return true;
    },
    async removeSchedule(name) {
      const isThere = (await boss.getSchedule(OCCURRENCES, name)) !== null;
      await boss.unschedule(OCCURRENCES, name);
      const waiting = await boss.findJobs(RUNS, { data: { schedule: name }, queued: true });
      if (waiting.length > 0)
        await boss.deleteJob(
          RUNS,
          waiting.map(({ id }) => id),
        );
      return isThere;
    },
    begin: (owed) => inTransaction(db, (inside) => beginRuns(boss, { inside, schema, owed })),
    async isDue() {
      const due = await boss.fetch(OCCURRENCES, { batchSize: 50 });
      if (due.length > 0)
        await boss.complete(
          OCCURRENCES,
          due.map(({ id }) => id),
        );
      return due.length > 0;
    },
    take: () => takeRun(boss),
    async died() {
      await boss.supervise(RUNS);
      const jobs = await boss.findJobs<unknown>(RUNS);
      const isAgain = (dead: JobWithMetadata<unknown>) =>
        jobs.some(
          ({ singletonKey: key, createdOn }) => key === dead.singletonKey && createdOn > dead.createdOn,
        );
      return jobs
        .filter((job) => isCutOff(job) && !isAgain(job))
        .sort((one, other) => one.createdOn.getTime() - other.createdOn.getTime())
        .flatMap(({ data }) => runOf(data) ?? []);
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** Locks all schedules, so that of two processes one begins a run. */
async function beginRuns(
  boss: PgBoss,
  { inside, schema, owed }: { inside: Db; schema: string; owed: Parameters<WorkQueue['begin']>[0] },
): Promise<readonly ScheduledRun[]> {
  const { rows } = await inside.executeSql(
    `SELECT key, cron, timezone, data, created_on AS "createdOn", now() AS now FROM ${schema}.schedule
     WHERE name = $1 ORDER BY key FOR UPDATE`,
    [OCCURRENCES],
  );
  const begun: ScheduledRun[] = [];
  for (const row of rows) {
    const schedule = scheduleOf(row);
    const run = owed(schedule, timestampOf(row.now.getTime()));
    if (run === undefined) continue;
    const jobs = await boss.findJobs(RUNS, { data: { schedule: schedule.name }, db: inside });
    if (jobs.some(({ state }) => state === 'created' || state === 'active')) continue;
    const data = { ...run, dueAt: new Date(run.dueAt).toISOString() };
    const id = await boss.send(RUNS, data, { singletonKey: run.batch, db: inside });
    // Another schedule's run of the same batch is not over.
    if (id === null) continue;
    await inside.executeSql(
      `UPDATE ${schema}.schedule SET data = jsonb_set(data, '{begunUntil}', to_jsonb($3::text)) WHERE name = $1 AND key = $2`,
      [OCCURRENCES, schedule.name, data.dueAt],
    );
    begun.push(run);
  }
  return begun;
}

/** Its process is gone, or said so itself. */
function isCutOff({ state, output }: JobWithMetadata<unknown>): boolean {
  return state === 'failed' || (output as { readonly isCutOff?: unknown } | null)?.isCutOff === true;
}

async function takeRun(boss: PgBoss): Promise<TakenRun | undefined> {
  const [job] = await boss.fetch<unknown>(RUNS, { includeMetadata: true });
  if (job === undefined) return undefined;
  const run = runOf(job.data);
  if (run === undefined) {
    await boss.deleteJob(RUNS, job.id);
    return takeRun(boss);
  }
  const keeping = setInterval(() => void boss.touch(RUNS, job.id).catch(() => undefined), KEEP_MS);
  keeping.unref();
  return {
    run,
    async end(result) {
      // Where the end cannot be written down, the run has to be found cut off.
      clearInterval(keeping);
      await boss.complete(RUNS, job.id, result);
      const [ended] = await boss.findJobs(RUNS, { id: job.id });
      return ended?.state === 'completed';
    },
  };
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

interface Row {
  readonly key: string;
  readonly cron: string;
  readonly timezone: string;
  readonly data?: object | null;
  readonly createdOn: Date;
}

/** What is not there, because somebody else wrote the row, is empty: such a schedule is refused by whoever runs it. */
function scheduleOf({ key, cron, timezone, data, createdOn }: Row): Schedule {
  const { batch, words, by, begunUntil } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const addedAt = timestampOf(createdOn.getTime());
  return {
    ...{ name: key, cron, zone: timezone, addedAt },
    batch: String(batch ?? ''),
    words: wordsOf(words) ?? [],
    by: String(by ?? ''),
    begunUntil: momentOf(begunUntil) ?? addedAt,
  };
}

function runOf(data: unknown): ScheduledRun | undefined {
  const { schedule, batch, words, dueAt, zone } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const [read, moment] = [wordsOf(words), momentOf(dueAt)];
  if (typeof schedule !== 'string' || typeof batch !== 'string' || typeof zone !== 'string') return undefined;
  return read && moment && { schedule, batch, words: read, dueAt: moment, zone };
}

function wordsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : undefined;
}

function momentOf(value: unknown): Timestamp | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : timestampOf(moment);
}

/** Reads the times of schedules without a server: as the server's workers read them. */
const READER = new PgBoss({ host: '127.0.0.1' });

export const dueAfter: DueAfter = (cron, zone, moment) => {
  try {
    const [due] = READER.previewSchedule(cron, { tz: zone, from: new Date(moment), count: 1 });
    return due && timestampOf(due.getTime());
  } catch (error) {
    throw new RangeError(error instanceof Error ? error.message : String(error), { cause: error });
  }
};
