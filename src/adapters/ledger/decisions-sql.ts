/**
 * What people decided about one batch, from its journal, oldest first. The journal holds all batches and every
 * poll, so it is walked in slices that let everything else have its turn.
 */
import { DECISION_KINDS, type DecisionEntry, type DecisionKind } from '../../domain/batch-decision.ts';
import type { DecisionsFound } from '../../ports/ledger.ts';
import { entryOf } from './batches-sql.ts';
import { NO_HEAD } from './event-chain.ts';
import { breathe, numberOf, type Sql } from './statements.ts';

const SLICE = 50_000;
const KINDS = DECISION_KINDS.flatMap((kind) => [`'${kind}'`, `'note:${kind}'`]).join(',');

export async function decisionsIn(sql: Sql, batch: number, limit: number): Promise<DecisionsFound> {
  const span = sql('SELECT min(first) AS first, max(last) AS last FROM commits WHERE batch = ?').get(batch);
  const head = sql('SELECT head FROM commits WHERE batch = ? ORDER BY seq DESC LIMIT 1').get(batch)?.head;
  const slice = sql(
    `SELECT seq, batch, payout, at, kind, body, (SELECT row_number FROM payouts WHERE id =
       coalesce(j.payout, CAST(json_extract(j.body, '$.payout') AS INTEGER))) AS row_number
     FROM journal j WHERE seq >= ? AND seq <= ? AND batch = ? AND kind IN (${KINDS}) ORDER BY seq`,
  );
  const entries: DecisionEntry[] = [];
  let more = 0;
  const last = numberOf(span?.last ?? 0);
  for (let from = numberOf(span?.first ?? 1); from <= last; from += SLICE) {
    for (const row of slice.all(from, Math.min(last, from + SLICE - 1), batch)) {
      if (entries.length < limit) entries.push(decisionEntry(row));
      else more += 1;
    }
    await breathe();
  }
  return { entries, more, head: typeof head === 'string' ? head : NO_HEAD };
}

function decisionEntry(row: Record<string, unknown>): DecisionEntry {
  const { at, kind, body } = entryOf(row);
  const rowNumber = row['row_number'] === null ? undefined : numberOf(row['row_number']);
  // The statement asks for these kinds alone.
  return { at, kind: kind as DecisionKind, rowNumber, body };
}
