/**
 * The memory of payments: which payments before a payout may be the same, and the names that a person released once. A
 * payment is “living” while money moved, may have moved, or is about to. A payment of the same row never counts.
 *
 * Before a payout come the payments that were sent, those that were approved earlier by the journal's order, and in its own
 * file the unsent rows above it.
 */
import { hash } from 'node:crypto';
import { asBatchId, asPayoutId, type BatchId, type PayoutId } from '../../../domain/payouts/instruction.ts';
import type { PaymentPointer, Status } from '../../../domain/payouts/payout.ts';
import type { Repeat } from '../../../domain/payouts/repeat.ts';
import type { AlikePayments } from '../../../domain/plan/plan.ts';
import { createSameMoneyFinder } from '../../../domain/rows/repeats-in-file.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type { Overlap } from '../../../ports/ledger/imports.ts';
import type { NameRelease, ReleasedNames } from '../../../ports/ledger/payment-memory.ts';
import { type Batches, CAME_BACK_AFTER, LEDGER_CHAIN, PAID_AFTER_ALL } from '../batches/batches.ts';
import type { ChainDraft } from '../proof/event-chain.ts';
import { fileSlices, numberOf, OF_BATCH, type Sql } from '../storage/sql-statements.ts';

const REPEATS_MAX = 1_000;
const OVERLAP_ROWS = 5_000;

/** A payment that was long on its way is as new as the word that it is settled. */
const stateAtSql = (row: string, field: string) =>
  `CAST(json_extract(${row}.state, '$.${field}') AS INTEGER)`;
const settledAtSql = (row: string) => stateAtSql(row, 'settledAt');
const isNewSql = (row: string) =>
  `(${row}.memory_at >= ?4 OR (${row}.status = 'settled' AND ${settledAtSql(row)} >= ?4))`;

const OTHER = `other.id AS id, other.batch AS batch, other.row_number AS row_number, other.status AS status,
  other.memory_at AS memory_at,
  CASE other.status WHEN 'settled' THEN ${settledAtSql('other')} WHEN 'failed' THEN ${stateAtSql('other', 'at')}
    WHEN 'returned' THEN ${stateAtSql('other', 'returnedAt')} END AS ended_at,
  other.batch = me.batch OR (other.status = 'settled' AND ${settledAtSql('other')} >
    (SELECT born.at FROM journal born WHERE born.seq = me.born)) AS is_of_its_time,
  other.payment_key = me.payment_key AS is_same`;

/** Of a row that was tried: one of its requests may have been carried out all the same. */
export function wasTurnedAwaySql(row: string): string {
  return `(${row}.attempts > 0 AND EXISTS (SELECT 1 FROM journal j
    WHERE j.payout = ${row}.id AND j.payout IS NOT NULL AND j.kind <> 'imported' AND j.kind = 'turn_away'))`;
}

/** As `isShownAsPaid` of the domain says it. */
export function isShownAsPaidSql(row: string): string {
  return `((${row}.status = 'held' AND EXISTS (SELECT 1 FROM json_each(${row}.state, '$.reasons') r
      WHERE json_extract(r.value, '$.concern.kind') = 'maybe_paid'))
    OR (${row}.status = 'canceled' AND json_extract(${row}.state, '$.isShownAsPaid') IS NOT NULL))`;
}

/**
 * A payment that does not live and may have been made all the same. Its request was turned away but perhaps carried out,
 * a statement shows it, it was paid after all, or the service no longer calls it unpaid. The memory has no instant of it.
 */
const MAY_BE_PAID = `(other.memory_at = 0 AND (
  (other.status IN ('planned','held','quoted','canceled') AND ${wasTurnedAwaySql('other')})
  OR ${isShownAsPaidSql('other')}
  OR (other.status IN ('failed','returned') AND json_extract(other.state, '$.unclear') IS NOT NULL)
  OR EXISTS (SELECT 1 FROM journal j WHERE j.batch = other.batch AND j.payout IS NULL AND j.kind IN ${PAID_AFTER_ALL}
    AND json_extract(j.body, '$.payout') = CAST(other.id AS TEXT))))`;
const IS_UNKNOWN = `(other.status IN ('sending','in_doubt') OR other.memory_at = 0)`;
/** Whether it is old enough to believe is the caller's to judge. */
const IS_CALLED_UNPAID = `(other.status = 'returned'
  OR (other.status = 'failed' AND json_extract(other.state, '$.basis') = 'service_status'))`;
const COUNTS = `other.memory_at IS NOT NULL AND other.root <> me.root
  AND (other.memory_at > 0 OR ${MAY_BE_PAID} OR ${IS_CALLED_UNPAID})`;

/**
 * The same payment counts where one of the two has no reference to tell them apart, and always while the other's
 * outcome is not known: a new reference must not send out what may be paid already.
 */
const SAME_WITHOUT_REFERENCE = `(me.reference_key IS NULL OR
  ((other.reference_key IS NULL OR ${IS_UNKNOWN}) AND other.reference_key IS DISTINCT FROM me.reference_key))`;

/** One arm per kind of key, each on its own index of remembered payouts. */
function repeatsSql(columns: string, where: string, order: string): string {
  return `
SELECT ${columns} FROM payouts me CROSS JOIN payouts other INDEXED BY payouts_reference
  ON other.reference_key = me.reference_key AND ${COUNTS}
  WHERE me.reference_key IS NOT NULL AND ${where}
UNION ALL
SELECT ${columns} FROM payouts me CROSS JOIN payouts other INDEXED BY payouts_payment
  ON other.payment_key = me.payment_key AND ${COUNTS}
  WHERE me.payment_key IS NOT NULL AND ${SAME_WITHOUT_REFERENCE} AND ${where}
${order}`;
}

const REPEATS_OF = repeatsSql(
  `${OTHER}, me.status AS my_status, ${IS_UNKNOWN} AS is_unknown, ${MAY_BE_PAID} AS may_be_paid`,
  'me.id = ?1',
  `ORDER BY is_unknown DESC, memory_at DESC, id DESC LIMIT ${REPEATS_MAX}`,
);
const OVERLAPS = repeatsSql(
  'me.id AS me, other.batch AS batch, other.id AS id, other.replaces AS replaces, other.memory_at AS memory_at',
  `me.batch = ?1 AND me.position > ?2 AND me.position <= ?3 AND me.status IN ('planned','held','quoted')
   AND other.batch <> ?1 AND other.memory_at > 0 AND ${isNewSql('other')}`,
  '',
);

/** Up from a payment to those that it pays again; without rows that their files have no more. */
const PAID_AGAIN = `WITH RECURSIVE up(id) AS (
    SELECT CAST(replaces AS INTEGER) FROM payouts WHERE id = ?1 AND replaces IS NOT NULL
    UNION SELECT CAST(p.replaces AS INTEGER) FROM up JOIN payouts p ON p.id = up.id WHERE p.replaces IS NOT NULL)
SELECT DISTINCT p.batch AS batch FROM up CROSS JOIN payouts p ON p.id = up.id WHERE p.position IS NOT NULL`;

/** The newest is enough, and the first in its index: a file of equal rows does not cost the square of them. */
const ALIKE = `
SELECT me.row_number AS row_number, other.batch AS batch, other.memory_at AS memory_at
  FROM payouts me CROSS JOIN payouts other ON other.id = (
    SELECT o.id FROM payouts o INDEXED BY payouts_payment
    WHERE o.payment_key = me.payment_key AND o.memory_at IS NOT NULL AND ${isNewSql('o')} AND o.batch <> ?1
      AND o.root <> me.root AND o.reference_key <> me.reference_key
      ORDER BY o.memory_at DESC, o.id DESC LIMIT 1)
  WHERE me.batch = ?1 AND me.position > ?2 AND me.position <= ?3 AND me.status IN ('planned','held','quoted')
  ORDER BY me.position`;
const ALIKE_ROWS = 5;
/** Rows without a reference are held as repeats, and rows that will not be paid do not count. */
const TWINS = `
SELECT row_number, payment_key, reference_key ${OF_BATCH} AND position >= ?2 AND position <= ?3
  AND payment_key IS NOT NULL AND reference_key IS NOT NULL
  AND status NOT IN ('invalid','canceled','failed','returned')
  ORDER BY position`;

/** Unsent rows of a file that pay what another unsent row of it pays. */
const EQUAL_ROWS = `
WITH again AS (SELECT payment_key ${OF_BATCH} AND payment_key IS NOT NULL AND status IN ('planned','held','quoted')
  GROUP BY payment_key HAVING count(*) > 1)
SELECT id, batch, row_number, status, payment_key, reference_key ${OF_BATCH} AND status IN ('planned','held','quoted')
  AND payment_key IN (SELECT payment_key FROM again) ORDER BY position`;
/** Of very many equal rows the nearest above are enough: each of those is asked about the ones above it. */
const ABOVE_MAX = 20;

interface MemoryParts {
  readonly batches: Batches;
  readonly chain: ChainDraft;
}

export class PaymentMemory {
  readonly #sql: Sql;
  readonly #batches: Batches;
  readonly #chain: ChainDraft;

  constructor(sql: Sql, { batches, chain }: MemoryParts) {
    this.#sql = sql;
    this.#batches = batches;
    this.#chain = chain;
  }

  /** Payments that come before this one, those of unknown outcome first, then the newest. */
  repeatsOf(id: number): Repeat[] {
    return this.#sql(REPEATS_OF)
      .all(id)
      .filter((row) => !this.#isApprovedLater(row, id))
      .map((row) => ({
        pointer: this.#pointerOf(row),
        isSamePayment: Number(row.is_same) === 1,
        ...(Number(row.may_be_paid) === 1 ? { mayBePaid: true } : {}),
        ...(Number(row.is_of_its_time) === 1 ? { isOfItsTime: true } : {}),
      }));
  }

  /** For each unsent row of the batch's file: the unsent rows above it that may be the same payment. */
  rowsAbove(batchId: BatchId): ReadonlyMap<PayoutId, readonly Repeat[]> {
    const found = new Map<PayoutId, readonly Repeat[]>();
    const groups = new Map<string, Record<string, unknown>[]>();
    for (const row of this.#sql(EQUAL_ROWS).all(this.#batches.numberOf(batchId))) {
      const key = textOfKey(row.payment_key);
      const above = groups.get(key) ?? [];
      const same = above.filter((other) => isSameByReference(row, other)).slice(-ABOVE_MAX);
      const repeats = same
        .reverse()
        .map((other) => ({ pointer: this.#pointerOf(other), isSamePayment: true }));
      if (repeats.length > 0) found.set(asPayoutId(String(row.id)), repeats);
      groups.set(key, [...above, row].slice(-10 * ABOVE_MAX));
    }
    return found;
  }

  async overlaps(batchId: BatchId, since: number): Promise<Overlap[]> {
    const batch = this.#batches.numberOf(batchId);
    const counts = new Map<number, { rows: number; again: number; lastAt: number }>();
    for await (const [from, to] of fileSlices(this.#sql, batch, { rows: OVERLAP_ROWS })) {
      const found = this.#sql(OVERLAPS).all(batch, from - 1, to, since);
      const own = found.map((row) => [row, numberOf(row.batch)] as const);
      const again = found.flatMap((row) =>
        this.#paidAgain(row)
          .filter((other) => other !== batch)
          .map((other) => [row, other] as const),
      );
      const seen = new Set<string>();
      for (const [kind, pairs] of Object.entries({ rows: own, again }) as ['rows' | 'again', typeof own][])
        for (const [{ me, memory_at }, other] of pairs) {
          const count = counts.get(other) ?? { rows: 0, again: 0, lastAt: 0 };
          counts.set(other, count);
          count.lastAt = Math.max(count.lastAt, numberOf(memory_at));
          if (seen.has(`${me}\t${other}`)) continue;
          seen.add(`${me}\t${other}`);
          count[kind] += 1;
        }
    }
    return [...counts]
      .sort(([, one], [, other]) => other.rows - one.rows)
      .flatMap(([other, { lastAt, ...count }]) => {
        const found = this.#batches.batch(asBatchId(String(other)));
        return found === undefined ? [] : [{ batch: found, ...count, lastSentAt: timestampOf(lastAt) }];
      });
  }

  /** Its own batch, and those of which it pays a row again. */
  batchesPaidBy(id: number): readonly BatchId[] {
    const row = this.#sql('SELECT id, batch, replaces FROM payouts WHERE id = ?').get(id);
    if (row === undefined) return [];
    const batches = new Set([numberOf(row.batch), ...this.#paidAgain(row)]);
    return [...batches].map((batch) => asBatchId(String(batch)));
  }

  #paidAgain({ id, replaces }: Record<string, unknown>): readonly number[] {
    if (replaces === null) return [];
    return this.#sql(PAID_AGAIN)
      .all(numberOf(id))
      .map(({ batch }) => numberOf(batch));
  }

  async alike(batchId: BatchId, since: number): Promise<AlikePayments[]> {
    const batch = this.#batches.numberOf(batchId);
    const found = new Map<number, { count: number; rows: number[]; lastAt: number }>();
    for await (const [from, to] of fileSlices(this.#sql, batch, { rows: OVERLAP_ROWS })) {
      for (const row of this.#sql(ALIKE).all(batch, from - 1, to, since)) {
        const other = numberOf(row.batch);
        const seen = found.get(other) ?? { count: 0, rows: [], lastAt: 0 };
        found.set(other, seen);
        seen.count += 1;
        seen.lastAt = Math.max(seen.lastAt, numberOf(row.memory_at));
        if (seen.rows.length < ALIKE_ROWS) seen.rows.push(numberOf(row.row_number));
      }
    }
    return [...found]
      .sort(([, one], [, other]) => other.count - one.count)
      .flatMap(([id, { lastAt, ...seen }]) => {
        const other = this.#batches.batch(asBatchId(String(id)));
        return other === undefined ? [] : [{ batch: other, ...seen, lastAt: timestampOf(lastAt) }];
      });
  }

  async twins(batchId: BatchId): Promise<readonly string[]> {
    const batch = this.#batches.numberOf(batchId);
    const finder = createSameMoneyFinder();
    for await (const [from, to] of fileSlices(this.#sql, batch, { rows: OVERLAP_ROWS })) {
      for (const row of this.#sql(TWINS).all(batch, from, to)) {
        const [paymentKey, referenceKey] = [row.payment_key, row.reference_key] as [Uint8Array, Uint8Array];
        finder.look(numberOf(row.row_number), { paymentKey, referenceKey });
      }
    }
    return finder.notes();
  }

  pointer(id: number): PaymentPointer | undefined {
    const row = this.#sql('SELECT id, batch, row_number, status, memory_at FROM payouts WHERE id = ?').get(
      id,
    );
    return row === undefined ? undefined : this.#pointerOf(row);
  }

  /** Inside a commit. The journal keeps who and when; the account is kept only inside a hash. */
  rememberName(release: NameRelease): void {
    const { by, at, reason } = release;
    const key = nameKey(release);
    const body = JSON.stringify({ v: 1, key, by, reason });
    const entry = this.#chain.add(LEDGER_CHAIN, { payout: null, at, kind: 'name_released', body });
    this.#sql(
      'INSERT INTO name_releases(key, entry) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET entry = excluded.entry',
    ).run(key, entry);
  }

  isNameReleased(names: ReleasedNames): boolean {
    return this.nameRelease(names) !== undefined;
  }

  /** As the journal says it: the table beside it only finds the entry. */
  nameRelease(names: ReleasedNames): Pick<NameRelease, 'by' | 'at' | 'reason'> | undefined {
    const found = this.#sql(
      `SELECT j.at AS at, json_extract(j.body, '$.by') AS by, json_extract(j.body, '$.reason') AS reason
       FROM name_releases n JOIN journal j ON j.seq = n.entry
       WHERE n.key = ?1 AND j.kind = 'name_released' AND json_extract(j.body, '$.key') = ?1`,
    ).get(nameKey(names));
    if (found === undefined) return undefined;
    return { by: String(found.by), reason: String(found.reason), at: timestampOf(numberOf(found.at)) };
  }

  /** Of two that are only approved, the one that was approved first does not wait for the other. */
  #isApprovedLater({ id: other, status, my_status }: Record<string, unknown>, id: number): boolean {
    if (status !== 'approved' || my_status !== 'approved') return false;
    return this.#approvedAt(numberOf(other)) > this.#approvedAt(id);
  }

  /** The entry of the journal by which it was approved last. */
  #approvedAt(id: number): number {
    const approved = this.#sql(
      "SELECT max(seq) AS seq FROM journal WHERE payout = ? AND payout IS NOT NULL AND kind <> 'imported' AND kind = 'approve'",
    );
    return numberOf(approved.get(id)?.seq ?? 0);
  }

  #pointerOf(row: Record<string, unknown>): PaymentPointer {
    return {
      payoutId: asPayoutId(String(row.id)),
      batchId: asBatchId(String(row.batch)),
      batchName: this.#batches.nameOf(numberOf(row.batch)),
      rowNumber: numberOf(row.row_number),
      status: row.status as Status,
      at: timestampOf(Math.max(numberOf(row.memory_at ?? 0), numberOf(row.ended_at ?? 0))),
    };
  }
}

function textOfKey(key: unknown): string {
  return key instanceof Uint8Array ? Buffer.from(key).toString('latin1') : '';
}

/** Two references tell equal payments apart; where one of the two has none, nothing does. */
function isSameByReference(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  if (one.reference_key === null || other.reference_key === null) return true;
  return textOfKey(one.reference_key) === textOfKey(other.reference_key);
}

function nameKey({ institutionId, account, writtenName, resolvedName }: ReleasedNames): string {
  return hash('sha256', JSON.stringify([institutionId, account, writtenName, resolvedName]));
}

/**
 * A family: an instruction, its replacements and theirs, in any batch. At most one of it lives: the unique index on
 * `living_root` refuses a second one, whoever asks. What failed first and was paid after all has `incident_root` instead, and
 * nothing of its family may go out any more.
 */

/** A payment of the same family that failed first and was paid after all, by its own state or by what was noted of it. */
export function incidentRelative(sql: Sql, id: number): number | undefined {
  return relative(sql, 'incident_root', id) ?? notedRelative(sql, id);
}

/** Up to the first instruction, down to all that replaced it: nothing to do for the many rows that replace none. */
const NOTED = `WITH RECURSIVE
  up(id, earlier) AS (SELECT id, replaces FROM payouts WHERE id = ?1 AND replaces IS NOT NULL
    UNION SELECT p.id, p.replaces FROM up JOIN payouts p ON p.id = CAST(up.earlier AS INTEGER)),
  family(id) AS (SELECT id FROM up
    UNION SELECT n.id FROM family JOIN payouts n ON n.replaces = CAST(family.id AS TEXT))
SELECT p.id AS id FROM family CROSS JOIN payouts p ON p.id = family.id
  CROSS JOIN journal j ON j.batch = p.batch AND j.payout IS NULL
    AND j.kind IN ${PAID_AFTER_ALL}
    AND json_extract(j.body, '$.payout') = CAST(p.id AS TEXT)
WHERE p.id <> ?1 AND NOT ${CAME_BACK_AFTER} LIMIT 1`;

function notedRelative(sql: Sql, id: number): number | undefined {
  const row = sql(NOTED).get(id);
  return row === undefined ? undefined : numberOf(row.id);
}

/** The other member of the payout's family that lives. */
export function livingRelative(sql: Sql, id: number): number | undefined {
  return relative(sql, 'living_root', id);
}

/** What keeps the payout from going out, or undefined. */
export function relativeOf(sql: Sql, id: number): number | undefined {
  return incidentRelative(sql, id) ?? livingRelative(sql, id);
}

function relative(sql: Sql, column: 'living_root' | 'incident_root', id: number): number | undefined {
  const row = sql(
    `SELECT id FROM payouts WHERE ${column} = (SELECT root FROM payouts WHERE id = ?1) AND id <> ?1`,
  ).get(id);
  return row === undefined ? undefined : numberOf(row.id);
}
