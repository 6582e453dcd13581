/**
 * Which rows of a batch moved in or out of its plan since an entry of the journal. Read in slices, each payout at its last
 * entry; what waited for approval then is read from its own entries.
 */
import type { Payout, Pricing } from '../../../domain/payouts/payout.ts';
import type { PlanChanges, PlanMove } from '../../../domain/plan/plan-changes.ts';
import { decodeEvent } from '../payouts/payout-codec.ts';
import { numberOf, type Sql, yieldToEvents } from '../storage/sql-statements.ts';

const SLICE = 20_000;
const LISTED_MAX = 1_000;
/** Entries that do not change where a payout stands. */
export const OTHER_KINDS =
  "('imported','kept','rewritten','joined','left_out','replaced','replacement','put_back')";

export async function planMoves(
  sql: Sql,
  { batch, since }: { readonly batch: number; readonly since: number },
  payoutOf: (id: number) => Payout | undefined,
): Promise<PlanChanges> {
  const last = numberOf(sql('SELECT max(seq) AS last FROM journal').get()?.last ?? 0);
  const touched = sql(
    `SELECT DISTINCT payout FROM journal j WHERE seq > ?1 AND seq <= ?2 AND batch = ?3 AND payout IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM journal k INDEXED BY journal_payout
       WHERE k.payout = j.payout AND k.kind <> 'imported' AND k.seq > ?2)`,
  );
  const moves: PlanMove[] = [];
  let more = 0;
  for (let from = since; from < last; from += SLICE) {
    for (const row of touched.all(from, Math.min(last, from + SLICE), batch)) {
      const id = numberOf(row.payout);
      const payout = moves.length < LISTED_MAX ? payoutOf(id) : undefined;
      if (payout === undefined) more += 1;
      else moves.push({ payout, before: pricingThen(sql, id, since) });
    }
    await yieldToEvents();
  }
  return { moves, more };
}

/** By the commits of the batch: most say it with their first entry, and those that only keep a note are few. */
export function hasMoved(
  sql: Sql,
  { batch, since }: { readonly batch: number; readonly since: number },
): boolean {
  const found = sql(
    `SELECT 1 FROM commits c CROSS JOIN journal j ON j.seq BETWEEN c.first AND c.last
     WHERE c.batch = ?1 AND c.last > ?2 AND j.seq > ?2 AND j.batch = ?1 AND j.payout IS NOT NULL LIMIT 1`,
  );
  return found.get(batch, since) !== undefined;
}

/** undefined when it did not wait for approval. */
function pricingThen(sql: Sql, id: number, since: number): Pricing | undefined {
  const own = "FROM journal WHERE payout = ? AND payout IS NOT NULL AND kind <> 'imported' AND seq <= ?";
  const last = sql(`SELECT kind ${own} AND kind NOT IN ${OTHER_KINDS} ORDER BY seq DESC LIMIT 1`);
  const kind = last.get(id, since)?.kind;
  if (kind !== 'price' && kind !== 'unapprove') return undefined;
  const priced = sql(`SELECT at, body ${own} AND kind = 'price' ORDER BY seq DESC LIMIT 1`).get(id, since);
  if (priced === undefined) return undefined;
  const event = decodeEvent('price', numberOf(priced.at), String(priced.body));
  return event.kind === 'price' ? event.pricing : undefined;
}
