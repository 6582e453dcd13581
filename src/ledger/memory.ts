/**
 * The memory of payments over all batches: which payments before a payout may be the same, which batches a whole file repeats,
 * and where the same money goes under another reference. And the names that a person released once. A payment is “living”
 * while money moved, may have moved, or is about to. A payment of the same row never counts.
 *
 * Before a payout come the payments that were sent, those that were approved earlier by the journal's order, and in its own
 * file the unsent rows above it.
 */
import { createHmac } from 'node:crypto';
import { asBatchId, asPayoutId, type PayoutId } from '../domain/payouts/instruction.ts';
import type { PaymentPointer, Status } from '../domain/payouts/payout.ts';
import type { Repeat } from '../domain/payouts/repeat.ts';
import { createSameMoneyFinder } from '../domain/rows/repeats-in-file.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { ImportLedger } from '../ports/ledger/imports.ts';
import type { PaymentMemory, ReleasedNames } from '../ports/ledger/payment-memory.ts';
import { batchById } from './batches.ts';
import { encodeBody } from './codec-json.ts';
import { isPaidAfterAll, paidAgainBy, relativeOf } from './families.ts';
import type { LedgerParts } from './parts.ts';
import { fileSlices } from './payouts.ts';
import { batchNumber, IN_FILE, payoutNumber, textOfKey } from './rows.ts';
import { LATER, LEDGER_CHAIN } from './schema.ts';
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
const SLICE = 5_000;
const FIRST_ROWS = 5;
const WAITS = text("IN ('planned','held','quoted')");

type Own = Pick<ImportLedger, 'overlaps' | 'alike' | 'twins'> &
  Pick<
    PaymentMemory,
    'repeatsOf' | 'rowsAbove' | 'batchesPaidBy' | 'livingRelative' | 'rememberNameRelease' | 'nameRelease'
  >;

export function remembering({ read: sql, writer, identity }: LedgerParts): Own {
  return {
    repeatsOf: (id) => repeatsOf(sql, payoutNumber(id)),
    rowsAbove: (id) => rowsAbove(sql, batchNumber(id)),
    async batchesPaidBy(id) {
      const batches = await paidAgainBy(sql, payoutNumber(id));
      return [...new Set(batches)].map((batch) => asBatchId(String(batch)));
    },
    async livingRelative(id) {
      const other = await relativeOf(sql, payoutNumber(id));
      return other === undefined ? undefined : pointerTo(sql, other);
    },
    async overlaps(id, since) {
      const met = await metBy(sql, batchNumber(id), (...slice) => repeatedIn(sql, since, ...slice));
      return met.map(({ batch, rows, again, lastAt }) => ({ batch, rows, again, lastSentAt: lastAt }));
    },
    async alike(id, since) {
      const met = await metBy(sql, batchNumber(id), (...slice) => alikeIn(sql, since, ...slice));
      return met.map(({ batch, rows, first, lastAt }) => ({ batch, count: rows, rows: first, lastAt }));
    },
    async twins(id) {
      const finder = createSameMoneyFinder();
      for await (const rows of sql.each(twins(batchNumber(id))))
        for (const { row_number: row, payment_key: payment, reference_key: reference } of rows)
          if (payment instanceof Uint8Array && reference instanceof Uint8Array)
            finder.look(numberOf(row), { paymentKey: payment, referenceKey: reference });
      return finder.notes();
    },
    /** The journal keeps who and when; the account is kept only inside a digest that nobody can guess it from. */
    rememberNameRelease(release) {
      const { by: who, at, reason } = release;
      const key = nameKey(release, identity.salt);
      return writer.write(async ({ sql: own, add }) => {
        const stored = encodeBody('name_released', { key, by: who, reason });
        const entry = add({ batch: LEDGER_CHAIN, payout: null, at, kind: 'name_released', ...stored });
        // The first word stands, so that nobody needs the right to change it.
        await own.run(
          q`INSERT INTO name_releases(key, entry) VALUES (${key}, ${entry}) ON CONFLICT DO NOTHING`,
        );
      });
    },
    /** As the journal says it: the table beside it only finds the entry. */
    async nameRelease(names) {
      const key = nameKey(names, identity.salt);
      const found = await sql.get(q`SELECT j.at AS at, ${jsonText('j.body', 'by')} AS by_whom,
          ${jsonText('j.body', 'reason')} AS reason FROM name_releases n JOIN journal j ON j.seq = n.entry
        WHERE n.key = ${key} AND j.kind = 'name_released' AND ${jsonText('j.body', 'key')} = ${key}`);
      if (found === undefined) return undefined;
      const { at, by_whom, reason } = found;
      return { by: String(by_whom), reason: String(reason), at: timestampOf(numberOf(at)) };
    },
  };
}

function nameKey({ institutionId, account, writtenName, resolvedName }: ReleasedNames, salt: string): string {
  const names = JSON.stringify([institutionId, account, writtenName, resolvedName]);
  return createHmac('sha256', salt).update(names).digest('hex');
}

/** Of a row that was tried: one of its requests may have been carried out all the same. */
export const wasTurnedAway = (row: string) =>
  q`(${text(row)}.attempts > 0 AND EXISTS (SELECT 1 FROM journal j
    WHERE j.payout = ${text(row)}.id AND ${LATER} AND j.kind = 'turn_away'))`;

/** As `isShownAsPaid` of the domain says it. */
export const isShownAsPaid = (row: string) =>
  q`((${text(row)}.status = 'held' AND EXISTS (SELECT 1 FROM ${jsonList(`${row}.state`, 'r', 'reasons')}
      WHERE ${jsonText('r.value', 'concern', 'kind')} = 'maybe_paid'))
    OR (${text(row)}.status = 'canceled' AND ${jsonText(`${row}.state`, 'isShownAsPaid')} IS NOT NULL))`;

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
const repeatsWhere = (columns: Query, where: Query) => q`
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

/**
 * Unsent rows of a file that pay what another unsent row of it pays. Of a new file a server has no statistics; without
 * MATERIALIZED it would group the rows anew for each row.
 */
const equalRows = (batch: number) => q`
WITH again AS MATERIALIZED (SELECT payment_key FROM payouts WHERE batch = ${batch} AND ${IN_FILE}
  AND payment_key IS NOT NULL AND status ${WAITS} GROUP BY payment_key HAVING count(*) > 1)
SELECT other.payment_key AS payment_key, other.reference_key AS reference_key, ${POINTED} FROM payouts other
  WHERE batch = ${batch} AND ${IN_FILE} AND status ${WAITS}
  AND payment_key IN (SELECT payment_key FROM again) ORDER BY position`;
/** Of very many equal rows the nearest above are enough: each of those is asked about the ones above it. */
const ABOVE_MAX = 20;

/** For each unsent row of the batch's file: the unsent rows above it that may be the same payment. */
async function rowsAbove(sql: Sql, batch: number): Promise<ReadonlyMap<PayoutId, readonly Repeat[]>> {
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

/** A payment that was long on its way is as new as the word that it is settled. */
const isNew = (row: string, since: number) => {
  const of = text(row);
  return q`(${of}.memory_at >= ${since} OR (${of}.status = 'settled' AND ${of}.ended_at >= ${since}))`;
};

/** A row of the file, and a batch that has a payment which it meets, or (`again`) in which that one pays a row again. */
interface Met {
  readonly me: number;
  readonly other: number;
  readonly at: number;
  readonly kind: 'rows' | 'again';
}
type Slice = readonly [batch: number, from: number, to: number];

/** Each row counts once for each batch. In the order of the most rows; without batches that were dropped. */
async function metBy(sql: Sql, batch: number, metIn: (...slice: Slice) => Promise<readonly Met[]>) {
  const counts = new Map<number, { rows: number; again: number; lastAt: number; readonly first: number[] }>();
  for await (const [from, to] of fileSlices(sql, batch, { rows: SLICE })) {
    const seen = new Set<string>();
    for (const { me, other, at, kind } of await metIn(batch, from, to)) {
      const counted = counts.get(other) ?? { rows: 0, again: 0, lastAt: 0, first: [] };
      counts.set(other, counted);
      counted.lastAt = Math.max(counted.lastAt, at);
      if (seen.has(`${me} ${other}`)) continue;
      seen.add(`${me} ${other}`);
      counted[kind] += 1;
      if (counted.first.length < FIRST_ROWS) counted.first.push(me);
    }
  }
  const most = [...counts].sort(([, one], [, other]) => other.rows - one.rows);
  const met = await Promise.all(
    most.map(async ([id, { lastAt, ...count }]) => {
      const found = await batchById(sql, id);
      return found === undefined ? [] : [{ ...count, batch: found, lastAt: timestampOf(lastAt) }];
    }),
  );
  return met.flat();
}

async function repeatedIn(sql: Sql, since: number, ...[batch, from, to]: Slice): Promise<readonly Met[]> {
  const columns = q`me.id AS me, other.batch AS batch, other.id AS id, other.replaces AS replaces, other.memory_at AS memory_at`;
  const found = await sql.all(
    repeatsWhere(
      columns,
      q`me.batch = ${batch} AND me.position >= ${from} AND me.position <= ${to} AND me.status ${WAITS}
        AND other.batch <> ${batch} AND other.memory_at > 0 AND ${isNew('other', since)}`,
    ),
  );
  const metOf = ({ me, memory_at }: Row, other: number, kind: Met['kind']): Met => ({
    ...{ me: numberOf(me), other, at: numberOf(memory_at), kind },
  });
  const met = found.map((row) => metOf(row, numberOf(row['batch']), 'rows'));
  for (const row of found)
    if (row['replaces'] !== null)
      for (const other of (await paidAgainBy(sql, numberOf(row['id']))).slice(1))
        if (other !== batch) met.push(metOf(row, other, 'again'));
  return met;
}

/**
 * For each row the newest payment of the same money under another reference. Asked once for each different payment, of
 * which the three newest with references of their own are kept: a file of equal rows does not cost the square of them.
 */
async function alikeIn(sql: Sql, since: number, ...[batch, from, to]: Slice): Promise<readonly Met[]> {
  const own = q`FROM payouts WHERE batch = ${batch} AND ${IN_FILE} AND position >= ${from} AND position <= ${to}
    AND status ${WAITS} AND payment_key IS NOT NULL AND reference_key IS NOT NULL`;
  const paid = await sql.all(q`SELECT * FROM (
      SELECT p.*, row_number() OVER (PARTITION BY payment_key ORDER BY memory_at DESC, id DESC) AS place FROM (
        SELECT o.id, o.payment_key, o.reference_key, o.root, o.batch, o.memory_at, row_number() OVER (
            PARTITION BY o.payment_key, o.reference_key ORDER BY o.memory_at DESC, o.id DESC) AS of_reference
          FROM (SELECT DISTINCT payment_key ${own}) k ${thenJoin} payouts o ${by('payouts_payment')}
            ON o.payment_key = k.payment_key AND o.remembered IS NOT NULL
          WHERE ${isNew('o', since)} AND o.batch <> ${batch} AND o.reference_key IS NOT NULL) p
      WHERE of_reference = 1) n WHERE place <= 3 ORDER BY place`);
  if (paid.length === 0) return [];
  const byPayment = Map.groupBy(paid, ({ payment_key }) => textOfKey(payment_key));
  const rows = await sql.all(q`SELECT row_number, root, payment_key, reference_key ${own} ORDER BY position`);
  return rows.flatMap(({ row_number, root, payment_key, reference_key }): readonly Met[] => {
    const isOther = (other: Row) =>
      other['root'] !== root && textOfKey(other['reference_key']) !== textOfKey(reference_key);
    const found = byPayment.get(textOfKey(payment_key))?.find(isOther);
    if (found === undefined) return [];
    const [other, at] = [numberOf(found['batch']), numberOf(found['memory_at'])];
    return [{ me: numberOf(row_number), other, at, kind: 'rows' }];
  });
}

/** Rows without a reference are held as repeats, and rows that will not be paid do not count. */
const twins = (batch: number) => q`SELECT row_number, payment_key, reference_key FROM payouts
  WHERE batch = ${batch} AND ${IN_FILE} AND payment_key IS NOT NULL AND reference_key IS NOT NULL
  AND status NOT IN ('invalid','canceled','failed','returned') ORDER BY position`;
