/**
 * Which payouts of a batch began to be sent after an entry of the journal, the first one first: the canary of a batch is
 * told by it, whatever else the batch holds. Read in slices of the journal, only as far as is asked for.
 */
import { asPayoutId, type PayoutId } from '../../domain/instruction.ts';
import { breathe, numberOf, type Sql } from './statements.ts';

const SLICE = 20_000;

export interface BegunQuestion {
  readonly batch: number;
  readonly since: number;
  readonly limit: number;
}

/** Without those that were not sent after all, and those that were replaced since. */
export async function begunSince(sql: Sql, { batch, since, limit }: BegunQuestion): Promise<PayoutId[]> {
  const last = lastEntry(sql);
  const begun = sql(
    `SELECT j.payout AS id FROM journal j JOIN payouts p ON p.id = j.payout
     WHERE j.seq > ?1 AND j.seq <= ?2 AND j.batch = ?3 AND j.kind = 'begin_attempt' AND p.position IS NOT NULL
     AND p.status IN ('sending','in_doubt','accepted','settled','failed','returned')
     GROUP BY j.payout ORDER BY min(j.seq) LIMIT ?4`,
  );
  const found = new Set<PayoutId>();
  for (let from = since; from < last && found.size < limit; from += SLICE) {
    for (const { id } of begun.all(from, Math.min(last, from + SLICE), batch, limit))
      if (found.size < limit) found.add(asPayoutId(String(id)));
    await breathe();
  }
  return [...found];
}

/** Where the journal of all batches ends. */
export function lastEntry(sql: Sql): number {
  return numberOf(sql('SELECT max(seq) AS last FROM journal').get()?.last ?? 0);
}
