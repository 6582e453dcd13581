/** Payouts by the time of their next look. */
import type { Timestamp } from '../../../domain/timestamp.ts';
import type { Scheduled, ScheduledQuestion } from '../../../ports/ledger/payouts.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutNumber, payoutOf, type Routes } from './stored-payout.ts';

const DUE = 'due_at IS NOT NULL';
/** SQLite uses the index only if the statement has the same condition word for word. */
const SILENT = `${DUE} AND instr(look, '"nothing":') > 0`;

/** No row has a time while a file is staged, so these indexes do not slow that down. */
export const FIND_SCHEDULED = `
CREATE INDEX payouts_due ON payouts(batch, due_at, id) WHERE ${DUE};
CREATE INDEX payouts_silent ON payouts(batch, due_at, id) WHERE ${SILENT};
`;

export function scheduledIn(
  { sql, routes }: { readonly sql: Sql; readonly routes: Routes },
  batch: number,
  { isSilent, after, limit }: ScheduledQuestion,
): Scheduled[] {
  const rows = sql(
    `SELECT ${PAYOUT_COLUMNS}, due_at FROM payouts INDEXED BY ${isSilent ? 'payouts_silent' : 'payouts_due'}
     WHERE ${isSilent ? SILENT : DUE} AND batch = ?1 AND (due_at, id) > (?2, ?3) ORDER BY due_at, id LIMIT ?4`,
  );
  const last = after.id === undefined ? Number.MAX_SAFE_INTEGER : (payoutNumber(after.id) ?? 0);
  return rows.all(batch, after.dueAt, last, limit).map((row) => ({
    payout: payoutOf(row as unknown as PayoutRow, routes),
    dueAt: numberOf(row['due_at']) as Timestamp,
  }));
}
