/**
 * How the rows of an import differ from a batch's current rows: matched by their row keys, equal rows one to one, those
 * that must stay first, and those with equal cells before others. A withdrawn row is matched even if a file in between
 * did not have it or its cells mean something else now. So nobody pays it by uploading a file.
 *
 * The rows of both come ordered by their keys and are matched key by key in memory: numbers alone of most rows.
 */
import type { BatchId } from '../domain/payouts/instruction.ts';
import { WAITING } from '../domain/payouts/payout.ts';
import type { Comparison, ImportLedger } from '../ports/ledger/imports.ts';
import { factsOf } from './batches.ts';
import { parsed } from './codec-json.ts';
import { isShownAsPaid, wasTurnedAway } from './memory.ts';
import type { LedgerParts } from './parts.ts';
import { turnOfOthers } from './payouts.ts';
import { batchNumber, COLUMNS, IN_FILE, payoutsOf, positionOf, textOfKey } from './rows.ts';
import { AGREED, LATER, PAID_AFTER_ALL } from './schema.ts';
import {
  by,
  ids,
  jsonText,
  numberOf,
  optionalNumber,
  type Query,
  q,
  type Row,
  type Sql,
  text,
} from './sql.ts';

const CONFLICTS_MAX = 100;

export function comparing(parts: LedgerParts): Pick<ImportLedger, 'compare'> {
  return {
    compare: (batchId, importId) =>
      parts.still(async (sql) => compare(sql, parts, await placesOf(sql, batchId, importId))),
  };
}

/** Where the rows of an import go. */
export interface Places {
  readonly batch: number;
  readonly importId: number;
  readonly range: number;
  /** First place of the new range. */
  readonly base: number;
  /** The import has no column for the payment that a row replaces. */
  readonly namesNoPayment: boolean;
  /** An interrupted revision from the same import has already done some of its rows. */
  readonly isUnderWay: boolean;
}

export async function placesOf(sql: Sql, batchId: BatchId, importId: BatchId): Promise<Places> {
  const [batch, fresh] = [batchNumber(batchId), batchNumber(importId)];
  const { merging, range: last } = await factsOf(sql, batch);
  const { columns } = (await factsOf(sql, fresh)).file;
  const isUnderWay = merging === importId;
  const range = isUnderWay ? last : last + 1;
  const places = { batch, importId: fresh, range, base: positionOf(range, 0), isUnderWay };
  return { ...places, namesNoPayment: !columns.has('replaces') };
}

/** A row of the batch, or of the import. */
interface Side {
  readonly id: number;
  readonly isOld: boolean;
  readonly position: number;
  readonly isInFile: boolean;
  readonly isCanceled: boolean;
  /** Of equal rows, the one that must stay keeps its place first; those that were withdrawn come last. */
  readonly rank: number;
  /** Nobody has agreed to it yet. */
  readonly isOpen: boolean;
  readonly isHidden: boolean;
  /** Also of one that a person let go while it was hidden. */
  readonly wasHidden: boolean;
}

export interface Pair {
  readonly old: number;
  readonly fresh: number;
}

export interface Match {
  readonly pairs: readonly Pair[];
  /** Of these pairs: rows of the current file, and withdrawn ones. */
  readonly inFile: number;
  readonly canceled: number;
  /** Rows of the import that the batch does not have, by their places. */
  readonly joining: readonly number[];
  /** Of these the ones that stay withdrawn, each with the row that was withdrawn. */
  readonly asWritten: ReadonlyMap<number, number>;
  /** Rows of the current file that the import does not have, and those of them that must stay. */
  readonly leaving: readonly number[];
  readonly conflicts: readonly number[];
}

/** `only`: rows with these keys alone. */
export async function matchRows(
  sql: Pick<Sql, 'all' | 'each'>,
  places: Places,
  only: Query = q``,
): Promise<Match> {
  const { left, pairs, inFile, canceled } = await pairsOf(sql, places, only);
  const news = left.filter(({ isOld }) => !isOld).map(({ id }) => id);
  const olds = left.filter(({ isOld }) => isOld);
  const withdrawn = olds.filter(({ isCanceled }) => isCanceled).map(({ id }) => id);
  const leaving = olds.filter(({ isInFile }) => isInFile);
  const idsOf = (sides: readonly Side[]) => sides.map(({ id }) => id).sort((one, other) => one - other);
  return {
    pairs: pairs.sort((one, other) => one.old - other.old),
    ...{ inFile, canceled },
    joining: news.sort((one, other) => one - other),
    asWritten: await asWritten(sql, withdrawn, news),
    leaving: idsOf(leaving),
    conflicts: idsOf(leaving.filter(({ rank }) => rank === 0)),
  };
}

/** Of a row that has its counterpart its id alone is kept: there may be a million. */
interface Found {
  readonly pairs: Pair[];
  readonly left: Side[];
  inFile: number;
  canceled: number;
}

type Paired = readonly [old: Side, fresh: Side];

function addPair(found: Found, [old, fresh]: Paired): void {
  found.pairs.push({ old: old.id, fresh: fresh.id });
  found.inFile += Number(old.isInFile);
  found.canceled += Number(old.isCanceled);
}

async function pairsOf(sql: Pick<Sql, 'each'>, places: Places, only: Query): Promise<Found> {
  const found: Found = { pairs: [], left: [], inFile: 0, canceled: 0 };
  const groups: Side[][] = [];
  const done = (group: Side[]) => {
    const [one, other] = group;
    const olds = group.filter(({ isOld }) => isOld).length;
    if (olds === 0 || olds === group.length) for (const side of group) found.left.push(side);
    else if (group.length > 2 || one === undefined || other === undefined) groups.push(group);
    else {
      const [old, fresh] = one.isOld ? [one, other] : [other, one];
      if (isSameSight(old, fresh)) addPair(found, [old, fresh]);
      else found.left.push(old, fresh);
    }
  };
  let group: Side[] = [];
  let last = '';
  for await (const rows of sql.each(q`${rowsOf(places, only)} ORDER BY row_key`))
    for (const row of rows) {
      const key = textOfKey(row['row_key']);
      if (key !== last && group.length > 0) done(group);
      if (key !== last) group = [];
      last = key;
      group.push(sideOf(row));
    }
  if (group.length > 0) done(group);
  await pairEqual(sql, groups, found);
  return found;
}

function sideOf(row: Row): Side {
  const status = row['status'] as (typeof WAITING)[number] | 'canceled';
  const state = row['hidden'] === null ? undefined : parsed(String(row['hidden']));
  const reasons = (state?.['reasons'] ?? []) as readonly { readonly concern: { readonly kind: string } }[];
  const position = optionalNumber(row['position']);
  return {
    id: numberOf(row['id']),
    isOld: Number(row['is_old']) === 1,
    position: position ?? Number.MAX_SAFE_INTEGER,
    isInFile: position !== undefined,
    isCanceled: status === 'canceled',
    rank: Number(row['place']),
    isOpen: WAITING.includes(status),
    isHidden: status === 'held' && reasons.some(({ concern }) => concern.kind === 'hidden_row'),
    wasHidden: state !== undefined,
  };
}

/**
 * Before it is agreed to, a row that was hidden and is shown now is another row, which is not held; so is one that was
 * hidden since, unless a person let it go while it was hidden.
 */
function isSameSight(old: Side, fresh: Side): boolean {
  return !old.isOpen || old.isHidden === fresh.isHidden || (fresh.isHidden && old.wasHidden);
}

/**
 * Of equal rows, those with equal cells belong together: a person tells them apart by a column of the file's own. Rows
 * that must stay come before all others, also with other cells.
 */
async function pairEqual(
  sql: Pick<Sql, 'each'>,
  groups: readonly (readonly Side[])[],
  found: Found,
): Promise<void> {
  const cells = await cellsOf(
    sql,
    groups.flatMap((group) => group.map(({ id }) => id)),
  );
  for (const [at, group] of groups.entries()) {
    const paired = new Set<Side>();
    for (const mustStay of [true, false])
      for (const byCells of [true, false])
        for (const pair of nextPairs(
          group.filter((side) => !paired.has(side)),
          { mustStay, byCells, cells },
        )) {
          addPair(found, pair);
          for (const side of pair) paired.add(side);
        }
    for (const side of group) if (!paired.has(side)) found.left.push(side);
    if (at % 1_000 === 999) await turnOfOthers();
  }
}

interface Asked {
  readonly mustStay: boolean;
  readonly byCells: boolean;
  /** A number for each text of cells, by the row. */
  readonly cells: ReadonlyMap<number, number>;
}

/** One to one, in file order. A new row with the cells of an old row is kept for that row while others are left. */
function nextPairs(sides: readonly Side[], { mustStay, byCells, cells }: Asked): readonly Paired[] {
  const olds = sides.filter(({ isOld }) => isOld);
  const wanted = new Set(olds.map(({ id }) => cells.get(id)));
  const order = (side: Side) => (side.isOld ? side.rank : Number(wanted.has(cells.get(side.id))));
  const inOrder = (some: readonly Side[]) =>
    some.toSorted(
      (one, other) => order(one) - order(other) || one.position - other.position || one.id - other.id,
    );
  const classOf = ({ id }: Side) => (byCells ? cells.get(id) : 0);
  const among = olds.filter(({ rank }) => !mustStay || rank === 0);
  const news = Map.groupBy(inOrder(sides.filter(({ isOld }) => !isOld)), classOf);
  const pairs: Paired[] = [];
  for (const [kind, same] of Map.groupBy(inOrder(among), classOf))
    for (const [at, old] of same.entries()) {
      const fresh = news.get(kind)?.[at];
      if (fresh !== undefined && isSameSight(old, fresh)) pairs.push([old, fresh]);
    }
  return pairs;
}

async function cellsOf(
  sql: Pick<Sql, 'each'>,
  rows: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  if (rows.length === 0) return found;
  const ranked = q`SELECT id, dense_rank() OVER (ORDER BY cells) AS kind FROM payouts WHERE id IN ${ids(rows)}`;
  for await (const some of sql.each(ranked))
    for (const { id, kind } of some) found.set(numberOf(id), numberOf(kind));
  return found;
}

/** One more space makes no other cell. */
const WRITTEN = text("replace(replace(cells, '  ', ' '), '  ', ' ')");

/** New rows with the cells of withdrawn ones, which mean something else now: another bank, or nothing that can be paid. */
async function asWritten(
  sql: Pick<Sql, 'all'>,
  withdrawn: readonly number[],
  news: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (withdrawn.length === 0 || news.length === 0) return new Map();
  const numbered = (rows: readonly number[]) => q`SELECT id, ${WRITTEN} AS cells,
    row_number() OVER (PARTITION BY ${WRITTEN} ORDER BY coalesce(position, 0), id) AS k FROM payouts WHERE id IN ${ids(rows)}`;
  const rows = await sql.all(q`SELECT o.id AS old, n.id AS new FROM (${numbered(withdrawn)}) o
    JOIN (${numbered(news)}) n ON o.cells = n.cells AND o.k = n.k`);
  return new Map(rows.map((row) => [numberOf(row['new']), numberOf(row['old'])]));
}

/** Rows of the batch as it is, those that a person withdrew, and rows of the import that have no place yet. */
const rowsOf = (places: Places, only: Query) => {
  const { batch, importId, base } = places;
  const columns = (
    isOld: 0 | 1,
    rank: Query,
  ) => q`SELECT id, CAST(${isOld} AS bigint) AS is_old, row_key, position, status,
    CASE WHEN status IN ('planned','held','quoted') AND state LIKE '%"hidden_row"%' THEN state END AS hidden, ${rank} AS place`;
  const rank = q`CASE WHEN ${stays(places)} THEN 0 WHEN status IN ('planned','held','quoted') THEN 1
    WHEN position IS NOT NULL THEN 2 ELSE 3 END`;
  return q`${columns(1, rank)} FROM payouts WHERE batch = ${batch} AND ${IN_FILE} AND position < ${base} ${only}
    UNION ALL ${columns(1, rank)} FROM payouts WHERE ${isWithdrawn(batch)} ${only}
    UNION ALL ${columns(0, q`0`)} FROM payouts n WHERE batch = ${importId} AND ${IN_FILE} AND ${notPlaced(places)} ${only}`;
};

/** The import's row `n` has no counterpart in the batch's new range yet. */
const notPlaced = ({ batch, base, isUnderWay }: Places) =>
  isUnderWay
    ? q`NOT EXISTS (SELECT 1 FROM payouts t WHERE t.batch = ${batch} AND t.position = ${base} + n.position)`
    : q`1 = 1`;

/**
 * Whether the payment may have been made, or was shown as made: a revision that takes its place by a row without a link to
 * it would pay it again, and nobody would see it any more. A request that was turned away may have been carried out.
 */
const wentOut = (row: string, batch: number) => q`(${text(row)}.status IN ${AGREED} OR ${wasTurnedAway(row)}
  OR ${isShownAsPaid(row)} OR ${text(row)}.id IN (SELECT CAST(${jsonText('j.body', 'payout')} AS bigint) FROM journal j
    WHERE j.batch = ${batch} AND j.payout IS NULL AND j.kind IN ${PAID_AFTER_ALL}))`;

/**
 * A newer file must keep the row as it is: it was agreed to, or it took the place of a payment that went out from this
 * batch, which only through it is found. A payment of another batch has its own place there; the row that replaces it is
 * tied to it by its column alone. `among`: the rows of the batch that are asked about.
 */
export function stays(
  { batch, namesNoPayment }: Pick<Places, 'batch' | 'namesNoPayment'>,
  among: Query = q`${by('payouts_replaces')} WHERE batch = ${batch} AND ${IN_FILE}`,
): Query {
  const [chain, place] = namesNoPayment
    ? [q``, q`(e.batch <> ${batch} OR e.position IS NULL)`]
    : [q`e.batch = ${batch} AND`, q`e.batch = ${batch} AND e.position IS NULL`];
  return q`(${wentOut('payouts', batch)} OR id IN (WITH RECURSIVE paid_again(mine, earlier) AS (
      SELECT id, replaces FROM payouts ${among} AND replaces IS NOT NULL
      UNION SELECT a.mine, e.replaces FROM paid_again a JOIN payouts e ON e.id = CAST(a.earlier AS bigint)
        WHERE ${chain} e.replaces IS NOT NULL)
    SELECT a.mine FROM paid_again a JOIN payouts e ON e.id = CAST(a.earlier AS bigint)
    WHERE ${place} AND ${wentOut('e', batch)}))`;
}

/** A row that a person withdrew, and that the newest file does not have. */
const isWithdrawn = (batch: number) => q`batch = ${batch} AND position IS NULL AND status = 'canceled'
  AND ${jsonText('state', 'leftOut')} IS NULL AND NOT ${gavePlaceAway('payouts')}`;

/**
 * Another payment of the same row has its place in the file, or had it last: somebody asked to pay the row again, or it was
 * paid after all. A row of a file that pays it again has its own place.
 */
export const gavePlaceAway = (
  row: string,
) => q`(${text(row)}.position IS NULL AND EXISTS (SELECT 1 FROM journal
  WHERE payout = ${text(row)}.id AND ${LATER} AND kind = 'replaced'))`;

async function compare(sql: Sql, { routes }: LedgerParts, places: Places): Promise<Comparison> {
  const { batch, importId, base, isUnderWay } = places;
  const match = await matchRows(sql, places);
  const { pairs, inFile, joining, leaving, conflicts } = match;
  const count = async (where: Query) =>
    numberOf((await sql.get(q`SELECT count(*) AS n FROM payouts WHERE ${where}`))?.['n']);
  const inImport = isUnderWay ? await count(q`batch = ${importId} AND ${IN_FILE}`) : 0;
  const kept = isUnderWay ? inImport - pairs.length - joining.length : 0;
  const placed = q`batch = ${batch} AND position >= ${base}`;
  const joined = isUnderWay ? (await count(placed)) - kept : 0;
  const canceled = isUnderWay ? await count(q`${placed} AND status = 'canceled'`) : 0;
  const shown = await sql.all(q`SELECT ${COLUMNS} FROM payouts WHERE id IN ${ids(conflicts)}
    ORDER BY position LIMIT ${CONFLICTS_MAX}`);
  return {
    isHalfRevised: (await factsOf(sql, batch)).merging !== undefined,
    unchanged: inFile + kept,
    // A row that comes back withdrawn is one that the batch's file does not have.
    added: joining.length + pairs.length - inFile + joined,
    removed: leaving.length,
    staysCanceled: canceled + match.canceled + match.asWritten.size,
    conflicts: await payoutsOf(shown, sql, routes),
    conflictCount: conflicts.length,
    paidAgainBeside: paidAgainBeside(await linesOf(sql, places), match),
  };
}

/** Rows that would join and name a payment of the batch, and the payments that they would pay again. */
function linesOf(sql: Pick<Sql, 'all'>, places: Places): Promise<readonly Row[]> {
  const { batch, importId, namesNoPayment } = places;
  if (namesNoPayment) return Promise.resolve([]);
  return sql.all(q`WITH RECURSIVE line(row_number, fresh, id) AS (
      SELECT n.row_number, n.id, e.id FROM payouts n ${by('payouts_replaces')}
        JOIN payouts e ON e.id = CAST(n.replaces AS bigint) AND e.batch = ${batch}
        WHERE n.replaces IS NOT NULL AND n.batch = ${importId} AND n.position IS NOT NULL AND ${notPlaced(places)}
      UNION SELECT l.row_number, l.fresh, r.id FROM line l JOIN payouts r ON r.replaces = CAST(l.id AS text)
        WHERE r.batch = ${batch})
    SELECT row_number, fresh, id FROM line ORDER BY row_number`);
}

/** Whose payment keeps its row, or whose replacement does. */
function paidAgainBeside(lines: readonly Row[], { pairs }: Match): readonly number[] {
  if (lines.length === 0) return [];
  const olds = new Set(pairs.map(({ old }) => old));
  const news = new Set(pairs.map(({ fresh }) => fresh));
  const again = lines.filter(({ fresh, id }) => !news.has(Number(fresh)) && olds.has(Number(id)));
  return [...new Set(again.map(({ row_number: row }) => numberOf(row)))].slice(0, CONFLICTS_MAX);
}

/** Inside the commit that begins a revision: `compare` may have seen other pairs. Only equal rows decide about each other. */
export async function paysAgainBeside(sql: Sql, places: Places): Promise<boolean> {
  const lines = await linesOf(sql, places);
  if (lines.length === 0) return false;
  const concerned = lines.flatMap(({ fresh, id }) => [numberOf(fresh), numberOf(id)]);
  const only = q`AND row_key IN (SELECT row_key FROM payouts WHERE id IN ${ids(concerned)})`;
  const atOnce = {
    all: (query: Query) => sql.all(query),
    async *each(query: Query) {
      yield await sql.all(query);
    },
  };
  return paidAgainBeside(lines, await matchRows(atOnce, places, only)).length > 0;
}
