/**
 * Imports that a killed process left behind: no batch, never to be finished, and dropped at the next import.
 *
 * An import under way is never touched: it counts as left only when its process is gone on this machine, or, where
 * nobody can tell, after a day. One that a revision took rows from stays, because its chain proves those rows.
 */
import type { LeaseHolder } from '../../ports/lease.ts';
import type { Machine } from './machine.ts';
import { numberOf, type Sql } from './statements.ts';

const SURELY_OVER_MS = 24 * 3_600_000;

/** Who reads a file, as the journal keeps it. */
export interface ImportProcess {
  readonly pid: number;
  readonly host: string;
  readonly started: string | null;
}

export interface Asking {
  readonly machine: Machine;
  readonly now: number;
  /** The machine that asks; undefined: only age counts. */
  readonly host: string | undefined;
}

export function importProcess(
  holder: LeaseHolder | undefined,
  machine: Machine,
): { readonly process: ImportProcess } | Record<string, never> {
  if (holder === undefined) return {};
  const { pid, host } = holder;
  return { process: { pid, host, started: machine.processStart(pid) } };
}

export function leftImports(sql: Sql, asking: Asking): readonly number[] {
  const rows = sql("SELECT id FROM batches WHERE state = 'importing'").all();
  return rows.map(({ id }) => numberOf(id)).filter((id) => isLeft(sql, id, asking));
}

function isLeft(sql: Sql, id: number, { machine, now, host }: Asking): boolean {
  const begun = "SELECT at, body FROM journal WHERE batch = ? AND payout IS NULL AND kind = 'import_begun'";
  const row = sql(begun).get(id);
  if (row === undefined || gaveRows(sql, id)) return false;
  const isOld = now - numberOf(row.at) > SURELY_OVER_MS;
  const { process } = JSON.parse(String(row.body)) as { process?: ImportProcess };
  if (process === undefined || process.host !== host) return isOld;
  if (!machine.isRunning(process.pid, process.started)) return true;
  // Where the system does not show when a process began, the number alone may be another one's by now.
  return process.started === null && isOld;
}

/** A revision began to move its rows into a batch. */
function gaveRows(sql: Sql, id: number): boolean {
  const begun =
    "SELECT 1 FROM journal WHERE payout IS NULL AND kind = 'revision_begun' AND json_extract(body, '$.set.merging') = ?";
  return sql(begun).get(String(id)) !== undefined;
}
