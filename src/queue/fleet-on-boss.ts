/**
 * Work on batches, shared by the workers of a ledger. Our own tables hold the work, its state and its result. They
 * change in one transaction with the jobs of pg-boss.
 *
 * Why:     an interrupted job becomes another job. A process that waits for the work needs one place to look, so our
 *          tables keep its state.
 */
import { randomUUID } from 'node:crypto';
import {
  type Fleet,
  type Member,
  type NewWork,
  type NewWorker,
  QUEUE_OF,
  type StageQueue,
  type TakenJob,
  type Work,
  type WorkQueue,
  type WorkSeen,
} from '../ports/fleet.ts';
import type { LeaseHolder, Part } from '../ports/ledger/leases.ts';
import type { ServerDatabase, ServerQuestions } from '../ports/server-place.ts';
import { type Boss, jobsSchema, STAGE_QUEUES, startBoss } from './boss-queue.ts';
import { isAliveSql, type Query, queryWith, readFleet, textOf, timestampFrom, workOf } from './fleet-rows.ts';

/** How long payfile keeps finished work, for processes that ask for the result. */
const FINISHED_KEPT_DAYS = 30;
const HEARTBEAT_MS = 2_000;
/** How often a work item may lose its worker before a person must look. */
const TRIES_MAX = 20;

const TABLES = `
CREATE TABLE IF NOT EXISTS fleet_works(
  id uuid PRIMARY KEY, batch text NOT NULL, stage text NOT NULL, request text NOT NULL, asker jsonb NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now(), stop boolean NOT NULL DEFAULT false, halt boolean NOT NULL DEFAULT false,
  worker text, result text, ended_at timestamptz, tries int NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS fleet_parts(
  work uuid NOT NULL REFERENCES fleet_works ON DELETE CASCADE, part int NOT NULL, parts int NOT NULL, worker text,
  result text, tries int NOT NULL DEFAULT 0, PRIMARY KEY (work, part));
CREATE TABLE IF NOT EXISTS fleet_workers(
  name text PRIMARY KEY, facts jsonb NOT NULL, since timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS fleet_lanes(lane int PRIMARY KEY, worker text, seen_at timestamptz NOT NULL DEFAULT now());
`;

interface Jobs {
  readonly boss: Boss;
  readonly server: ServerDatabase;
  /** Queries outside of a transaction. */
  readonly query: Query;
}

export interface QueueOptions {
  /** The schema of the ledger. */
  readonly ledger: string;
  /** Creates missing queues and tables. */
  readonly create: boolean;
  readonly connect: (schema: string) => ServerDatabase;
}

/** undefined if no worker ever ran and `create` is false. */
export async function openQueue({ ledger, create, connect }: QueueOptions): Promise<WorkQueue | undefined> {
  const schema = jobsSchema(ledger);
  const server = connect(schema);
  try {
    const boss = await startBoss(server, schema, create ? TABLES : undefined);
    if (boss === undefined) {
      await server.close();
      return undefined;
    }
    const close = async () => {
      await boss.stop({ graceful: false }).catch(() => undefined);
      await server.close();
    };
    return { fleet: fleetOn({ boss, server, query: queryWith(server) }, ledger), close };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function fleetOn(jobs: Jobs, ledger: string): Fleet {
  const { boss, server, query } = jobs;
  return {
    async workersOf(queue) {
      const [row] = await query(
        `SELECT count(*)::int AS n FROM fleet_workers WHERE facts -> 'queues' ? $1 AND ${isAliveSql('seen_at')}`,
        [queue],
      );
      return Number(row?.n);
    },
    ask: (work) => server.inTransaction((inside) => requestWork(work, boss, inside)),
    look: (id) => lookAt(query, id),
    async stop(id) {
      await query('UPDATE fleet_works SET stop = true WHERE id = $1', [id]);
    },
    async askAgain(id) {
      const [open] = await query(
        `SELECT * FROM fleet_works own WHERE id = $1 AND ended_at IS NULL AND NOT EXISTS (
           SELECT 1 FROM job WHERE state <= 'active' AND data ->> 'work' = $1::text AND NOT data ? 'part')`,
        [id],
      );
      if (open === undefined) return;
      const { batchId, stage } = workOf(open);
      if (open.worker === null) await boss.send(QUEUE_OF[stage], { work: id }, { singletonKey: batchId });
      else await boss.send('recover', { work: id });
    },
    async withdraw(id) {
      const withdrawSql = `UPDATE fleet_works SET stop = true, ended_at = now() WHERE id = $1 AND ended_at IS NULL RETURNING id`;
      return (await query(withdrawSql, [id])).length > 0;
    },
    seen: () => readFleet(query, ledger, Object.keys(STAGE_QUEUES)),
    join: (worker) => join(worker, jobs),
  };
}

async function requestWork(work: NewWork, boss: Boss, inside: ServerQuestions): ReturnType<Fleet['ask']> {
  const query = queryWith(inside);
  const id = randomUUID();
  await query(`DELETE FROM fleet_works WHERE ended_at < now() - interval '${FINISHED_KEPT_DAYS} days'`, []);
  const { batchId, stage, request, asker: by } = work;
  const sent = await boss.send(QUEUE_OF[stage], { work: id }, { singletonKey: batchId, db: inside });
  if (sent === null) {
    const [other] = await query(
      'SELECT asker, asked_at FROM fleet_works WHERE batch = $1 AND stage = $2 ORDER BY asked_at DESC LIMIT 1',
      [batchId, stage],
    );
    const holder = (other?.asker ?? by) as LeaseHolder;
    return { kind: 'busy', holder, since: timestampFrom(other?.asked_at) };
  }
  await query('INSERT INTO fleet_works(id, batch, stage, request, asker) VALUES ($1, $2, $3, $4, $5)', [
    ...[id, batchId, stage, request, JSON.stringify(by)],
  ]);
  return { kind: 'asked', id };
}

async function join(worker: NewWorker, jobs: Jobs): Promise<Member> {
  const { boss, query } = jobs;
  const name = `${worker.host}/${worker.pid}/${randomUUID().slice(0, 8)}`;
  await query('INSERT INTO fleet_workers(name, facts) VALUES ($1, $2)', [name, JSON.stringify(worker)]);
  await query("DELETE FROM fleet_workers WHERE seen_at < now() - interval '1 day'", []);
  await query(
    'INSERT INTO fleet_lanes(lane) SELECT * FROM generate_series(1, $1::int) ON CONFLICT DO NOTHING',
    [worker.lanes.all],
  );
  /** Lanes that this worker certainly holds. A lane whose query got no answer is not here, and expires. */
  const held = new Set<number>();
  return {
    name,
    async beat() {
      await query('UPDATE fleet_workers SET seen_at = now() WHERE name = $1', [name]);
      const keepSql = 'UPDATE fleet_lanes SET seen_at = now() WHERE worker = $1 AND lane = ANY($2::int[])';
      await query(keepSql, [name, [...held]]);
      for (const queue of Object.keys(STAGE_QUEUES)) await boss.supervise(queue);
    },
    async waiting() {
      const rows = await query(
        `SELECT name FROM unnest($1::text[]) AS asked(name) WHERE EXISTS (
           SELECT 1 FROM job WHERE job.name = asked.name AND state < 'active' AND start_after <= now())`,
        [Object.keys(STAGE_QUEUES)],
      );
      return rows.map((row) => row.name as StageQueue);
    },
    take: (queue) => take(queue, name, jobs),
    async takeLane() {
      const [row] = await query(
        `UPDATE fleet_lanes SET worker = $1, seen_at = now() WHERE lane = (
           SELECT lane FROM fleet_lanes WHERE lane <= $2 AND (worker IS NULL OR NOT ${isAliveSql('seen_at')})
           ORDER BY lane LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING lane`,
        [name, worker.lanes.all],
      );
      if (row === undefined) return undefined;
      const number = Number(row.lane);
      held.add(number);
      return {
        number,
        release: async () => {
          held.delete(number);
          await query('UPDATE fleet_lanes SET worker = NULL WHERE lane = $1 AND worker = $2', [number, name]);
        },
      };
    },
    async leave() {
      await query('UPDATE fleet_lanes SET worker = NULL WHERE worker = $1', [name]);
      await query('DELETE FROM fleet_workers WHERE name = $1', [name]);
    },
  };
}

/** The table row that names the worker of a work item, or of a part. */
interface ClaimRow {
  readonly table: 'fleet_works' | 'fleet_parts';
  readonly condition: string;
  readonly values: readonly unknown[];
}

function claimRowOf(work: string, part: Part | undefined): ClaimRow {
  if (part === undefined) return { table: 'fleet_works', condition: 'id = $1', values: [work] };
  const condition = 'work = $1 AND part = $2 AND parts = $3';
  return { table: 'fleet_parts', condition, values: [work, part.index, part.of] };
}

async function take(queue: StageQueue, name: string, jobs: Jobs): Promise<TakenJob | undefined> {
  const { boss, query } = jobs;
  const [job] = await boss.fetch<{ work?: unknown; part?: Part }>(queue);
  if (job === undefined) return undefined;
  const { work: id, part } = job.data;
  const [row] = await query('SELECT * FROM fleet_works WHERE id = $1 AND ended_at IS NULL', [id]);
  const claimRow = claimRowOf(String(id), part);
  // Drop the job if its work was withdrawn or has ended, or if its part belongs to an earlier try.
  if (row === undefined || (queue !== 'recover' && !(await begin(queue, name, claimRow, query)))) {
    await boss.complete(queue, job.id);
    return take(queue, name, jobs);
  }
  return takenJob({ queue, jobId: job.id, name, work: workOf(row), part, claimRow }, jobs);
}

/** False if the work or part is already over. */
async function begin(
  queue: StageQueue,
  name: string,
  { table, condition, values }: ClaimRow,
  query: Query,
): Promise<boolean> {
  if (queue === 'send-head') {
    await query('DELETE FROM fleet_parts WHERE work = $1', [values[0]]);
    await query('UPDATE fleet_works SET halt = false WHERE id = $1', [values[0]]);
  }
  // A part that was handed out again may still have an old job.
  const free = table === 'fleet_parts' ? 'AND worker IS NULL' : '';
  const beginSql = `UPDATE ${table} SET worker = $${values.length + 1} WHERE ${condition} AND result IS NULL ${free} RETURNING 1`;
  return (await query(beginSql, [...values, name])).length > 0;
}

interface JobClaim {
  readonly queue: StageQueue;
  readonly jobId: string;
  /** Name of the worker. */
  readonly name: string;
  readonly work: Work;
  readonly part: Part | undefined;
  readonly claimRow: ClaimRow;
}

function takenJob(taken: JobClaim, jobs: Jobs): TakenJob {
  const { queue, jobId, work, part } = taken;
  const { boss, server, query } = jobs;
  const heartbeat = setInterval(() => void boss.touch(queue, jobId).catch(() => undefined), HEARTBEAT_MS);
  heartbeat.unref();
  const endInTransaction = async <Result>(end: (inside: ServerQuestions) => Promise<Result>) => {
    const result = await server.inTransaction(end);
    clearInterval(heartbeat);
    return result;
  };
  return {
    work,
    part,
    look: () => lookAt(query, work.id, part),
    ...partsOf(work, jobs),
    end: (result) =>
      endInTransaction(async (inside) => {
        const { table, condition, values } = ownClaimRow(taken);
        const endedSql = part === undefined ? ', ended_at = now()' : '';
        const endSql = `UPDATE ${table} SET result = $${values.length + 1}${endedSql} WHERE ${condition} AND result IS NULL`;
        await queryWith(inside)(endSql, [...values, result]);
        await boss.complete(queue, jobId, null, { db: inside });
      }),
    async fail(why) {
      // If this query fails too, the missing heartbeat fails the job.
      clearInterval(heartbeat);
      const { table, condition, values } = ownClaimRow(taken);
      if (part !== undefined && queue !== 'recover')
        await query(`UPDATE ${table} SET worker = NULL WHERE ${condition}`, values);
      await boss.fail(queue, jobId, { why });
    },
    again: () => endInTransaction((inside) => requeue(taken, boss, inside)),
  };
}

/** Changes the row only while this worker still has it. Another may have taken over. */
function ownClaimRow({ queue, name, claimRow }: JobClaim): ClaimRow {
  if (queue === 'recover') return claimRow;
  return {
    ...claimRow,
    condition: `${claimRow.condition} AND worker = $${claimRow.values.length + 1}`,
    values: [...claimRow.values, name],
  };
}

async function requeue(
  { queue, jobId, work, part, claimRow }: JobClaim,
  boss: Boss,
  inside: ServerQuestions,
): Promise<boolean> {
  const { table, condition, values } = claimRow;
  const waitSql = `UPDATE ${table} SET worker = NULL, tries = tries + 1 WHERE ${condition} AND result IS NULL RETURNING tries`;
  const [open] = await queryWith(inside)(waitSql, values);
  if (Number(open?.tries ?? 0) > TRIES_MAX) return false;
  const next = part === undefined ? QUEUE_OF[work.stage] : 'send';
  const onePerBatch = part === undefined ? { singletonKey: work.batchId } : {};
  const isSent =
    open === undefined ||
    (await boss.send(next, { work: work.id, part }, { ...onePerBatch, db: inside })) !== null;
  // Another process requested the same work. This job fails, so that recovery tries it again later.
  if (!isSent) throw new Error(`${work.stage} of batch ${work.batchId} was requested twice`);
  await boss.complete(queue, jobId, null, { db: inside });
  return true;
}

/** Functions for the parts of a sending. */
function partsOf(
  work: Work,
  { boss, server, query }: Jobs,
): Pick<TakenJob, 'handOut' | 'parts' | 'askAgain' | 'stop' | 'endWaiting'> {
  return {
    handOut: (count) =>
      server.inTransaction(async (inside) => {
        const query = queryWith(inside);
        await query('DELETE FROM fleet_parts WHERE work = $1', [work.id]);
        await query(
          'INSERT INTO fleet_parts(work, part, parts) SELECT $1, n, $2::int FROM generate_series(0, $2::int - 1) n',
          [work.id, count],
        );
        for (let index = 0; index < count; index += 1)
          await boss.send('send', { work: work.id, part: { index, of: count } }, { db: inside });
      }),
    async parts() {
      const rows = await query('SELECT part, result FROM fleet_parts WHERE work = $1', [work.id]);
      return rows.map((each) => ({ index: Number(each.part), result: textOf(each.result) }));
    },
    async askAgain() {
      const open = await query(
        `SELECT part, parts, worker FROM fleet_parts own WHERE work = $1 AND result IS NULL AND NOT EXISTS (
           SELECT 1 FROM job WHERE name IN ('send', 'recover') AND state <= 'active'
             AND data ->> 'work' = $1::text AND (data -> 'part' ->> 'index')::int = own.part)`,
        [work.id],
      );
      // The last worker may still be alive. Recovery first checks the lease in the ledger.
      for (const { part, parts, worker } of open) {
        const job = { work: work.id, part: { index: Number(part), of: Number(parts) } };
        await boss.send(worker === null ? 'send' : 'recover', job);
      }
    },
    async stop() {
      await query('UPDATE fleet_works SET halt = true WHERE id = $1', [work.id]);
    },
    async endWaiting(result) {
      const endSql =
        'UPDATE fleet_parts SET result = $2 WHERE work = $1 AND worker IS NULL AND result IS NULL';
      await query(endSql, [work.id, result]);
    },
  };
}

/** A stop of the work also stops its parts. `halt` stops only the parts. */
async function lookAt(query: Query, id: string, part?: Part): Promise<WorkSeen> {
  const [row] = await query('SELECT result, stop, halt, ended_at, worker FROM fleet_works WHERE id = $1', [
    id,
  ]);
  const isGone = row === undefined || (row.ended_at !== null && row.result === null);
  return {
    result: textOf(row?.result),
    isStopped: isGone || row.stop === true || (part !== undefined && row.halt === true),
    worker: textOf(row?.worker),
  };
}
