/**
 * A file's rows in slices, so that counting a million rows never stops other work.
 */
import { numberOf, type Sql, yieldToEvents } from './sql-statements.ts';

const SLICE_ROWS = 20_000;

/** The rows of a batch's current file; `?1` is the batch. */
export const OF_BATCH = 'FROM payouts WHERE batch = ?1 AND position IS NOT NULL';

/** First and last place of each slice, in file order, after a place. Places without rows are leapt over. */
export async function* fileSlices(
  sql: Sql,
  batch: number,
  { after = -1, rows = SLICE_ROWS } = {},
): AsyncGenerator<readonly [number, number]> {
  const next = sql(`SELECT min(position) AS next ${OF_BATCH} AND position > ?2`);
  for (let last = after; ; ) {
    const from = next.get(batch, last)?.next;
    if (from === null || from === undefined) return;
    const first = numberOf(from);
    last = first + rows - 1;
    yield [first, last];
    await yieldToEvents();
  }
}
