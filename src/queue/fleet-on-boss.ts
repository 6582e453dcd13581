/**
 * Works of a batch, as the workers of a ledger share them: tables of our own beside the jobs of pg-boss. A job wakes one
 * worker; what the work is, whether it ended and with what, stands in the tables and moves in one transaction with its job.
 *
 * Why:     a job that is cut off becomes another job; who waits for the end of a work needs one place to look.
 */
import { randomUUID } from 'node:crypto';
import {
  type Fleet,
  type Member,
  type NewWorker,
  QUEUE_OF,
  type StageQueue,
  type TakenJob,
  type Work,
  type WorkSeen,
} from '../ports/fleet.ts';
import type { LeaseHolder, Part } from '../ports/ledger/leases.ts';
import type { ServerDatabase, ServerQuestions } from '../ports/server-place.ts';
import { type Ask, asker, fleetSeen, isSeen, momentOf, textOf, workOf } from './fleet-rows.ts';

/** Ended works are kept as long as somebody may ask what became of them. */
const KEPT_DAYS = 30;
const KEEP_MS = 2_000;
/** So often a work may lose its worker before a person has to look. */
const TRIES_MAX = 20;
const DAY_S = 86_400;
/** As pg-boss takes it; a heartbeat is missed when a worker waits for its server. */
const HEARTBEAT_S = 10;

const moving = { retryLimit: 0, deadLetter: 'recover' } as const;
const asking = { retryLimit: 5, retryBackoff: true, deadLetter: 'recover' } as const;
const alive = { heartbeatSeconds: HEARTBEAT_S, expireInSeconds: DAY_S } as const;
/** Another process may have the batch for as long as a job may take, and the process that asked waits for it. */
const RECOVER_TRIES = 3_000;
/** Nothing that moves money is tried again by the queue. */
export const STAGE_QUEUES = {
  recover: {
    policy: 'standard',
    retryLimit: RECOVER_TRIES,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 30,
    ...alive,
  },
  price: { policy: 'exclusive', ...asking, ...alive },
  'send-head': { policy: 'exclusive', ...moving, ...alive },
  send: { policy: 'standard', ...moving, ...alive },
  settle: { policy: 'exclusive', ...asking, ...alive },
} as const;

export const fleetTables = (schema: string) => `
CREATE TABLE IF NOT EXISTS ${schema}.fleet_works(
  id uuid PRIMARY KEY, batch text NOT NULL, stage text NOT NULL, request text NOT NULL, asker jsonb NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now(), stop boolean NOT NULL DEFAULT false, halt boolean NOT NULL DEFAULT false, worker text, result text,
  ended_at timestamptz, tries int NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS ${schema}.fleet_parts(
  work uuid NOT NULL REFERENCES ${schema}.fleet_works ON DELETE CASCADE, part int NOT NULL, parts int NOT NULL, worker text, result text,
  tries int NOT NULL DEFAULT 0, PRIMARY KEY (work, part));
CREATE TABLE IF NOT EXISTS ${schema}.fleet_workers(
  name text PRIMARY KEY, facts jsonb NOT NULL, since timestamptz NOT NULL DEFAULT now(), seen_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS ${schema}.fleet_lanes(
  lane int PRIMARY KEY, worker text, seen_at timestamptz NOT NULL DEFAULT now());
`;

/** What is used of pg-boss (boss-queue.ts). */
export interface Boss {
  send(
    queue: string,
    data: object,
    options: { singletonKey?: string; db: ServerQuestions },
  ): Promise<string | null>;
  fetch<Data>(queue: string): Promise<{ id: string; data: Data }[]>;
  touch(queue: string, id: string): Promise<unknown>;
  complete(queue: string, id: string, data?: null, options?: { db: ServerQuestions }): Promise<unknown>;
  fail(queue: string, id: string, data: object): Promise<unknown>;
  supervise(queue: string): Promise<unknown>;
}

export interface FleetParts {
  readonly boss: Boss;
  readonly schema: string;
  /** The schema of the ledger. */
  readonly ledger: string;
  readonly database: ServerDatabase;
}

export function fleetOn(parts: FleetParts): Fleet {
  const { boss, schema, database } = parts;
  const ask = asker(database);
  return {
    async workersOf(queue) {
      const rows = await ask(
        `SELECT count(*)::int AS n FROM ${schema}.fleet_workers WHERE facts -> 'queues' ? $1 AND ${isSeen('seen_at')}`,
        [queue],
      );
      return Number(rows[0]?.n);
    },
    ask: (work) =>
      database.inTransaction(async (inside) => {
        const put = asker(inside);
        const id = randomUUID();
        await put(
          `DELETE FROM ${schema}.fleet_works WHERE ended_at < now() - interval '${KEPT_DAYS} days'`,
          [],
        );
        const { batchId, stage, request, asker: by } = work;
        const queue = QUEUE_OF[stage];
        const sent = await boss.send(queue, { work: id }, { singletonKey: batchId, db: inside });
        if (sent === null) {
          const [other] = await put(
            `SELECT asker, asked_at FROM ${schema}.fleet_works WHERE batch = $1 AND stage = $2 ORDER BY asked_at DESC LIMIT 1`,
            [batchId, stage],
          );
          const holder = (other?.asker ?? by) as LeaseHolder;
          return { kind: 'busy', holder, since: momentOf(other?.asked_at) };
        }
        await put(
          `INSERT INTO ${schema}.fleet_works(id, batch, stage, request, asker) VALUES ($1, $2, $3, $4, $5)`,
          [id, batchId, stage, request, JSON.stringify(by)],
        );
        return { kind: 'asked', id };
      }),
    look: (id) => lookAt(ask, schema, id),
    async stop(id) {
      await ask(`UPDATE ${schema}.fleet_works SET stop = true WHERE id = $1`, [id]);
    },
    async askAgain(id) {
      const [open] = await ask(
        `SELECT * FROM ${schema}.fleet_works own WHERE id = $1 AND ended_at IS NULL AND NOT EXISTS (
           SELECT 1 FROM ${schema}.job WHERE state <= 'active' AND data ->> 'work' = $1::text AND NOT data ? 'part')`,
        [id],
      );
      if (open === undefined) return;
      const { batchId, stage } = workOf(open);
      const [queue, alone] =
        open.worker === null ? [QUEUE_OF[stage], { singletonKey: batchId }] : (['recover', {}] as const);
      await boss.send(queue, { work: id }, { ...alone, db: database });
    },
    async withdraw(id) {
      const withdrawn = `UPDATE ${schema}.fleet_works SET stop = true, ended_at = now() WHERE id = $1 AND ended_at IS NULL RETURNING id`;
      return (await ask(withdrawn, [id])).length > 0;
    },
    seen: () => fleetSeen(ask, { schema, ledger: parts.ledger, stages: Object.keys(STAGE_QUEUES) }),
    join: (worker) => join(worker, parts),
  };
}

async function join(worker: NewWorker, parts: FleetParts): Promise<Member> {
  const { boss, schema, database } = parts;
  const ask = asker(database);
  const name = `${worker.host}/${worker.pid}/${randomUUID().slice(0, 8)}`;
  const facts = JSON.stringify(worker);
  await ask(`INSERT INTO ${schema}.fleet_workers(name, facts) VALUES ($1, $2)`, [name, facts]);
  await ask(`DELETE FROM ${schema}.fleet_workers WHERE seen_at < now() - interval '1 day'`, []);
  await ask(
    `INSERT INTO ${schema}.fleet_lanes(lane) SELECT * FROM generate_series(1, $1::int) ON CONFLICT DO NOTHING`,
    [worker.lanes.all],
  );
  /** What the server has as ours besides was taken or given back while it gave no answer: in silence it becomes free. */
  const held = new Set<number>();
  return {
    name,
    async beat() {
      await ask(`UPDATE ${schema}.fleet_workers SET seen_at = now() WHERE name = $1`, [name]);
      const kept = `UPDATE ${schema}.fleet_lanes SET seen_at = now() WHERE worker = $1 AND lane = ANY($2::int[])`;
      await ask(kept, [name, [...held]]);
      for (const queue of Object.keys(STAGE_QUEUES)) await boss.supervise(queue);
    },
    async waiting() {
      const rows = await ask(
        `SELECT name FROM unnest($1::text[]) AS asked(name) WHERE EXISTS (
           SELECT 1 FROM ${schema}.job WHERE job.name = asked.name AND state < 'active' AND start_after <= now())`,
        [Object.keys(STAGE_QUEUES)],
      );
      return rows.map((row) => row.name as StageQueue);
    },
    take: (queue) => take(queue, name, parts),
    async takeLane() {
      const [row] = await ask(
        `UPDATE ${schema}.fleet_lanes SET worker = $1, seen_at = now() WHERE lane = (
           SELECT lane FROM ${schema}.fleet_lanes WHERE lane <= $2 AND (worker IS NULL OR NOT ${isSeen('seen_at')})
           ORDER BY lane LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING lane`,
        [name, worker.lanes.all],
      );
      if (row === undefined) return undefined;
      const number = Number(row.lane);
      held.add(number);
      const freed = `UPDATE ${schema}.fleet_lanes SET worker = NULL WHERE lane = $1 AND worker = $2`;
      return {
        number,
        release: async () => {
          held.delete(number);
          await ask(freed, [number, name]);
        },
      };
    },
    async leave() {
      await ask(`UPDATE ${schema}.fleet_lanes SET worker = NULL WHERE worker = $1`, [name]);
      await ask(`DELETE FROM ${schema}.fleet_workers WHERE name = $1`, [name]);
    },
  };
}

/** One work, or one part of it, as its rows are found. */
interface Place {
  readonly table: 'fleet_works' | 'fleet_parts';
  readonly key: string;
  readonly of: readonly unknown[];
}

function placeOf(work: string, part: Part | undefined): Place {
  if (part === undefined) return { table: 'fleet_works', key: 'id = $1', of: [work] };
  const key = 'work = $1 AND part = $2 AND parts = $3';
  return { table: 'fleet_parts', key, of: [work, part.index, part.of] };
}

async function take(queue: StageQueue, name: string, parts: FleetParts): Promise<TakenJob | undefined> {
  const { boss, schema, database } = parts;
  const ask = asker(database);
  const [job] = await boss.fetch<{ work?: unknown; part?: Part }>(queue);
  if (job === undefined) return undefined;
  const { work: id, part } = job.data;
  const [row] = await ask(`SELECT * FROM ${schema}.fleet_works WHERE id = $1 AND ended_at IS NULL`, [id]);
  const place = placeOf(String(id), part);
  // Withdrawn; ended by a worker that counted as dead; or a part of an earlier try.
  if (row === undefined || !(await begin(queue, name, place, parts))) {
    await boss.complete(queue, job.id);
    return take(queue, name, parts);
  }
  return takenJob({ queue, jobId: job.id, name, work: workOf(row), part, place }, parts);
}

/** False: there is nothing to begin any more. */
async function begin(queue: StageQueue, name: string, place: Place, parts: FleetParts): Promise<boolean> {
  if (queue === 'recover') return true;
  const { schema } = parts;
  const ask = asker(parts.database);
  const { table, key, of } = place;
  if (queue === 'send-head') {
    await ask(`DELETE FROM ${schema}.fleet_parts WHERE work = $1`, [of[0]]);
    await ask(`UPDATE ${schema}.fleet_works SET halt = false WHERE id = $1`, [of[0]]);
  }
  // A part that was handed out anew may have a job of before, too.
  const free = table === 'fleet_parts' ? 'AND worker IS NULL' : '';
  const begun = `UPDATE ${schema}.${table} SET worker = $${of.length + 1} WHERE ${key} AND result IS NULL ${free} RETURNING 1`;
  return (await ask(begun, [...of, name])).length > 0;
}

interface Taken {
  readonly queue: StageQueue;
  readonly jobId: string;
  /** Of the worker. */
  readonly name: string;
  readonly work: Work;
  readonly part: Part | undefined;
  readonly place: Place;
}

function takenJob(taken: Taken, parts: FleetParts): TakenJob {
  const { queue, jobId, work, part } = taken;
  const { boss, schema, database } = parts;
  const ask = asker(database);
  const keeping = setInterval(() => void boss.touch(queue, jobId).catch(() => undefined), KEEP_MS);
  keeping.unref();
  const over = async <Result>(end: (inside: ServerQuestions) => Promise<Result>) => {
    const result = await database.inTransaction(end);
    clearInterval(keeping);
    return result;
  };
  return {
    work,
    part,
    look: () => lookAt(ask, schema, work.id, part),
    ...partsOf(work, parts),
    end: (result) => over((inside) => end(taken, result, { ...parts, inside })),
    async fail(why) {
      // Where this cannot be said either, the silence says it.
      clearInterval(keeping);
      if (part !== undefined && queue !== 'recover') {
        const { table, key, of } = mine(taken);
        await ask(`UPDATE ${schema}.${table} SET worker = NULL WHERE ${key}`, of);
      }
      await boss.fail(queue, jobId, { why });
    },
    again: () => over((inside) => goOn(taken, { ...parts, inside })),
  };
}

type Inside = FleetParts & { readonly inside: ServerQuestions };

/** A worker that slept while another took its place reports nothing of what that one does. */
function mine({ queue, name, place }: Taken): Place {
  if (queue === 'recover') return place;
  return { ...place, key: `${place.key} AND worker = $${place.of.length + 1}`, of: [...place.of, name] };
}

async function end(taken: Taken, result: string, { boss, schema, inside }: Inside) {
  const { queue, jobId, part } = taken;
  const { table, key, of } = mine(taken);
  const isWhole = part === undefined ? ', ended_at = now()' : '';
  const ended = `UPDATE ${schema}.${table} SET result = $${of.length + 1}${isWhole} WHERE ${key} AND result IS NULL`;
  await asker(inside)(ended, [...of, result]);
  await boss.complete(queue, jobId, null, { db: inside });
}

async function goOn(
  { queue, jobId, work, part, place }: Taken,
  { boss, schema, inside }: Inside,
): Promise<boolean> {
  const { table, key, of } = place;
  const waits = `UPDATE ${schema}.${table} SET worker = NULL, tries = tries + 1 WHERE ${key} AND result IS NULL RETURNING tries`;
  const [open] = await asker(inside)(waits, of);
  if (Number(open?.tries ?? 0) > TRIES_MAX) return false;
  const next = part === undefined ? QUEUE_OF[work.stage] : 'send';
  const alone = part === undefined ? { singletonKey: work.batchId } : {};
  const isSent =
    open === undefined || (await boss.send(next, { work: work.id, part }, { ...alone, db: inside })) !== null;
  // Somebody asked for the same meanwhile: this one waits until that is over.
  if (!isSent) throw new Error(`${work.stage} of batch ${work.batchId} is asked for twice`);
  await boss.complete(queue, jobId, null, { db: inside });
  return true;
}

/** Of a sending that is handed out. */
function partsOf(
  work: Work,
  { boss, schema, database }: FleetParts,
): Pick<TakenJob, 'handOut' | 'parts' | 'askAgain' | 'stop' | 'endWaiting'> {
  const ask = asker(database);
  return {
    handOut: (count) =>
      database.inTransaction(async (inside) => {
        const put = asker(inside);
        await put(`DELETE FROM ${schema}.fleet_parts WHERE work = $1`, [work.id]);
        await put(
          `INSERT INTO ${schema}.fleet_parts(work, part, parts) SELECT $1, n, $2::int FROM generate_series(0, $2::int - 1) n`,
          [work.id, count],
        );
        for (let index = 0; index < count; index += 1)
          await boss.send('send', { work: work.id, part: { index, of: count } }, { db: inside });
      }),
    async parts() {
      const rows = await ask(`SELECT part, result FROM ${schema}.fleet_parts WHERE work = $1`, [work.id]);
      return rows.map((each) => ({ index: Number(each.part), result: textOf(each.result) }));
    },
    async askAgain() {
      const open = await ask(
        `SELECT part, parts, worker FROM ${schema}.fleet_parts own WHERE work = $1 AND result IS NULL AND NOT EXISTS (
           SELECT 1 FROM ${schema}.job WHERE name IN ('send', 'recover') AND state <= 'active'
             AND data ->> 'work' = $1::text AND (data -> 'part' ->> 'index')::int = own.part)`,
        [work.id],
      );
      // Its worker may still be alive: the ledger's lease says so, which recovering looks at first.
      for (const { part: index, parts: of, worker } of open)
        await boss.send(
          worker === null ? 'send' : 'recover',
          { work: work.id, part: { index: Number(index), of: Number(of) } },
          { db: database },
        );
    },
    async stop() {
      await ask(`UPDATE ${schema}.fleet_works SET halt = true WHERE id = $1`, [work.id]);
    },
    async endWaiting(result) {
      const ended = `UPDATE ${schema}.fleet_parts SET result = $2 WHERE work = $1 AND worker IS NULL AND result IS NULL`;
      await ask(ended, [work.id, result]);
    },
  };
}

/** What stops the whole stops a part; its leader may stop the parts alone. */
async function lookAt(ask: Ask, schema: string, id: string, part?: Part): Promise<WorkSeen> {
  const [row] = await ask(
    `SELECT work.result, stop, halt, ended_at, worker FROM ${schema}.fleet_works work WHERE id = $1`,
    [id],
  );
  const isGone = row === undefined || (row.ended_at !== null && row.result === null);
  return {
    result: textOf(row?.result),
    isStopped: isGone || row.stop === true || (part !== undefined && row.halt === true),
    worker: textOf(row?.worker),
  };
}
