/**
 * How the rows of an import differ from a batch's current rows: matched by content, equal rows one to one, those
 * that must stay first.
 */
import { asPayoutId, type BatchId } from '../../../domain/payouts/instruction.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import type { Comparison, RevisionConflict } from '../../../ports/ledger/imports.ts';
import type { Payouts } from '../payouts/payouts.ts';
import { positionOf } from '../payouts/stored-payout.ts';
import { numberOf, type Sql, yieldToEvents } from '../storage/sql-statements.ts';
import { type Batches, PAID_AFTER_ALL } from './batches.ts';

const CONFLICTS_MAX = 100;
const SLICE_ROWS = 20_000;
const AGREED = "('approved','sending','in_doubt','accepted','settled','failed','returned')";

interface RowMatchesParts {
  readonly batches: Batches;
  readonly payouts: Payouts;
  readonly exec: (text: string) => void;
  /** A statement of its own: a text that names a temporary table is used once. */
  readonly fresh: Sql;
}

export interface Match {
  readonly batch: number;
  readonly importId: number;
  readonly range: number;
  /** First place of the new range. */
  readonly base: number;
  /** The import has no column for the payment that a row replaces. */
  readonly namesNoPayment: boolean;
  /** The temporary table of pairs. */
  readonly table: string;
  /** Rows that an interrupted revision from the same import has already done. */
  readonly kept: number;
  readonly joined: number;
}

type Kept = Pick<Match, 'batch' | 'namesNoPayment'>;

export class RowMatches {
  readonly #parts: RowMatchesParts;
  #tables = 0;

  constructor(parts: RowMatchesParts) {
    this.#parts = parts;
  }

  async compare(batchId: BatchId, importId: BatchId): Promise<Comparison> {
    const match = this.match(batchId, importId);
    try {
      const { batch, base, table, kept, joined } = match;
      const count = (text: string, ...values: number[]) =>
        numberOf(this.#parts.fresh(text).get(...values)?.n);
      const pairs = count(`SELECT count(*) AS n FROM ${table}`);
      const old = `FROM payouts WHERE batch = ? AND position IS NOT NULL AND position < ?`;
      const current = count(`SELECT count(*) AS n ${old}`, batch, base);
      const fresh = count(
        'SELECT count(*) AS n FROM payouts WHERE batch = ? AND position IS NOT NULL',
        match.importId,
      );
      const lost = `${old} AND ${staysSql(match)} AND id NOT IN (SELECT old FROM ${table})`;
      const conflictCount = count(`SELECT count(*) AS n ${lost}`, batch, base);
      const ids = this.#parts
        .fresh(`SELECT id ${lost} ORDER BY position LIMIT ${CONFLICTS_MAX}`)
        .all(batch, base);
      const conflicts = await this.#conflicts(
        match,
        ids.map((row) => numberOf(row.id)),
      );
      const added = fresh - kept - pairs + joined;
      const isHalfRevised = this.#parts.batches.facts(batch).merging !== undefined;
      return {
        isHalfRevised,
        unchanged: pairs + kept,
        added,
        removed: current - pairs,
        conflicts,
        conflictCount,
        paidAgainBeside: this.#paidAgainBeside(match),
      };
    } finally {
      this.drop(match);
    }
  }

  /** Inside the commit that begins a revision: `compare` may have seen other pairs. */
  paysAgainBeside(batchId: BatchId, importId: BatchId): boolean {
    const { batches } = this.#parts;
    if (!batches.facts(batches.numberOf(importId)).file.columns.has('replaces')) return false;
    const match = this.match(batchId, importId);
    try {
      return this.#paidAgainBeside(match).length > 0;
    } finally {
      this.drop(match);
    }
  }

  /** Pairs of equal rows, as a temporary table: reading it holds no lock that anyone waits for. */
  match(batchId: BatchId, importId: BatchId): Match {
    const { batches, exec, fresh: prepare } = this.#parts;
    const [batch, fresh] = [batches.numberOf(batchId), batches.numberOf(importId)];
    const facts = batches.facts(batch);
    const isUnderWay = facts.merging === importId;
    const range = isUnderWay ? facts.range : facts.range + 1;
    const base = positionOf(range, 0);
    this.#tables += 1;
    const namesNoPayment = !batches.facts(fresh).file.columns.has('replaces');
    const places = {
      batch,
      importId: fresh,
      range,
      base,
      namesNoPayment,
      table: `temp.matched_${this.#tables}`,
    };
    exec(`CREATE TEMP TABLE matched_${this.#tables}(old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE);
      INSERT INTO ${places.table} SELECT o.id, n.id FROM
      (SELECT id, content_key, status, state, name, phone,
          row_number() OVER (PARTITION BY content_key, name, phone ORDER BY ${firstToKeepSql(places)}, position) AS k
        FROM payouts WHERE batch = ${batch} AND position IS NOT NULL AND position < ${base}) o
      JOIN (SELECT id, content_key, status, state, name, phone,
          row_number() OVER (PARTITION BY content_key, name, phone ORDER BY position) AS k
        FROM payouts n WHERE batch = ${fresh} AND position IS NOT NULL AND ${notPlacedSql(places)}) n
      ON o.content_key = n.content_key AND o.k = n.k AND ${SAME_PERSON} AND ${SAME_SIGHT}`);
    if (!isUnderWay) return { ...places, kept: 0, joined: 0 };
    const placed = prepare('SELECT count(*) AS n FROM payouts WHERE batch = ? AND position >= ?').get(
      batch,
      base,
    )?.n;
    const twin = `SELECT count(*) AS n FROM payouts n WHERE n.batch = ? AND n.position IS NOT NULL AND NOT (${notPlacedSql(places)})`;
    const kept = numberOf(prepare(twin).get(fresh)?.n);
    return { ...places, kept, joined: numberOf(placed) - kept };
  }

  drop({ table }: Pick<Match, 'table'>): void {
    this.#parts.exec(`DROP TABLE IF EXISTS ${table}`);
  }

  /** Rows that would join and name a payment of this batch that keeps its row, or whose replacement does. */
  #paidAgainBeside(match: Match): readonly number[] {
    const { batch, importId, namesNoPayment, table } = match;
    if (namesNoPayment) return [];
    const rows = this.#parts.fresh(`WITH RECURSIVE line(row, id) AS (
        SELECT n.row_number, e.id FROM payouts n INDEXED BY payouts_replaces
          JOIN payouts e ON e.id = CAST(n.replaces AS INTEGER) AND e.batch = ${batch}
          WHERE n.replaces IS NOT NULL AND n.batch = ${importId} AND n.position IS NOT NULL
          AND n.id NOT IN (SELECT new FROM ${table}) AND ${notPlacedSql(match)}
        UNION SELECT l.row, r.id FROM line l JOIN payouts r ON r.replaces = CAST(l.id AS TEXT)
          WHERE r.batch = ${batch})
      SELECT DISTINCT row FROM line WHERE id IN (SELECT old FROM ${table}) ORDER BY row LIMIT ${CONFLICTS_MAX}`);
    return rows.all().map(({ row }) => numberOf(row));
  }

  async #conflicts(match: Match, ids: readonly number[]): Promise<RevisionConflict[]> {
    const { payouts } = this.#parts;
    const lost = ids.flatMap((id) => payouts.byId(asPayoutId(String(id))) ?? []);
    if (lost.length === 0) return [];
    const byReference = new Map<string, Payout>();
    const byRow = new Map<number, Payout>();
    const references = new Set(lost.map((payout) => payout.instruction?.reference));
    const rows = new Set(lost.map((payout) => payout.rowNumber));
    for await (const fresh of this.#unmatched(match)) {
      const reference = fresh.instruction?.reference;
      if (reference !== undefined && references.has(reference)) byReference.set(reference, fresh);
      if (rows.has(fresh.rowNumber)) byRow.set(fresh.rowNumber, fresh);
    }
    return lost.map((before) => {
      const reference = before.instruction?.reference;
      const after =
        (reference === undefined ? undefined : byReference.get(reference)) ?? byRow.get(before.rowNumber);
      return { before, after };
    });
  }

  /** Rows of the import that equal none of the batch, in slices. */
  async *#unmatched({ importId, table }: Match): AsyncGenerator<Payout> {
    const slice = this.#parts.fresh(
      `SELECT id, position FROM payouts WHERE batch = ? AND position > ? AND id NOT IN (SELECT new FROM ${table})
       ORDER BY position LIMIT ${SLICE_ROWS}`,
    );
    for (let after = -1; ; ) {
      const rows = slice.all(importId, after);
      if (rows.length === 0) return;
      for (const row of rows) {
        const payout = this.#parts.payouts.byId(asPayoutId(String(row.id)));
        if (payout !== undefined) yield payout;
      }
      after = numberOf(rows.at(-1)?.position);
      await yieldToEvents();
    }
  }
}

/**
 * Whether the payment may have been made, or was shown as made: a revision that takes its place by a row without a link to
 * it would pay it again, and nobody would see it any more. A request that was turned away may have been carried out.
 */
function wentOutSql(row: string, batch: number | string): string {
  return `(${row}.status IN ${AGREED}
    OR (${row}.attempts > 0 AND EXISTS (SELECT 1 FROM journal j WHERE j.payout = ${row}.id AND j.payout IS NOT NULL
      AND j.kind <> 'imported' AND j.kind = 'turn_away'))
    OR (${row}.status = 'held' AND EXISTS (SELECT 1 FROM json_each(${row}.state, '$.reasons') r
      WHERE json_extract(r.value, '$.kind') = 'duplicate_payment' AND json_extract(r.value, '$.pointer') IS NULL))
    OR ${row}.id IN (SELECT CAST(json_extract(j.body, '$.payout') AS INTEGER) FROM journal j
      WHERE j.batch = ${batch} AND j.payout IS NULL AND j.kind IN ${PAID_AFTER_ALL}))`;
}

/**
 * Rows that took the place of a payment that went out from this batch: only through them is it found. A payment of another
 * batch has its own place there; the row that replaces it is tied to it by its column alone.
 */
function paidAgainSql({ batch, namesNoPayment }: Kept): string {
  const [chain, place] = namesNoPayment
    ? ['', `(e.batch <> ${batch} OR e.position IS NULL)`]
    : [`e.batch = ${batch} AND`, `e.batch = ${batch} AND e.position IS NULL`];
  return `id IN (WITH RECURSIVE paid_again(row, earlier) AS (
      SELECT id, replaces FROM payouts INDEXED BY payouts_replaces
        WHERE replaces IS NOT NULL AND batch = ${batch} AND position IS NOT NULL
      UNION SELECT a.row, e.replaces FROM paid_again a JOIN payouts e ON e.id = CAST(a.earlier AS INTEGER)
        WHERE ${chain} e.replaces IS NOT NULL)
    SELECT a.row FROM paid_again a JOIN payouts e ON e.id = CAST(a.earlier AS INTEGER)
    WHERE ${place} AND ${wentOutSql('e', batch)})`;
}

/** A newer file must keep the row as it is: it was agreed to, or it stands for a payment that went out. */
function staysSql(match: Kept): string {
  return `(${wentOutSql('payouts', match.batch)} OR ${paidAgainSql(match)})`;
}

/** Whether the payout ?1 of the batch ?2 must stay, by a few look-ups; ?3 is 1 when the file names no payment. */
export const MUST_STAY = `WITH RECURSIVE up(id, earlier) AS (SELECT id, replaces FROM payouts WHERE id = ?1
    UNION SELECT e.id, e.replaces FROM up JOIN payouts e ON e.id = CAST(up.earlier AS INTEGER)
      WHERE e.batch = ?2 OR ?3 = 1)
  SELECT 1 FROM up CROSS JOIN payouts e ON e.id = up.id
  WHERE (e.id = ?1 OR e.position IS NULL OR (?3 = 1 AND e.batch <> ?2)) AND ${wentOutSql('e', '?2')} LIMIT 1`;

/** Of equal rows, the one that must stay keeps its place first; one that was withdrawn comes last. */
function firstToKeepSql(match: Kept): string {
  return `CASE WHEN ${staysSql(match)} THEN 0 WHEN status IN ('planned','held','quoted') THEN 1 ELSE 2 END`;
}

/**
 * Another name or phone makes it another row, although neither is part of a batch's identity. Before approval the new
 * row takes the place of the old one. After approval it refuses the file: the alternative would be to ignore silently
 * what a person wrote.
 */
const SAME_PERSON = '(o.name IS NOT DISTINCT FROM n.name AND o.phone IS NOT DISTINCT FROM n.phone)';

const isHidden = (row: string) =>
  `(${row}.status = 'held' AND EXISTS (SELECT 1 FROM json_each(${row}.state, '$.reasons') WHERE json_extract(value, '$.kind') = 'hidden_row'))`;

/**
 * Before it is agreed to, a row that was hidden and is shown now is another row, which is not held; so is one that was
 * hidden since, unless a person let it go while it was hidden.
 */
const SAME_SIGHT = `(o.status NOT IN ('planned','held','quoted') OR ${isHidden('o')} = ${isHidden('n')}
  OR (${isHidden('n')} AND instr(o.state, '"hidden_row"') > 0))`;

/** The import's row `n` has no counterpart in the batch's new range yet. */
export function notPlacedSql({ batch, base }: Pick<Match, 'batch' | 'base'>): string {
  return `NOT EXISTS (SELECT 1 FROM payouts t WHERE t.batch = ${batch} AND t.position = ${base} + n.position)`;
}

/**
 * The content keys of one batch, flat in memory: 16 bytes a row, sorted in well under a second for a million.
 *
 * Sorted by their first 30 bits as plain numbers, which V8 does natively; keys are hashes, so the few that
 * share these bits are put in order afterwards. Equal keys (repeated rows) stay together.
 */
const KEY_BYTES = 16;
const PAGE_KEYS = 10_000;
const INDEX_BITS = 23;
const INDEX_LIMIT = 2 ** INDEX_BITS;
const FIRST_KEYS = 1_024;

export class ContentKeys {
  #bytes = Buffer.allocUnsafeSlow(FIRST_KEYS * KEY_BYTES);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(key: Uint8Array): void {
    if (key.length !== KEY_BYTES)
      throw new RangeError(`A content key has ${KEY_BYTES} bytes, not ${key.length}`);
    if (this.#count >= INDEX_LIMIT) throw new RangeError('More rows than a batch can have');
    const at = this.#count * KEY_BYTES;
    if (at === this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(key, at);
    this.#count += 1;
  }

  /** In ascending order, page by page. */
  *pages(): Generator<readonly Uint8Array[]> {
    const order = this.#order();
    for (let from = 0; from < order.length; from += PAGE_KEYS) {
      const page: Uint8Array[] = [];
      for (const place of order.subarray(from, from + PAGE_KEYS)) page.push(this.#key(place % INDEX_LIMIT));
      yield page;
    }
  }

  /** Above the first bits of each key, below its place. */
  #order(): Float64Array {
    const order = new Float64Array(this.#count);
    for (let index = 0; index < order.length; index += 1) {
      const first = this.#bytes.readUInt32BE(index * KEY_BYTES) >>> 2;
      order[index] = first * INDEX_LIMIT + index;
    }
    order.sort();
    this.#orderRuns(order);
    return order;
  }

  /** Keys with the same first bits follow each other; each run of them is put in order of the whole keys. */
  #orderRuns(order: Float64Array): void {
    const firstOf = (at: number) => Math.floor((order[at] ?? 0) / INDEX_LIMIT);
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      while (to < order.length && firstOf(to) === firstOf(from)) to += 1;
      if (to - from > 1) order.subarray(from, to).sort((one, other) => this.#compare(one, other));
      from = to;
    }
  }

  #compare(one: number, other: number): number {
    return Buffer.compare(this.#key(one % INDEX_LIMIT), this.#key(other % INDEX_LIMIT));
  }

  #key(index: number): Buffer {
    return this.#bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
  }
}
