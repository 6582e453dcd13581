/**
 * Count and control sum of each batch's current file per status and route, kept with every change of a payout, so that a
 * page about a million rows reads a few. They change in the commit of the change itself: rows that come are added up
 * together (a trigger for each would take a ninth of the time of staging), every other change is kept by triggers.
 *
 * Reports do not use them: their control totals compare lines with rows that are counted anew. `payfile verify` compares
 * these sums with the rows.
 * Units:   a sum of minor units in two halves, as SQLite refuses one beyond 64 bits; route 0 is a row without one.
 */
import type { BatchId } from '../../../domain/payouts/instruction.ts';
import type { StatusTotal } from '../../../ports/ledger/reports.ts';
import type { PayoutsParts } from '../payouts/payouts.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { BILLION, type CountedSum, sumsCounted, totalsOf } from './payout-sums.ts';

const halves = (row: string) =>
  `coalesce(${row}minor, 0) / ${BILLION}, coalesce(${row}minor, 0) % ${BILLION}`;
const key = (row: string) => `${row}batch, ${row}status, coalesce(${row}route, 0)`;
/** What a row that comes, or goes, does to the sums. */
const ADDED = `INSERT INTO sums SELECT ${key('new.')}, 1, ${halves('new.')} WHERE new.position IS NOT NULL
  ON CONFLICT DO UPDATE SET count = count + 1, high = high + excluded.high, low = low + excluded.low`;
const TAKEN = `UPDATE sums SET count = count - 1, high = high - coalesce(old.minor, 0) / ${BILLION},
  low = low - coalesce(old.minor, 0) % ${BILLION}
  WHERE old.position IS NOT NULL AND batch = old.batch AND status = old.status AND route = coalesce(old.route, 0)`;

export const KEEP_SUMS = `
CREATE TABLE sums(
  batch INTEGER NOT NULL, status TEXT NOT NULL, route INTEGER NOT NULL,
  count INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL,
  PRIMARY KEY (batch, status, route)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sums_taken AFTER DELETE ON payouts BEGIN ${TAKEN}; END;
CREATE TRIGGER sums_moved AFTER UPDATE OF batch, status, position, route, minor ON payouts
WHEN old.status <> new.status OR old.batch <> new.batch OR (old.position IS NULL) <> (new.position IS NULL)
  OR old.route IS NOT new.route OR old.minor IS NOT new.minor
BEGIN ${TAKEN}; ${ADDED}; END;
`;

interface Counted {
  readonly batch: number;
  readonly status: string;
  readonly content: { readonly route: number | bigint | null; readonly minor: bigint | null };
}

type Sum = [batch: number, status: string, route: number, count: number, high: number, low: number];

/** Inside the commit that inserts the rows. Not on a server, where a trigger sees a whole statement at once. */
export function addSums(sql: Sql, rows: readonly Counted[]): void {
  const sums = new Map<string, Sum>();
  for (const { batch, status, content } of rows) {
    const [route, minor] = [Number(content.route ?? 0), content.minor ?? 0n];
    const sum = sums.get(`${batch} ${status} ${route}`) ?? [batch, status, route, 0, 0, 0];
    if (sum[3] === 0) sums.set(`${batch} ${status} ${route}`, sum);
    sum[3] += 1;
    sum[4] += Number(minor / BILLION);
    sum[5] += Number(minor % BILLION);
  }
  const add = sql(`INSERT INTO sums VALUES (?,?,?,?,?,?) ON CONFLICT DO UPDATE
    SET count = count + excluded.count, high = high + excluded.high, low = low + excluded.low`);
  for (const sum of sums.values()) add.run(...sum);
}

export function keptSums(parts: PayoutsParts, batchId: BatchId): StatusTotal[] {
  const rows = keptRows(parts.sql, parts.batchNumber(batchId));
  return totalsOf(parts.routes, rows);
}

function keptRows(sql: Sql, batch: number): CountedSum[] {
  const kept = sql(
    `SELECT status, nullif(route, 0) AS route, sum(count) AS count, sum(high) AS high, sum(low) AS low FROM sums
     WHERE batch = ? GROUP BY sums.status, sums.route HAVING sum(count) <> 0`,
  );
  return kept.all(batch) as unknown as CountedSum[];
}

/** Tells of each sum that is not what the rows come to. */
export async function verifySums(
  sql: Sql,
  batch: number | undefined,
  found: (problem: string) => void,
): Promise<void> {
  const batches = sql(`SELECT id FROM batches ${batch === undefined ? '' : 'WHERE id = ?'}`);
  for (const { id } of batches.all(...(batch === undefined ? [] : [batch]))) {
    const [kept, counted] = [sumsByKey(keptRows(sql, numberOf(id))), new Map<string, CountedSum>()];
    for await (const rows of sumsCounted(sql, numberOf(id), 'route'))
      for (const row of rows) counted.set(keyOf(row), plus(row, counted.get(keyOf(row))));
    for (const each of new Set([...kept.keys(), ...counted.keys()]))
      if (textOf(kept.get(each)) !== textOf(counted.get(each)))
        found(`batch ${id}: the sums kept of its rows (${each}) are not what the rows come to`);
  }
}

const keyOf = ({ status, route }: CountedSum) => `${status}${route === null ? '' : `, route ${route}`}`;

function sumsByKey(rows: readonly CountedSum[]): ReadonlyMap<string, CountedSum> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function plus(row: CountedSum, before: CountedSum | undefined): CountedSum {
  if (before === undefined) return row;
  const sum = (name: 'count' | 'high' | 'low') => (row[name] ?? 0n) + (before[name] ?? 0n);
  return { ...row, count: sum('count'), high: sum('high'), low: sum('low') };
}

function textOf(row: CountedSum | undefined): string {
  return row === undefined ? '' : `${row.count} ${row.high ?? 0n} ${row.low ?? 0n}`;
}
