/** Reads the shared tables of workers (fleet-on-boss.ts), and shows who works on what. */
import { asBatchId } from '../domain/payouts/instruction.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { FleetSeen, NewWorker, Work, WorkStage } from '../ports/fleet.ts';
import type { LeaseHolder } from '../ports/ledger/leases.ts';
import type { ServerQuestions } from '../ports/server-place.ts';

/** Without a heartbeat for this time, a worker counts as dead and its lanes are free. */
const SILENT_S = 15;

/** Values as pg returns them. */
export type Row = Readonly<Record<string, unknown>>;
export type Query = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export function queryWith(db: ServerQuestions): Query {
  return async (text, values) => (await db.executeSql(text, [...values])).rows as Row[];
}

export function isAliveSql(column: string): string {
  return `${column} > now() - interval '${SILENT_S} seconds'`;
}

export function workOf({ id, batch, stage, request, asker: by }: Row): Work {
  return {
    ...{ id: String(id), batchId: asBatchId(String(batch)), stage: stage as WorkStage },
    ...{ request: String(request), asker: by as LeaseHolder },
  };
}

export function timestampFrom(value: unknown) {
  return timestampOf(value instanceof Date ? value.getTime() : Date.now());
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `ledger`: the schema of the ledger. */
export async function readFleet(query: Query, ledger: string, stages: readonly string[]): Promise<FleetSeen> {
  const workers = await query(
    `SELECT * FROM fleet_workers WHERE ${isAliveSql('seen_at')} ORDER BY since, name`,
    [],
  );
  const works = await query(
    `SELECT work.*, (SELECT json_agg(json_build_object('index', part, 'worker', one.worker, 'isEnded', one.result IS NOT NULL)
       ORDER BY part) FROM fleet_parts one WHERE one.work = work.id) AS parts
     FROM fleet_works work WHERE ended_at IS NULL ORDER BY asked_at`,
    [],
  );
  const lanes = await query(
    `SELECT lane, CASE WHEN ${isAliveSql('seen_at')} THEN worker END AS worker FROM fleet_lanes ORDER BY lane`,
    [],
  );
  const queues = await query(
    `SELECT queue, count(*) FILTER (WHERE state < 'active')::int AS waiting,
       count(*) FILTER (WHERE state = 'active')::int AS active
     FROM unnest($1::text[]) WITH ORDINALITY AS asked(queue, place) LEFT JOIN job ON job.name = queue
     GROUP BY queue, place ORDER BY place`,
    [stages],
  );
  const numberSql = (key: string) => `(state ->> '${key}')::float8`;
  const ifLaterSql = (key: string) => `FILTER (WHERE ${numberSql(key)} > extract(epoch FROM now()) * 1e3)`;
  const [limits] = await query(
    `SELECT to_timestamp(max(${numberSql('pausedUntil')}) ${ifLaterSql('pausedUntil')} / 1e3) AS until,
       least(min(${numberSql('slowest')}) ${ifLaterSql('slowestUntil')},
         (SELECT min((facts ->> 'rate')::float8) FROM fleet_workers WHERE ${isAliveSql('seen_at')})) AS rate
     FROM ${ledger}.pace`,
    [],
  );
  return {
    workers: workers.map(({ facts, name, since, seen_at: seenAt }) => ({
      ...{ ...(facts as NewWorker), name: String(name) },
      ...{ since: timestampFrom(since), seenAt: timestampFrom(seenAt) },
    })),
    works: works.map((row) => ({
      ...workOf(row),
      askedAt: timestampFrom(row.asked_at),
      worker: textOf(row.worker),
      isStopped: row.stop === true,
      parts: ((row.parts ?? []) as readonly Row[]).map((part) => ({
        index: Number(part.index),
        worker: textOf(part.worker),
        isEnded: part.isEnded === true,
      })),
    })),
    lanes: lanes.map(({ lane, worker }) => ({ number: Number(lane), worker: textOf(worker) })),
    queues: queues.map(({ queue, waiting, active }) => ({
      ...{ queue: String(queue), waiting: Number(waiting), active: Number(active) },
    })),
    pausedUntil: limits?.until instanceof Date ? timestampFrom(limits.until) : undefined,
    rate: typeof limits?.rate === 'number' ? limits.rate : undefined,
  };
}
