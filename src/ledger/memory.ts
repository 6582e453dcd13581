/**
 * The memory of payments over all batches, asked about a whole file: which batches it repeats, and where the same money goes
 * under another reference. And the names that a person released once. What one payment may repeat: repeats.ts.
 */
import { createHmac } from 'node:crypto';
import type { Batch } from '../domain/batches/batch.ts';
import type { AlikePayments } from '../domain/plan/plan.ts';
import { createSameMoneyFinder } from '../domain/rows/repeats-in-file.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { ImportLedger, Overlap } from '../ports/ledger/imports.ts';
import type { PaymentMemory, ReleasedNames } from '../ports/ledger/payment-memory.ts';
import { batchById } from './batches.ts';
import { encodeBody } from './codec-json.ts';
import { paidAgainBy } from './families.ts';
import type { LedgerParts } from './parts.ts';
import { fileSlices } from './payouts.ts';
import { pointerTo, relativeOf, repeatsOf, repeatsWhere, rowsAbove } from './repeats.ts';
import { batchNumber, IN_FILE, payoutNumber } from './rows.ts';
import { LEDGER_CHAIN } from './schema.ts';
import { by, jsonText, numberOf, q, type Row, type Sql, text, thenJoin } from './sql.ts';

const SLICE = 5_000;
const ALIKE_ROWS = 5;
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
    batchesPaidBy: async (id) => (await paidAgainBy(sql, payoutNumber(id))).withItself,
    async livingRelative(id) {
      const other = await relativeOf(sql, payoutNumber(id));
      return other === undefined ? undefined : pointerTo(sql, other);
    },
    overlaps: (id, since) => overlapsOf(sql, batchNumber(id), since),
    alike: (id, since) => alikeOf(sql, batchNumber(id), since),
    async twins(id) {
      const finder = createSameMoneyFinder();
      for await (const rows of sql.each(twins(batchNumber(id))))
        for (const row of rows) {
          const [paymentKey, referenceKey] = [row['payment_key'], row['reference_key']] as Uint8Array[];
          if (paymentKey !== undefined && referenceKey !== undefined)
            finder.look(numberOf(row['row_number']), { paymentKey, referenceKey });
        }
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

/** A payment that was long on its way is as new as the word that it is settled. */
const isNew = (row: string, since: number) => {
  const of = text(row);
  return q`(${of}.memory_at >= ${since} OR (${of}.status = 'settled' AND ${of}.ended_at >= ${since}))`;
};

interface Found {
  readonly batch: Batch;
  readonly lastAt: number;
}

/** In the order of the most rows; without batches that were dropped. */
async function batchesOf<Count extends { readonly lastAt: number }>(
  sql: Sql,
  counts: ReadonlyMap<number, Count>,
  rows: (count: Count) => number,
): Promise<readonly (Found & Count)[]> {
  const found: (Found & Count)[] = [];
  for (const [id, count] of [...counts].sort(([, one], [, other]) => rows(other) - rows(one))) {
    const batch = await batchById(sql, id);
    if (batch !== undefined) found.push({ ...count, batch });
  }
  return found;
}

const OVERLAP = q`me.id AS me, other.batch AS batch, other.id AS id, other.replaces AS replaces, other.memory_at AS memory_at`;

/** Each row counts once for each batch, by its own payments (`rows`) and by those that they pay again (`again`). */
async function overlapsOf(sql: Sql, batch: number, since: number): Promise<readonly Overlap[]> {
  const counts = new Map<number, { rows: number; again: number; lastAt: number }>();
  for await (const [from, to] of fileSlices(sql, batch, { rows: SLICE })) {
    const found = await sql.all(
      repeatsWhere(
        OVERLAP,
        q`me.batch = ${batch} AND me.position >= ${from} AND me.position <= ${to} AND me.status ${WAITS}
          AND other.batch <> ${batch} AND other.memory_at > 0 AND ${isNew('other', since)}`,
      ),
    );
    const seen = new Set<string>();
    const count = ({ me, memory_at }: Row, other: number, kind: 'rows' | 'again') => {
      const counted = counts.get(other) ?? { rows: 0, again: 0, lastAt: 0 };
      counts.set(other, counted);
      counted.lastAt = Math.max(counted.lastAt, numberOf(memory_at));
      if (!seen.has(`${me}\t${other}`)) counted[kind] += 1;
      seen.add(`${me}\t${other}`);
    };
    for (const row of found) count(row, numberOf(row['batch']), 'rows');
    for (const row of found)
      if (row['replaces'] !== null)
        for (const other of (await paidAgainBy(sql, numberOf(row['id']))).others)
          if (other !== batch) count(row, other, 'again');
  }
  const overlaps = await batchesOf(sql, counts, ({ rows }) => rows);
  return overlaps.map(({ lastAt, ...overlap }) => ({ ...overlap, lastSentAt: timestampOf(lastAt) }));
}

async function alikeOf(sql: Sql, batch: number, since: number): Promise<readonly AlikePayments[]> {
  const counts = new Map<number, { count: number; rows: number[]; lastAt: number }>();
  for await (const [from, to] of fileSlices(sql, batch, { rows: SLICE })) {
    for (const [row, paid] of await alikeIn(sql, batch, { from, to, since })) {
      const other = numberOf(paid['batch']);
      const seen = counts.get(other) ?? { count: 0, rows: [], lastAt: 0 };
      counts.set(other, seen);
      seen.count += 1;
      seen.lastAt = Math.max(seen.lastAt, numberOf(paid['memory_at']));
      if (seen.rows.length < ALIKE_ROWS) seen.rows.push(numberOf(row['row_number']));
    }
  }
  const alike = await batchesOf(sql, counts, ({ count }) => count);
  return alike.map((found) => ({ ...found, lastAt: timestampOf(found.lastAt) }));
}

/**
 * For each row the newest payment of the same money under another reference. Asked once for each different payment, of
 * which the three newest with references of their own are kept: a file of equal rows does not cost the square of them.
 */
async function alikeIn(
  sql: Sql,
  batch: number,
  { from, to, since }: { readonly from: number; readonly to: number; readonly since: number },
): Promise<readonly (readonly [row: Row, paid: Row])[]> {
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
  const textOf = (key: unknown) => Buffer.from(key as Uint8Array).toString('latin1');
  const byPayment = Map.groupBy(paid, ({ payment_key }) => textOf(payment_key));
  const rows = await sql.all(q`SELECT row_number, root, payment_key, reference_key ${own} ORDER BY position`);
  return rows.flatMap((row): readonly (readonly [Row, Row])[] => {
    const found = byPayment
      .get(textOf(row['payment_key']))
      ?.find(
        (other) =>
          other['root'] !== row['root'] && textOf(other['reference_key']) !== textOf(row['reference_key']),
      );
    return found === undefined ? [] : [[row, found]];
  });
}

/** Rows without a reference are held as repeats, and rows that will not be paid do not count. */
const twins = (batch: number) => q`SELECT row_number, payment_key, reference_key FROM payouts
  WHERE batch = ${batch} AND ${IN_FILE} AND payment_key IS NOT NULL AND reference_key IS NOT NULL
  AND status NOT IN ('invalid','canceled','failed','returned') ORDER BY position`;
