/**
 * Waiting rows whose person was paid to another account before: held when nobody sees the plan. Uses the tables of
 * differences.ts, and is stricter than what a person is shown: a new account next to the old one, under the same name,
 * is held too, because part of a salary could go there.
 */
import type { MovedAccount } from '../../../domain/batches/batch-changes.ts';
import { asPayoutId } from '../../../domain/payouts/instruction.ts';
import {
  BEFORE,
  compared,
  type DifferenceParts,
  fill,
  index,
  NOW,
  type Payments,
  pairUp,
} from '../reports/differences.ts';
import { numberOf, yieldToEvents } from '../storage/sql-statements.ts';

const WAITS = "our.status IN ('planned','held','quoted')";
/** A name with more accounts than this is not one person's. */
const ACCOUNTS_OF_A_PERSON = 3;

/**
 * Looked for in the newest of the earlier batches that paid the person. Whoever is not in a batch is looked for in the one
 * before it: a person who was left out last month is not new this month. A batch of a kind that was never approved before
 * has nothing to be compared with.
 */
export async function movedAccountsOf(
  parts: DifferenceParts,
  batch: number,
  { earlier, again }: { readonly earlier: readonly Payments[]; readonly again: readonly MovedAccount[] },
): Promise<readonly MovedAccount[]> {
  if (earlier.length === 0) return [];
  return compared(parts, async (table, pairs) => {
    await fill(parts, table, { batch, side: NOW });
    index(parts, table);
    const found = new Map<number, number>();
    const namesakes = new Map<number, number>();
    for (const previous of earlier) {
      if (pairsOf(parts, `${openSql(table)} LIMIT 1`).length === 0) break;
      parts.exec(`DELETE FROM ${pairs}; DELETE FROM ${table} WHERE side = ${BEFORE}`);
      await fill(parts, table, { ...previous, side: BEFORE });
      // Not in a whole batch, where a reference may only count the rows: the single payments are compared for themselves.
      await pairUp(parts, { table, pairs, again: previous.batch === undefined ? again : [] });
      const moved = pairsOf(parts, movedSql(table, pairs));
      for (const { now, before } of moved) found.set(now, before);
      for (const { now, before } of pairsOf(parts, namesakeSql(table)))
        if (!namesakes.has(now)) namesakes.set(now, before);
      close(parts, table, moved);
      await yieldToEvents();
    }
    // An account that any of the batches paid is not new.
    const open = parts.fresh(`${openSql(table)} AND id = ?`);
    for (const [now, before] of namesakes) if (open.get(now) !== undefined) found.set(now, before);
    return [...found]
      .sort(([one], [other]) => one - other)
      .map(([now, before]) => ({ payoutId: asPayoutId(String(now)), before: asPayoutId(String(before)) }));
  });
}

/** Rows whose person was not met yet. They are marked in the table, which may have as many rows as the largest file. */
const openSql = (table: string) => `SELECT id AS now FROM ${table} WHERE side = ${NOW} AND is_open = 1`;

function close({ exec, fresh }: DifferenceParts, table: string, moved: readonly Pair[]): void {
  exec(`UPDATE ${table} SET is_open = 0 WHERE side = ${NOW} AND is_open = 1
    AND account IN (SELECT account FROM ${table} WHERE side = ${BEFORE})`);
  const ids = JSON.stringify(moved.map(({ now }) => now));
  fresh(`UPDATE ${table} SET is_open = 0 WHERE id IN (SELECT value FROM json_each(?))`).run(ids);
}

interface Pair {
  readonly now: number;
  readonly before: number;
}

function pairsOf({ fresh }: DifferenceParts, text: string): readonly Pair[] {
  const rows = fresh(text).all();
  return rows.map(({ now, before }) => ({ now: numberOf(now), before: numberOf(before ?? 0) }));
}

/**
 * Pairs that are one person for certain enough to hold a row. Where only a reference says so, it may merely count the rows:
 * the old account is then still paid now, under a reference that was there before, or the new one is that of somebody who
 * was paid before and has no row more.
 */
function movedSql(table: string, pairs: string): string {
  // Grouped, because comparing row by row would take the square of the rows that share an account.
  const count = (name: string, account: string, side: 0 | 1) =>
    `LEFT JOIN counts ${name} ON ${name}.account = ${account} AND ${name}.side = ${side}`;
  return `WITH counts AS MATERIALIZED (SELECT account, side, count(*) AS n FROM ${table} GROUP BY account, side),
    stayed AS MATERIALIZED (SELECT DISTINCT account FROM ${table} WHERE side = ${NOW}
      AND reference IN (SELECT reference FROM ${table} WHERE side = ${BEFORE}))
   SELECT p.now AS now, p.before AS before
   FROM ${pairs} p JOIN ${table} n ON n.id = p.now JOIN ${table} b ON b.id = p.before JOIN payouts our ON our.id = p.now
   LEFT JOIN stayed ON stayed.account = b.account
   ${count('new_before', 'n.account', BEFORE)} ${count('new_now', 'n.account', NOW)}
   WHERE n.is_open = 1 AND ${WAITS} AND (p.how <> 'reference' OR (n.called IS NOT NULL AND n.called = b.called)
     OR NOT (stayed.account IS NOT NULL OR (new_before.n >= new_now.n) IS TRUE))`;
}

/** Rows to an account that was not paid before, under a name that was. */
function namesakeSql(table: string): string {
  return `WITH people AS MATERIALIZED (SELECT called, min(id) AS id FROM ${table}
      WHERE side = ${BEFORE} AND called IS NOT NULL
      GROUP BY called HAVING count(DISTINCT account) <= ${ACCOUNTS_OF_A_PERSON})
    SELECT n.id AS now, people.id AS before FROM ${table} n JOIN people ON people.called = n.called
    JOIN payouts our ON our.id = n.id
    WHERE n.side = ${NOW} AND n.is_open = 1 AND ${WAITS}
      AND NOT EXISTS (SELECT 1 FROM ${table} x WHERE x.side = ${BEFORE} AND x.account = n.account)`;
}
