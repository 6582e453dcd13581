/**
 * What people decided about one batch, from its journal. The journal holds all batches and every poll: decisions about the
 * batch itself are found by their kind, those about its rows by an index of their own.
 */
import {
  DECISION_KINDS,
  type DecisionEntry,
  type DecisionKind,
  isOfRow,
} from '../../../domain/batches/decisions.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import type { DecisionsFound, DecisionsPage } from '../../../ports/ledger/reports.ts';
import { entryOf } from '../batches/batches.ts';
import { NO_HEAD } from '../proof/event-chain.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';

/** Word for word as in the index below: only so SQLite takes it. */
const OF_ROW = `payout IS NOT NULL
  AND kind IN ('release','cancel','rule_paid','rule_not_paid','accept_difference','replacement')`;
const OF_BATCH = `payout IS NULL AND kind IN (${DECISION_KINDS.filter((kind) => !isOfRow(kind))
  .flatMap((kind) => [`'${kind}'`, `'note:${kind}'`])
  .join(',')})`;

export const FIND_DECISIONS = `CREATE INDEX journal_decided ON journal(batch) WHERE ${OF_ROW};`;

const ROW_NUMBER = `(SELECT row_number FROM payouts WHERE id =
  coalesce(j.payout, CAST(json_extract(j.body, '$.payout') AS INTEGER))) AS row_number`;

/** A revision writes both entries in one commit; behind a withdrawal by a person there is none. */
const LEFT_OUT = `CASE WHEN j.kind = 'cancel' THEN (SELECT json_extract(l.body, '$.revision') FROM journal l
  WHERE l.seq = j.seq + 1 AND l.payout = j.payout AND l.kind = 'left_out') END AS left_out_of`;

function rowsOf(sql: Sql, batch: number, where: string, order: string, values: number[]) {
  const part = (of: string) =>
    `SELECT * FROM (SELECT seq, batch, payout, at, kind, body FROM journal WHERE batch = ?1 AND ${of} ${where} ${order})`;
  const text = `SELECT j.*, ${ROW_NUMBER}, ${LEFT_OUT} FROM (${part(OF_BATCH)} UNION ALL ${part(OF_ROW)}) j ${order}`;
  return sql(text).all(batch, ...values);
}

/** Oldest first, the first `limit` of them. */
export function decisionsIn(sql: Sql, batch: number, limit: number): DecisionsFound {
  const count = (of: string) =>
    numberOf(sql(`SELECT count(*) AS n FROM journal WHERE batch = ? AND ${of}`).get(batch)?.n);
  const entries = rowsOf(sql, batch, '', 'ORDER BY seq LIMIT ?2', [limit]).map(decisionEntry);
  const more = count(OF_BATCH) + count(OF_ROW) - entries.length;
  return { entries, more, head: headIn(sql, batch) };
}

/** Newest first, before an entry of the journal. */
export function decisionsBefore(
  sql: Sql,
  batch: number,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { readonly before: number | undefined; readonly limit: number },
): DecisionsPage {
  const found = rowsOf(sql, batch, 'AND seq < ?2', 'ORDER BY seq DESC LIMIT ?3', [before, limit + 1]);
  const shown = found.slice(0, limit);
  const next = found.length > limit ? numberOf(shown.at(-1)?.seq) : undefined;
  return { entries: shown.map(decisionEntry), next, head: headIn(sql, batch) };
}

function headIn(sql: Sql, batch: number): string {
  const head = sql('SELECT head FROM commits WHERE batch = ? ORDER BY seq DESC LIMIT 1').get(batch)?.head;
  return typeof head === 'string' ? head : NO_HEAD;
}

function decisionEntry(row: Record<string, unknown>): DecisionEntry {
  const { at, kind, body } = entryOf(row);
  // A corrected cell belongs to no payment: it may have been corrected before there was one.
  const found = kind === 'cell_corrected' ? body['row'] : row['row_number'];
  const rowNumber = found === null ? undefined : numberOf(found);
  // The statement asks for these kinds alone.
  // Said when the file was planned, of a time before.
  const done = kind === 'cell_corrected' && typeof body['at'] === 'number' ? timestampOf(body['at']) : at;
  const leftOutOf = row['left_out_of'];
  const revision = leftOutOf === null ? {} : { leftOutOf: numberOf(leftOutOf) };
  return { at: done, kind: kind as DecisionKind, rowNumber, body, ...revision };
}
