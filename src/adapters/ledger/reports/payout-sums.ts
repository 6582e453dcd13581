/**
 * What a batch adds up to: counts and control sums, and how old its quotes are.
 */
import type { StatusCounts } from '../../../domain/batches/batch.ts';
import type { CurrencyCode } from '../../../domain/money/currency.ts';
import { type Money, MoneySums } from '../../../domain/money/money.ts';
import type { BatchId } from '../../../domain/payouts/instruction.ts';
import { STATUSES, type Status } from '../../../domain/payouts/payout.ts';
import { type Timestamp, timestampOf } from '../../../domain/timestamp.ts';
import type { StatusTotal } from '../../../ports/ledger/reports.ts';
import type { PayoutsParts } from '../payouts/payouts.ts';
import type { Routes } from '../payouts/stored-payout.ts';
import { fileSlices, numberOf, OF_BATCH, type Sql, yieldToEvents } from '../storage/sql-statements.ts';

const SLICE_IDS = 50_000;
export const BILLION = 1_000_000_000n;

export class PayoutSums {
  readonly #parts: PayoutsParts;

  constructor(parts: PayoutsParts) {
    this.#parts = parts;
  }

  counts(batchId: BatchId): StatusCounts {
    const { sql, batchNumber } = this.#parts;
    const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
    const grouped = sql(`SELECT status, count(*) AS count ${OF_BATCH} GROUP BY status`);
    for (const row of grouped.all(batchNumber(batchId))) counts[row.status as Status] = numberOf(row.count);
    return counts;
  }

  async totals(batchId: BatchId): Promise<StatusTotal[]> {
    const { sql, batchNumber, routes } = this.#parts;
    const rows: CountedSum[] = [];
    for await (const slice of sumsCounted(sql, batchNumber(batchId))) rows.push(...slice);
    return totalsOf(routes, rows);
  }

  oldestQuote(batchId: BatchId, status: Status): Promise<Timestamp | undefined> {
    return this.#oldest(batchId, status, 'quoted_at');
  }

  oldestOnItsWay(batchId: BatchId): Promise<Timestamp | undefined> {
    return this.#oldest(batchId, 'accepted', 'memory_at');
  }

  async #oldest(
    batchId: BatchId,
    status: Status,
    column: 'quoted_at' | 'memory_at',
  ): Promise<Timestamp | undefined> {
    const { sql, batchNumber } = this.#parts;
    const batch = batchNumber(batchId);
    const slice = sql(
      `SELECT min(${column}) AS at ${OF_BATCH} AND status = ?4 AND position >= ?2 AND position <= ?3`,
    );
    const found: number[] = [];
    for await (const [from, to] of fileSlices(sql, batch)) {
      const at = slice.get(batch, from, to, status)?.at ?? undefined;
      if (at !== undefined) found.push(numberOf(at));
    }
    return found.length === 0 ? undefined : timestampOf(Math.min(...found));
  }

  /**
   * The ledger's payouts in slices of ids, past the gaps between them: no index holds the instants, and few ledgers have
   * a limit for a day.
   */
  async principalSince(since: number): Promise<Money[]> {
    const { sql } = this.#parts;
    const slice = sql(
      `SELECT route, sum(minor / ${BILLION}) AS high, sum(minor % ${BILLION}) AS low FROM payouts
       WHERE id > ?1 AND id <= ?2 AND memory_at IS NOT NULL AND (status = 'approved' OR memory_at >= ?3) GROUP BY route`,
    );
    const next = sql('SELECT id - 1 AS before FROM payouts WHERE id > ? ORDER BY id LIMIT 1');
    const sums = new MoneySums();
    for (let last = 0; ; ) {
      const from = next.get(last)?.before;
      if (from === undefined) break;
      last = numberOf(from) + SLICE_IDS;
      for (const row of slice.all(from, last, since)) {
        const currency = this.#currencyOf(row.route);
        const minor = (row.high as bigint) * BILLION + (row.low as bigint);
        sums.add({ currency, minor });
      }
      await yieldToEvents();
    }
    return sums.all();
  }

  #currencyOf(route: unknown): CurrencyCode {
    return this.#parts.routes.byId(numberOf(route)).currency as CurrencyCode;
  }
}

/** Of one status and route, its minor units in two halves: SQLite would refuse a sum beyond 64 bits. */
export interface CountedSum {
  readonly status: string;
  readonly route: bigint | null;
  readonly count: bigint;
  readonly high: bigint | null;
  readonly low: bigint | null;
}

/** `route`: invalid rows by theirs too, if they have one; else without money. */
export async function* sumsCounted(
  sql: Sql,
  batch: number,
  route = "CASE status WHEN 'invalid' THEN NULL ELSE route END",
): AsyncGenerator<readonly CountedSum[]> {
  const grouped = sql(
    `SELECT status, ${route} AS route, count(*) AS count, sum(minor / ${BILLION}) AS high, sum(minor % ${BILLION}) AS low
     ${OF_BATCH} AND position >= ?2 AND position <= ?3 GROUP BY 1, 2`,
  );
  for await (const [from, to] of fileSlices(sql, batch))
    yield grouped.all(batch, from, to) as unknown as CountedSum[];
}

/** In the order of statuses, then by currency. */
export function totalsOf(routes: Routes, rows: readonly CountedSum[]): StatusTotal[] {
  const totals = new Map<string, StatusTotal>();
  for (const { status: word, route, count, high, low } of rows) {
    const status = word as Status;
    const currency =
      route === null || status === 'invalid'
        ? undefined
        : (routes.byId(numberOf(route)).currency as CurrencyCode);
    const key = `${status}\t${currency ?? ''}`;
    const before = totals.get(key) ?? { status, currency, count: 0, minor: 0n };
    const minor = currency === undefined ? 0n : (high ?? 0n) * BILLION + (low ?? 0n);
    totals.set(key, { ...before, count: before.count + numberOf(count), minor: before.minor + minor });
  }
  const rank = ({ status }: StatusTotal) => STATUSES.indexOf(status);
  return [...totals.values()].sort(
    (one, other) => rank(one) - rank(other) || compare(one.currency ?? '', other.currency ?? ''),
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
