/**
 * Accounts that two batches pay and that belong to somebody else in the second, as the service named their holders then and
 * now. Names count as they are folded: another order of the words, or other capitals, is the same holder.
 */
import { type HolderChange, holderOf, type Listed } from '../../../domain/batches/batch-changes.ts';
import { asPayoutId } from '../../../domain/payouts/instruction.ts';
import type { Payouts } from '../payouts/payouts.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';

interface Sides {
  readonly fresh: Sql;
  /** Of both batches: side 0 is the earlier one. */
  readonly table: string;
  readonly payouts: Payouts;
}

export function newHoldersIn({ fresh, table, payouts }: Sides, most: number): Listed<HolderChange> {
  // Grouped first, because many rows may pay one account.
  const sideSql = (side: 0 | 1, id: string) =>
    `SELECT account, holder, ${id} AS id FROM ${table} WHERE side = ${side} AND holder IS NOT NULL GROUP BY 1, 2`;
  const found = `WITH ours AS (${sideSql(1, 'min(id)')}), theirs AS (${sideSql(0, 'max(id)')})
    SELECT min(o.id) AS now, max(t.id) AS before FROM ours o JOIN theirs t ON t.account = o.account
    GROUP BY o.account, o.holder HAVING count(*) FILTER (WHERE t.holder = o.holder) = 0`;
  const count = numberOf(fresh(`SELECT count(*) AS n FROM (${found})`).get()?.n);
  const list = fresh(`${found} ORDER BY now LIMIT ${most}`)
    .all()
    .flatMap((pair): HolderChange[] => {
      const [now, before] = [pair.now, pair.before].map((id) => payouts.byId(asPayoutId(String(id))));
      const [holder, holderBefore] = [now, before].map(holderOf);
      if (now === undefined || holder === undefined || holderBefore === undefined) return [];
      return [{ row: now.rowNumber, holder, holderBefore }];
    });
  return { count, list: list.sort((one, other) => one.row - other.row) };
}
