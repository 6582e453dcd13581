/**
 * What people decided about one batch, and which of its rows moved in or out of its plan since an entry of the journal. The
 * journal holds all batches and every look: decisions about the batch itself are found by their kind, those about its rows
 * by an index of their own.
 */
import type { DecisionEntry, DecisionKind } from '../domain/batches/decisions.ts';
import type { Pricing } from '../domain/payouts/payout.ts';
import type { PlanChanges, PlanMove } from '../domain/plan/plan-changes.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { ReportLedger } from '../ports/ledger/reports.ts';
import { journalSlices } from './attempts.ts';
import { NO_HEAD } from './chain.ts';
import { decodeEvent, ENTRY_COLUMNS } from './codec.ts';
import type { LedgerParts } from './parts.ts';
import { entryOf, payoutsByIds } from './payouts.ts';
import { batchNumber } from './rows.ts';
import { DECISION_OF_BATCH, DECISION_OF_ROW, LATER, OTHER_KINDS } from './schema.ts';
import { jsonText, numberOf, optionalNumber, type Query, q, type Row, type Sql, text } from './sql.ts';

const LISTED_MAX = 1_000;

type Own = Pick<ReportLedger, 'decisions' | 'decisionsBefore' | 'planMovesSince' | 'movedSince'>;

export function decisionsOf(parts: LedgerParts): Own {
  const { read: sql } = parts;
  return {
    async decisions(id, limit) {
      const batch = batchNumber(id);
      const entries = await entriesIn(sql, batch, q`ORDER BY seq LIMIT ${limit}`);
      const count = async (of: Query) =>
        numberOf(
          (await sql.get(q`SELECT count(*) AS n FROM journal WHERE batch = ${batch} AND ${of}`))?.['n'],
        );
      const all = (await count(DECISION_OF_BATCH)) + (await count(DECISION_OF_ROW));
      return {
        entries: entries.map(decisionOf),
        more: all - entries.length,
        head: await headIn(sql, batch),
      };
    },
    async decisionsBefore(id, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const batch = batchNumber(id);
      const found = await entriesIn(sql, batch, q`AND seq < ${before} ORDER BY seq DESC LIMIT ${limit + 1}`);
      const shown = found.slice(0, limit);
      return {
        entries: shown.map(decisionOf),
        next: found.length > limit ? numberOf(shown.at(-1)?.['seq']) : undefined,
        head: await headIn(sql, batch),
      };
    },
    planMovesSince: (id, since) => planMoves(parts, batchNumber(id), since),
    /** By the commits of the batch: most say it with their first entry, and those that only keep a note are few. */
    async movedSince(id, since) {
      const batch = batchNumber(id);
      const found =
        await sql.get(q`SELECT 1 AS it FROM commits c CROSS JOIN journal j WHERE j.seq BETWEEN c.first AND c.last
        AND c.batch = ${batch} AND c.last > ${since} AND j.seq > ${since} AND j.batch = ${batch}
        AND j.payout IS NOT NULL LIMIT 1`);
      return found !== undefined;
    },
  };
}

const ROW_NUMBER = q`(SELECT row_number FROM payouts WHERE id =
  coalesce(j.payout, CAST(${jsonText('j.body', 'payout')} AS bigint))) AS row_number`;
/** A revision writes both entries in one commit, one after the other; behind a withdrawal by a person there is none. */
const LEFT_OUT = q`CASE WHEN j.kind = 'cancel' THEN (SELECT ${jsonText('l.body', 'revision')} FROM journal l
  WHERE l.seq = j.seq + 1 AND l.payout = j.payout AND l.kind = 'left_out') END AS left_out_of`;

/** Of each kind by its own index, then together. */
async function entriesIn(sql: Sql, batch: number, order: Query): Promise<readonly Row[]> {
  const part = (
    of: Query,
  ) => q`SELECT * FROM (SELECT seq, batch, payout, at, kind, body, personal, seal FROM journal
    WHERE batch = ${batch} AND ${of} ${order}) AS part`;
  return sql.all(q`SELECT j.*, ${ROW_NUMBER}, ${LEFT_OUT}
    FROM (${part(DECISION_OF_BATCH)} UNION ALL ${part(DECISION_OF_ROW)}) AS j WHERE true ${order}`);
}

async function headIn(sql: Sql, batch: number): Promise<string> {
  const row = await sql.get(q`SELECT head FROM commits WHERE batch = ${batch} ORDER BY seq DESC LIMIT 1`);
  return String(row?.['head'] ?? NO_HEAD);
}

function decisionOf(row: Row): DecisionEntry {
  const { at, kind, body } = entryOf(row);
  const isCell = kind === 'cell_corrected';
  const leftOutOf = optionalNumber(row['left_out_of']);
  return {
    // Said when the file was planned, of a time before.
    at: isCell && typeof body['at'] === 'number' ? timestampOf(body['at']) : at,
    // The statement asks for these kinds alone.
    kind: kind as DecisionKind,
    // A corrected cell belongs to no payment: it may have been corrected before there was one.
    rowNumber: optionalNumber(isCell ? body['row'] : row['row_number']),
    body,
    ...(leftOutOf === undefined ? {} : { leftOutOf }),
  };
}

/** Each payout that was touched once, in the order in which it was touched last. */
async function planMoves(parts: LedgerParts, batch: number, since: number): Promise<PlanChanges> {
  const { read: sql } = parts;
  const touched = new Set<number>();
  for await (const [after, last] of journalSlices(sql, since)) {
    const rows = await sql.all(q`SELECT payout FROM journal WHERE seq > ${after} AND seq <= ${last}
      AND batch = ${batch} AND payout IS NOT NULL ORDER BY seq`);
    for (const { payout } of rows) {
      const id = numberOf(payout);
      touched.delete(id);
      touched.add(id);
    }
  }
  const listed = [...touched].slice(0, LISTED_MAX);
  const payouts = await payoutsByIds(parts, listed);
  const moves: PlanMove[] = [];
  for (const id of listed) {
    const payout = payouts.get(id);
    if (payout !== undefined) moves.push({ payout, before: await pricingThen(sql, id, since) });
  }
  return { moves, more: touched.size - moves.length };
}

/** undefined when it did not wait for approval. */
async function pricingThen(sql: Sql, id: number, since: number): Promise<Pricing | undefined> {
  const entries = await sql.all(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal WHERE payout = ${id} AND ${LATER}
    AND kind NOT IN ${OTHER_KINDS} AND seq <= ${since} ORDER BY seq DESC`);
  const last = entries[0]?.['kind'];
  const priced = entries.find(({ kind }) => kind === 'price');
  if ((last !== 'price' && last !== 'unapprove') || priced === undefined) return undefined;
  const event = decodeEvent(priced);
  return event.kind === 'price' ? event.pricing : undefined;
}
