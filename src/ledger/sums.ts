/**
 * What a batch adds up to: counts and control sums, how old its quotes are, and which batches have rows whose outcome is not
 * known. Counted over an index whenever it is asked.
 *
 * Units:   a sum of minor units in two halves: SQLite would refuse one beyond 64 bits.
 */

import type { CurrencyCode } from '../domain/money/currency.ts';
import { type Money, MoneySums } from '../domain/money/money.ts';
import { asBatchId } from '../domain/payouts/instruction.ts';
import { STATUSES, type Status } from '../domain/payouts/payout.ts';
import type { LedgerTotal } from '../domain/reporting/currency-totals.ts';
import { type Timestamp, timestampOf } from '../domain/timestamp.ts';
import type { BatchLedger, OpenDoubts } from '../ports/ledger/batches.ts';
import type { LeaseLedger } from '../ports/ledger/leases.ts';
import type { PaymentMemory } from '../ports/ledger/payment-memory.ts';
import type { ReportLedger } from '../ports/ledger/reports.ts';
import type { LedgerParts } from './parts.ts';
import { fileSlices, turnOfOthers } from './payouts.ts';
import { batchNumber, IN_FILE } from './rows.ts';
import { joined, numberOf, optionalNumber, type Query, q, type Row, type Sql, text } from './sql.ts';

const BILLION = 1_000_000_000n;
const SUM = text('sum(minor / 1000000000) AS high, sum(minor % 1000000000) AS low');
const SLICE_IDS = 50_000;

type Own = Pick<ReportLedger, 'counts' | 'totals' | 'oldestQuote' | 'oldestOnItsWay'> &
  Pick<BatchLedger, 'openDoubts'> &
  Pick<PaymentMemory, 'principalSince'>;

/** `leases` say whether a living process has a batch now. */
export function summing(parts: LedgerParts, leases: Pick<LeaseLedger, 'holderOf'>): Own {
  const { read: sql } = parts;
  return {
    async counts(id, of) {
      const only =
        of === undefined
          ? q``
          : q`AND status IN (${joined(
              of.map((status) => q`${status}`),
              ', ',
            )})`;
      const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
      const rows = await sql.all(q`SELECT status, count(*) AS n FROM payouts
        WHERE batch = ${batchNumber(id)} AND ${IN_FILE} ${only} GROUP BY status`);
      for (const { status, n } of rows) counts[status as Status] = numberOf(n);
      return counts;
    },
    async totals(id) {
      const rows = await sql.all(q`SELECT status, route, count(*) AS n, ${SUM} FROM payouts
        WHERE batch = ${batchNumber(id)} AND ${IN_FILE} GROUP BY status, route`);
      return totalsOf(rows, parts);
    },
    oldestQuote: (id, status) => oldest(sql, batchNumber(id), { status, column: q`quoted_at` }),
    oldestOnItsWay: (id) => oldest(sql, batchNumber(id), { status: 'accepted', column: q`memory_at` }),
    openDoubts: () => doubtsIn(sql, leases),
    principalSince: (since) => principalSince(parts, since),
  };
}

/** In the order of statuses, then by currency; invalid rows without money. */
async function totalsOf(
  rows: readonly Row[],
  { read, routes }: LedgerParts,
): Promise<readonly LedgerTotal[]> {
  await routes.load(read, rows);
  const totals = new Map<string, LedgerTotal>();
  for (const row of rows) {
    const { route, n } = row;
    const status = row['status'] as Status;
    const currency =
      route === null || status === 'invalid'
        ? undefined
        : (routes.byId(Number(route)).currency as CurrencyCode);
    const key = `${String(STATUSES.indexOf(status)).padStart(2, '0')}${currency ?? ''}`;
    const before = totals.get(key) ?? { status, currency, count: 0, minor: 0n };
    const minor = currency === undefined ? 0n : sumOf(row);
    totals.set(key, { ...before, count: before.count + numberOf(n), minor: before.minor + minor });
  }
  return [...totals].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

function sumOf({ high, low }: Row): bigint {
  return (high as bigint) * BILLION + (low as bigint);
}

/** In slices: no index holds the instants. */
async function oldest(
  sql: Sql,
  batch: number,
  { status, column }: { readonly status: Status; readonly column: Query },
): Promise<Timestamp | undefined> {
  let first: number | undefined;
  for await (const [from, to] of fileSlices(sql, batch)) {
    const row = await sql.get(q`SELECT min(${column}) AS at FROM payouts WHERE batch = ${batch} AND ${IN_FILE}
      AND status = ${status} AND position >= ${from} AND position <= ${to}`);
    const at = optionalNumber(row?.['at']);
    if (at !== undefined) first = Math.min(at, first ?? at);
  }
  return first === undefined ? undefined : timestampOf(first);
}

/** The ledger's payouts in slices of ids: no index holds the instants, and few ledgers have a limit for a day. */
async function principalSince({ read: sql, routes }: LedgerParts, since: number): Promise<readonly Money[]> {
  const sums = new MoneySums();
  for (let after = 0; ; ) {
    // Where somebody accepted the ledger the ids have a gap of very many (comparison.ts).
    const next = await sql.get(q`SELECT id FROM payouts WHERE id > ${after} ORDER BY id LIMIT 1`);
    if (next === undefined) break;
    const last = numberOf(next['id']) - 1 + SLICE_IDS;
    const rows = await sql.all(q`SELECT route, ${SUM} FROM payouts WHERE id > ${after} AND id <= ${last}
      AND memory_at IS NOT NULL AND (status = 'approved' OR memory_at >= ${since}) GROUP BY route`);
    await routes.load(sql, rows);
    for (const row of rows) {
      const currency = routes.byId(numberOf(row['route'])).currency as CurrencyCode;
      sums.add({ currency, minor: sumOf(row) });
    }
    after = last;
    await turnOfOthers();
  }
  return sums.all();
}

const IN = (what: Query, rest: Query) =>
  q`(SELECT ${what} FROM payouts p WHERE p.batch = b.id AND p.${IN_FILE} AND p.status ${rest})`;
/** A look or two into the index of statuses for each batch: it costs nothing where there is nothing to find. */
const DOUBTS = q`SELECT b.id AS id, b.name AS name, ${IN(q`count(*)`, q`= 'in_doubt'`)} AS in_doubt,
    ${IN(q`count(*)`, q`= 'sending'`)} AS sending, ${IN(q`p.row_number`, q`= 'in_doubt' ORDER BY p.position LIMIT 1`)} AS first_row
  FROM batches b WHERE b.state = 'open' AND ${IN(q`1`, q`IN ('in_doubt','sending') LIMIT 1`)} IS NOT NULL
  ORDER BY b.id DESC`;

/** Newest batch first. */
async function doubtsIn(sql: Sql, leases: Pick<LeaseLedger, 'holderOf'>): Promise<readonly OpenDoubts[]> {
  const doubts: OpenDoubts[] = [];
  for (const row of await sql.all(DOUBTS)) {
    const batchId = asBatchId(String(row['id']));
    const [inDoubt, sending] = [numberOf(row['in_doubt']), numberOf(row['sending'])];
    const isLeft = sending > 0 && (await leases.holderOf(batchId)) === undefined;
    const leftInFlight = isLeft ? sending : 0;
    if (inDoubt === 0 && leftInFlight === 0) continue;
    const firstRow = optionalNumber(row['first_row']);
    doubts.push({ batchId, name: String(row['name']), inDoubt, leftInFlight, firstRow });
  }
  return doubts;
}
