/**
 * The memory of payments: which payments before a payout may be the same. A payment is “living” while money moved, may have
 * moved, or is about to. A payment of the same row never counts.
 *
 * Before a payout come the payments that were sent, those that were approved earlier by the journal's order, and in its own
 * file the unsent rows above it.
 */
import { asBatchId, asPayoutId, type PayoutId } from '../domain/payouts/instruction.ts';
import type { PaymentPointer, Status } from '../domain/payouts/payout.ts';
import type { Repeat } from '../domain/payouts/repeat.ts';
import { timestampOf } from '../domain/timestamp.ts';
import { IN_FILE, textOfKey } from './rows.ts';
import { LATER, PAID_AFTER_ALL } from './schema.ts';
import {
  by,
  jsonList,
  jsonText,
  numberOf,
  optionalNumber,
  type Query,
  q,
  type Row,
  type Sql,
  text,
  thenJoin,
} from './sql.ts';

const REPEATS_MAX = 1_000;

/** Of a row that was tried: one of its requests may have been carried out all the same. */
export const wasTurnedAway = (row: string) =>
  q`(${text(row)}.attempts > 0 AND EXISTS (SELECT 1 FROM journal j
    WHERE j.payout = ${text(row)}.id AND ${LATER} AND j.kind = 'turn_away'))`;

/** As `isShownAsPaid` of the domain says it. */
export const isShownAsPaid = (row: string) =>
  q`((${text(row)}.status = 'held' AND EXISTS (SELECT 1 FROM ${jsonList(`${row}.state`, 'r', 'reasons')}
      WHERE ${jsonText('r.value', 'concern', 'kind')} = 'maybe_paid'))
    OR (${text(row)}.status = 'canceled' AND ${jsonText(`${row}.state`, 'isShownAsPaid')} IS NOT NULL))`;

/** It was noted that it was paid although it was called unpaid. */
export const isPaidAfterAll = (row: string, more = q``) =>
  q`EXISTS (SELECT 1 FROM journal j WHERE j.batch = ${text(row)}.batch AND j.payout IS NULL AND j.kind IN ${PAID_AFTER_ALL}
    AND ${jsonText('j.body', 'payout')} = CAST(${text(row)}.id AS text) ${more})`;
/** The same, and it did not come back after the note, as `cameBackAfter` of the domain says it. */
export const isStillPaidAfterAll = (row: string) =>
  isPaidAfterAll(row, q`AND NOT (${text(row)}.status = 'returned' AND ${text(row)}.ended_at > j.at)`);

/**
 * A payment that does not live and may have been made all the same. Its request was turned away but perhaps carried out,
 * a statement shows it, it was paid after all, or the service no longer calls it unpaid. The memory has no instant of it.
 */
const MAY_BE_PAID = q`(other.memory_at = 0 AND (
  (other.status IN ('planned','held','quoted','canceled') AND ${wasTurnedAway('other')})
  OR ${isShownAsPaid('other')} OR (other.status IN ('failed','returned') AND other.beside IS NOT NULL)
  OR ${isPaidAfterAll('other')}))`;
const IS_UNKNOWN = text("(other.status IN ('sending','in_doubt') OR other.memory_at = 0)");
/** Whether it is old enough to believe is the caller's to judge. */
const IS_CALLED_UNPAID = q`(other.status = 'returned'
  OR (other.status = 'failed' AND ${jsonText('other.state', 'basis')} = 'service_status'))`;
const COUNTS = q`other.remembered IS NOT NULL AND other.root <> me.root
  AND (other.memory_at > 0 OR ${MAY_BE_PAID} OR ${IS_CALLED_UNPAID})`;

/**
 * The same payment counts where one of the two has no reference to tell them apart, and always while the other's
 * outcome is not known: a new reference must not send out what may be paid already.
 */
const SAME_WITHOUT_REFERENCE = q`(me.reference_key IS NULL OR
  ((other.reference_key IS NULL OR ${IS_UNKNOWN}) AND other.reference_key IS DISTINCT FROM me.reference_key))`;

/** One arm per kind of key, each on its own index of remembered payouts. `me` is the row, `other` what it may repeat. */
export const repeatsWhere = (columns: Query, where: Query) => q`
SELECT ${columns} FROM payouts me ${thenJoin} payouts other ${by('payouts_reference')}
  ON other.reference_key = me.reference_key AND ${COUNTS}
  WHERE me.reference_key IS NOT NULL AND ${where}
UNION ALL
SELECT ${columns} FROM payouts me ${thenJoin} payouts other ${by('payouts_payment')}
  ON other.payment_key = me.payment_key AND ${COUNTS}
  WHERE me.payment_key IS NOT NULL AND ${SAME_WITHOUT_REFERENCE} AND ${where}`;

const POINTED = q`other.id AS id, other.batch AS batch, other.row_number AS row_number, other.status AS status,
  other.memory_at AS memory_at,
  (SELECT b.name FROM batches b WHERE b.id = other.batch) AS batch_name`;
const FOUND = q`${POINTED}, other.ended_at AS ended_at, me.status AS my_status, other.payment_key = me.payment_key AS is_same,
  other.batch = me.batch OR (other.status = 'settled' AND other.ended_at >
    (SELECT born.at FROM journal born WHERE born.seq = me.born)) AS is_of_its_time,
  ${IS_UNKNOWN} AS is_unknown, ${MAY_BE_PAID} AS may_be_paid`;

/** Payments that come before this one, those of unknown outcome first, then the newest. */
export async function repeatsOf(sql: Sql, id: number): Promise<readonly Repeat[]> {
  const found = repeatsWhere(FOUND, q`me.id = ${id}`);
  // Most rows have none, and SQLite takes 50 times as long for that where it is asked for an order (measured: 185 µs).
  const some = await sql.all(q`${found} LIMIT 2`);
  const rows =
    some.length <= 1
      ? some
      : await sql.all(q`${found} ORDER BY is_unknown DESC, memory_at DESC, id DESC LIMIT ${REPEATS_MAX}`);
  const repeats: Repeat[] = [];
  for (const row of rows)
    if (!(await isApprovedLater(sql, row, id)))
      repeats.push({
        pointer: pointerOf(row),
        isSamePayment: Number(row['is_same']) === 1,
        ...(Number(row['may_be_paid']) === 1 ? { mayBePaid: true } : {}),
        ...(Number(row['is_of_its_time']) === 1 ? { isOfItsTime: true } : {}),
      });
  return repeats;
}

/** Of two that are only approved, the one that was approved first does not wait for the other. */
async function isApprovedLater(
  sql: Sql,
  { id: other, status, my_status }: Row,
  id: number,
): Promise<boolean> {
  if (status !== 'approved' || my_status !== 'approved') return false;
  return (await approvedAt(sql, numberOf(other))) > (await approvedAt(sql, id));
}

/** The entry of the journal by which it was approved last. */
async function approvedAt(sql: Sql, id: number): Promise<number> {
  const row = await sql.get(
    q`SELECT max(seq) AS seq FROM journal WHERE payout = ${id} AND ${LATER} AND kind = 'approve'`,
  );
  return optionalNumber(row?.['seq']) ?? 0;
}

/** Unsent rows of a file that pay what another unsent row of it pays. */
const equalRows = (batch: number) => q`
WITH again AS (SELECT payment_key FROM payouts WHERE batch = ${batch} AND ${IN_FILE} AND payment_key IS NOT NULL
  AND status IN ('planned','held','quoted') GROUP BY payment_key HAVING count(*) > 1)
SELECT other.payment_key AS payment_key, other.reference_key AS reference_key, ${POINTED} FROM payouts other
  WHERE batch = ${batch} AND ${IN_FILE} AND status IN ('planned','held','quoted')
  AND payment_key IN (SELECT payment_key FROM again) ORDER BY position`;
/** Of very many equal rows the nearest above are enough: each of those is asked about the ones above it. */
const ABOVE_MAX = 20;

/** For each unsent row of the batch's file: the unsent rows above it that may be the same payment. */
export async function rowsAbove(sql: Sql, batch: number): Promise<ReadonlyMap<PayoutId, readonly Repeat[]>> {
  const found = new Map<PayoutId, readonly Repeat[]>();
  const groups = new Map<string, Row[]>();
  for (const row of await sql.all(equalRows(batch))) {
    const key = textOfKey(row['payment_key']);
    const above = groups.get(key) ?? [];
    const same = above.filter((other) => isSameByReference(row, other)).slice(-ABOVE_MAX);
    const repeats = same.reverse().map((other) => ({ pointer: pointerOf(other), isSamePayment: true }));
    if (repeats.length > 0) found.set(asPayoutId(String(row['id'])), repeats);
    groups.set(key, [...above, row].slice(-10 * ABOVE_MAX));
  }
  return found;
}

/** Two references tell equal payments apart; where one of the two has none, nothing does. */
function isSameByReference(one: Row, other: Row): boolean {
  if (one['reference_key'] === null || other['reference_key'] === null) return true;
  return textOfKey(one['reference_key']) === textOfKey(other['reference_key']);
}

export async function pointerTo(sql: Sql, id: number): Promise<PaymentPointer | undefined> {
  const row = await sql.get(q`SELECT ${POINTED} FROM payouts other WHERE id = ${id}`);
  return row && pointerOf(row);
}

function pointerOf(row: Row): PaymentPointer {
  return {
    payoutId: asPayoutId(String(row['id'])),
    batchId: asBatchId(String(row['batch'])),
    batchName: String(row['batch_name']),
    rowNumber: numberOf(row['row_number']),
    status: row['status'] as Status,
    at: timestampOf(Math.max(optionalNumber(row['memory_at']) ?? 0, optionalNumber(row['ended_at']) ?? 0)),
  };
}

/**
 * A family: an instruction, its replacements and theirs, in any batch. At most one of it lives: the unique index on
 * `living_root` refuses a second one, whoever asks. What failed first and was paid after all has `incident_root` instead, and
 * nothing of its family may go out any more.
 */

/** Up to the first instruction, down to all that replaced it: nothing to do for the many rows that replace none. */
const noted = (id: number) => q`WITH RECURSIVE
  up(id, earlier) AS (SELECT id, replaces FROM payouts WHERE id = ${id} AND replaces IS NOT NULL
    UNION SELECT p.id, p.replaces FROM up JOIN payouts p ON p.id = CAST(up.earlier AS bigint)),
  family(id) AS (SELECT id FROM up
    UNION SELECT n.id FROM family JOIN payouts n ON n.replaces = CAST(family.id AS text))
SELECT p.id AS id FROM family ${thenJoin} payouts p ON p.id = family.id
WHERE p.id <> ${id} AND ${isStillPaidAfterAll('p')} LIMIT 1`;

/** A payment of the same family that failed first and was paid after all, by its own state or by what was noted of it. */
export async function incidentRelative(sql: Sql, id: number): Promise<number | undefined> {
  const own = await sql.get(q`SELECT id FROM payouts
    WHERE incident_root = (SELECT root FROM payouts WHERE id = ${id}) AND id <> ${id}`);
  return optionalNumber((own ?? (await sql.get(noted(id))))?.['id']);
}

/** The other member of the payout's family that lives. */
export async function livingRelative(sql: Sql, id: number): Promise<number | undefined> {
  const row = await sql.get(q`SELECT id FROM payouts
    WHERE living_root = (SELECT root FROM payouts WHERE id = ${id}) AND id <> ${id}`);
  return optionalNumber(row?.['id']);
}

/** What keeps the payout from going out, or undefined. */
export async function relativeOf(sql: Sql, id: number): Promise<number | undefined> {
  return (await incidentRelative(sql, id)) ?? livingRelative(sql, id);
}
