/**
 * Families: all payments of a row, in any batch. They are found by way of what replaces something: there is little of it, and
 * it has an index.
 */
import type { Family, FamilyMember } from '../../../domain/payouts/family.ts';
import { asBatchId, asPayoutId, type BatchId, type PayoutId } from '../../../domain/payouts/instruction.ts';
import type { Status } from '../../../domain/payouts/payout.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import { type Batches, CAME_BACK_AFTER, PAID_AFTER_ALL } from '../batches/batches.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { payoutNumber } from './stored-payout.ts';

/** Down from the first payments; without the copies of files that are being read, or were read as a newer file. */
const MEMBERS = `family(root, id) AS (SELECT root, root FROM roots
    UNION SELECT f.root, n.id FROM family f JOIN payouts n ON n.replaces = CAST(f.id AS TEXT))
SELECT f.root AS family, p.id AS id, p.batch AS batch, p.row_number AS row_number, p.status AS status,
  p.memory_at AS memory_at, p.position AS position, p.incident_root AS incident
FROM family f CROSS JOIN payouts p ON p.id = f.id CROSS JOIN batches b ON b.id = p.batch AND b.state = 'open'
ORDER BY f.root, p.id`;
const OF_ONE = `WITH RECURSIVE roots(root) AS (SELECT root FROM payouts WHERE id = ?), ${MEMBERS}`;
const ACROSS = `WITH RECURSIVE roots(root) AS (SELECT DISTINCT n.root FROM payouts n INDEXED BY payouts_replaces
    JOIN payouts o ON o.id = CAST(n.replaces AS INTEGER) WHERE n.replaces IS NOT NULL AND o.batch <> n.batch), ${MEMBERS}`;
const NOTED = `SELECT p.id AS payout, CASE WHEN ${CAME_BACK_AFTER} THEN 1 ELSE 0 END AS is_over
  FROM journal j JOIN payouts p ON p.id = CAST(json_extract(j.body, '$.payout') AS INTEGER)
  WHERE j.batch = ? AND j.payout IS NULL AND j.kind IN ${PAID_AFTER_ALL}`;

interface FamilyParts {
  readonly sql: Sql;
  readonly batches: Batches;
}

export function familyOf(parts: FamilyParts, id: PayoutId): Family {
  const member = memberReader(parts);
  return parts
    .sql(OF_ONE)
    .all(payoutNumber(id) ?? 0)
    .map(member);
}

/** Families with payments in several batches; of one batch, those that have one in it. */
export function familiesAcross(parts: FamilyParts, batch?: BatchId): readonly Family[] {
  const member = memberReader(parts);
  const families = new Map<unknown, FamilyMember[]>();
  for (const row of parts.sql(ACROSS).all()) {
    const family = families.get(row.family) ?? [];
    families.set(row.family, family);
    family.push(member(row));
  }
  const all = [...families.values()];
  return batch === undefined ? all : all.filter((family) => family.some(({ batchId }) => batchId === batch));
}

function memberReader({ sql, batches }: FamilyParts) {
  const known = new Map<number, { readonly name: string; readonly noted: Noted; readonly over: Noted }>();
  return (row: Record<string, unknown>): FamilyMember => {
    const [batch, id] = [numberOf(row.batch), String(row.id)];
    const seen = known.get(batch) ?? { name: batches.nameOf(batch), ...notedIn(sql, batch) };
    known.set(batch, seen);
    return {
      payoutId: asPayoutId(id),
      batchId: asBatchId(String(batch)),
      batchName: seen.name,
      rowNumber: numberOf(row.row_number),
      status: row.status as Status,
      at: timestampOf(numberOf(row.memory_at ?? 0)),
      isCurrent: row.position !== null,
      isIncident: row.incident !== null || seen.noted.has(id),
      wasIncident: seen.over.has(id) && !seen.noted.has(id),
    };
  };
}

type Noted = ReadonlySet<string>;

/** Payouts of the batch with a note that they are paid, and with one after which they came back. */
function notedIn(sql: Sql, batch: number): { readonly noted: Noted; readonly over: Noted } {
  const rows = sql(NOTED).all(batch);
  const where = (isOver: number) =>
    new Set(rows.filter((row) => numberOf(row.is_over) === isOver).map(({ payout }) => String(payout)));
  return { noted: where(0), over: where(1) };
}
