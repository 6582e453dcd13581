/**
 * How the rows of an import differ from a batch's current rows: matched by their row keys, equal rows one to one, those
 * that must stay first, and those with equal cells before others. A withdrawn row is matched even if a file in between
 * did not have it or its cells mean something else now. So nobody pays it by uploading a file.
 */
import { asPayoutId, type BatchId } from '../../../domain/payouts/instruction.ts';
import type { Comparison } from '../../../ports/ledger/imports.ts';
import { isShownAsPaidSql, wasTurnedAwaySql } from '../payouts/payment-memory.ts';
import type { Payouts } from '../payouts/payouts.ts';
import { positionOf } from '../payouts/stored-payout.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { AGREED, type Batches, PAID_AFTER_ALL } from './batches.ts';

const TEMP = 'temp.';
const CONFLICTS_MAX = 100;

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
  /** The temporary table of new rows that stay withdrawn, each with the row that was withdrawn. */
  readonly asWritten: string;
  /** Rows that an interrupted revision from the same import has already done. */
  readonly kept: number;
  readonly joined: number;
}

type Places = Omit<Match, 'kept' | 'joined'>;
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
      const { batch, base, table, asWritten, kept, joined } = match;
      const count = (text: string, ...values: number[]) =>
        numberOf(this.#parts.fresh(text).get(...values)?.n);
      // Without rows that come back withdrawn.
      const pairs = count(
        `SELECT count(*) AS n FROM ${table} JOIN payouts p ON p.id = old WHERE p.position IS NOT NULL`,
      );
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
      const conflicts = ids.flatMap((row) => this.#parts.payouts.byId(asPayoutId(String(row.id))) ?? []);
      const staysCanceled = count(
        `SELECT count(*) AS n FROM payouts WHERE batch = ? AND status = 'canceled'
         AND (position >= ? OR id IN (SELECT old FROM ${table} UNION ALL SELECT old FROM ${asWritten}))`,
        batch,
        base,
      );
      const added = fresh - kept - pairs + joined;
      const isHalfRevised = this.#parts.batches.facts(batch).merging !== undefined;
      return {
        isHalfRevised,
        unchanged: pairs + kept,
        added,
        removed: current - pairs,
        staysCanceled,
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
      table: `${TEMP}matched_${this.#tables}`,
      asWritten: `${TEMP}as_written_${this.#tables}`,
    };
    exec(`CREATE TEMP TABLE matched_${this.#tables}(old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE);
      INSERT INTO ${places.table} SELECT o.id, n.id FROM
      (SELECT id, row_key, status, state, count(*) OVER (PARTITION BY row_key) AS equal ${oldRows(places)}) o
      JOIN (SELECT id, row_key, status, state, count(*) OVER (PARTITION BY row_key) AS equal ${newRows(places)}) n
      ON o.row_key = n.row_key AND o.equal = 1 AND n.equal = 1 AND ${SAME_SIGHT}`);
    this.#matchEqual(places);
    this.#matchAsWritten(places);
    if (!isUnderWay) return { ...places, kept: 0, joined: 0 };
    const placed = prepare('SELECT count(*) AS n FROM payouts WHERE batch = ? AND position >= ?').get(
      batch,
      base,
    )?.n;
    const twin = `SELECT count(*) AS n FROM payouts n WHERE n.batch = ? AND n.position IS NOT NULL AND NOT (${notPlacedSql(places)})`;
    const kept = numberOf(prepare(twin).get(fresh)?.n);
    return { ...places, kept, joined: numberOf(placed) - kept };
  }

  /**
   * Of equal rows, those with equal cells belong together: a person tells them apart by a column of the file's own. Rows
   * that must stay come before all others, also with other cells.
   */
  #matchEqual(places: Places): void {
    const { exec, fresh } = this.#parts;
    const { table } = places;
    const equal = `${TEMP}equal_${this.#tables}`;
    const [old, fromFile] = [unmatched(oldRows(places), table), unmatched(newRows(places), table)];
    exec(`CREATE TEMP TABLE equal_${this.#tables}(id INTEGER PRIMARY KEY);
      INSERT INTO ${equal} SELECT id ${old} AND row_key IN (SELECT row_key ${fromFile})`);
    try {
      if (fresh(`SELECT 1 FROM ${equal} LIMIT 1`).get() === undefined) return;
      const keys = `SELECT row_key FROM payouts WHERE id IN (SELECT id FROM ${equal})`;
      exec(`INSERT INTO ${equal} SELECT id ${fromFile} AND row_key IN (${keys})`);
      for (const among of [`AND ${staysSql(places)}`, ''])
        for (const by of ['row_key, cells', 'row_key'] as const) exec(matchSql(places, { equal, among, by }));
    } finally {
      exec(`DROP TABLE IF EXISTS ${equal}`);
    }
  }

  /** New rows with the cells of withdrawn ones, which mean something else now: another bank, or nothing that can be paid. */
  #matchAsWritten({ batch, importId, base, table, asWritten }: Places): void {
    const { exec, fresh } = this.#parts;
    exec(
      `CREATE TEMP TABLE ${asWritten.slice(TEMP.length)}(new INTEGER PRIMARY KEY, old INTEGER NOT NULL UNIQUE)`,
    );
    const withdrawn = `FROM payouts WHERE (batch = ${batch} AND status = 'canceled' AND position < ${base}
      OR ${withdrawnSql(batch)}) AND id NOT IN (SELECT old FROM ${table})`;
    if (fresh(`SELECT 1 ${withdrawn} LIMIT 1`).get() === undefined) return;
    exec(`INSERT INTO ${asWritten} SELECT n.id, o.id FROM
      (SELECT id, ${WRITTEN} AS cells, row_number() OVER (PARTITION BY ${WRITTEN} ORDER BY position, id) AS k ${withdrawn}) o
      JOIN (SELECT id, ${WRITTEN} AS cells, row_number() OVER (PARTITION BY ${WRITTEN} ORDER BY position) AS k
        FROM payouts n WHERE batch = ${importId} AND position IS NOT NULL AND ${notPlacedSql({ batch, base })}
          AND id NOT IN (SELECT new FROM ${table})) n
      ON o.cells = n.cells AND o.k = n.k`);
  }

  drop({ table, asWritten }: Pick<Match, 'table' | 'asWritten'>): void {
    this.#parts.exec(`DROP TABLE IF EXISTS ${table}; DROP TABLE IF EXISTS ${asWritten}`);
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
}

/** One more space makes no other cell. */
const WRITTEN = "replace(replace(cells, '  ', ' '), '  ', ' ')";

/** Rows of the batch as it is, with those that a person withdrew. */
function oldRows({ batch, base }: Places): string {
  return `FROM payouts WHERE (batch = ${batch} AND position IS NOT NULL AND position < ${base} OR ${withdrawnSql(batch)})`;
}

function newRows(places: Places): string {
  return `FROM payouts n WHERE batch = ${places.importId} AND position IS NOT NULL AND ${notPlacedSql(places)}`;
}

function unmatched(rows: string, table: string): string {
  return `${rows} AND id NOT IN (SELECT old FROM ${table} UNION ALL SELECT new FROM ${table})`;
}

interface EqualRows {
  /** The temporary table of all of them. */
  readonly equal: string;
  /** Which of the old ones. */
  readonly among: string;
  /** What has to be the same. */
  readonly by: 'row_key' | 'row_key, cells';
}

/** One to one, in file order. A new row with the cells of an old row is kept for that row while others are left. */
function matchSql(places: Places, { equal, among, by }: EqualRows): string {
  const { batch, importId, table } = places;
  const rows = unmatched(`FROM payouts WHERE id IN (SELECT id FROM ${equal})`, table);
  const wanted = `CASE WHEN (row_key, cells) IN (SELECT row_key, cells ${rows} AND batch = ${batch}) THEN 1 ELSE 0 END`;
  const numbered = (order: string) =>
    `SELECT id, row_key, cells, status, state, row_number() OVER (PARTITION BY ${by} ORDER BY ${order}) AS k ${rows}`;
  const isSame = by === 'row_key' ? '' : 'AND o.cells = n.cells';
  return `INSERT INTO ${table} SELECT o.id, n.id FROM
    (${numbered(`${firstToKeepSql(places)}, position, id`)} AND batch = ${batch} ${among}) o
    JOIN (${numbered(`${wanted}, position`)} AND batch = ${importId}) n
    ON o.row_key = n.row_key ${isSame} AND o.k = n.k AND ${SAME_SIGHT}`;
}

/**
 * Whether the payment may have been made, or was shown as made: a revision that takes its place by a row without a link to
 * it would pay it again, and nobody would see it any more. A request that was turned away may have been carried out.
 */
function wentOutSql(row: string, batch: number | string): string {
  return `(${row}.status IN ${AGREED}
    OR ${wasTurnedAwaySql(row)}
    OR ${isShownAsPaidSql(row)}
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

/** Of equal rows, the one that must stay keeps its place first; those that were withdrawn come last. */
function firstToKeepSql(match: Kept): string {
  return `CASE WHEN ${staysSql(match)} THEN 0 WHEN status IN ('planned','held','quoted') THEN 1
    WHEN position IS NOT NULL THEN 2 ELSE 3 END`;
}

/**
 * A row that a person withdrew, and that the newest file does not have; nobody asked to pay it again. A replacement of
 * another payment of the batch is not a row of a file.
 */
function withdrawnSql(batch: number): string {
  return `(batch = ${batch} AND position IS NULL AND status = 'canceled' AND json_extract(state, '$.leftOut') IS NULL
    AND NOT EXISTS (SELECT 1 FROM payouts e WHERE e.id = CAST(payouts.replaces AS INTEGER) AND e.batch = ${batch})
    AND NOT EXISTS (SELECT 1 FROM payouts r INDEXED BY payouts_replaces
      WHERE r.replaces IS NOT NULL AND r.replaces = CAST(payouts.id AS TEXT) AND r.batch = ${batch}))`;
}

const isHidden = (row: string) =>
  `(${row}.status = 'held' AND EXISTS (SELECT 1 FROM json_each(${row}.state, '$.reasons') WHERE json_extract(value, '$.concern.kind') = 'hidden_row'))`;

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
