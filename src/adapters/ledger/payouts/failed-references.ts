/**
 * Rows that have the reference of a payment that failed or came back, and another account: most likely that payment once
 * more, corrected by hand in a file that does not name it.
 */
import type { MovedAccount } from '../../../domain/batches/batch-changes.ts';
import { compareNames } from '../../../domain/names/name-check.ts';
import { asPayoutId } from '../../../domain/payouts/instruction.ts';
import { accountKeyOf, type DifferenceParts } from '../reports/differences.ts';
import { fileSlices, numberOf, OF_BATCH } from '../storage/sql-statements.ts';

type Row = Readonly<Record<string, unknown>>;

const COLUMNS = 'id, batch, root, route, account, name, reference_key';
const FAILED = `SELECT ${COLUMNS} FROM payouts WHERE batch IN (SELECT value FROM json_each(?)) AND position IS NOT NULL
  AND status IN ('failed','returned') AND reference_key IS NOT NULL ORDER BY id DESC`;
/** A row that names the payment is found by that. */
const ROWS = `SELECT ${COLUMNS} ${OF_BATCH} AND position >= ?2 AND position <= ?3 AND replaces IS NULL
  AND reference_key IS NOT NULL AND status NOT IN ('invalid','canceled')`;
/** Paid since then, or the account was paid under this reference before, which may only count the rows of a file. */
const DONE = `SELECT 1 FROM payouts WHERE living_root = ?1 UNION ALL
  SELECT 1 FROM payouts INDEXED BY payouts_reference WHERE reference_key = ?2 AND memory_at IS NOT NULL AND memory_at > 0
    AND batch <> ?3 AND (id > ?4 OR (route = ?5 AND account = ?6)) LIMIT 1`;

/** `among`: the batches whose payments failed. */
export async function failedReferencesOf(
  { sql, routes }: DifferenceParts,
  batch: number,
  among: readonly number[],
): Promise<readonly MovedAccount[]> {
  const keyOf = (row: Row) => Buffer.from(row.reference_key as Uint8Array).toString('hex');
  const failed = Map.groupBy(sql(FAILED).all(JSON.stringify(among)), keyOf);
  if (failed.size === 0) return [];
  const accountOf = (row: Row) => accountKeyOf(routes.byId(numberOf(row.route)), String(row.account));
  const isOther = (row: Row, before: Row) => isOtherPerson(row, before, routes.byId(numberOf(row.route)).iso);
  const isDone = (row: Row, { root, id, reference_key }: Row) =>
    sql(DONE).get(
      Number(root),
      reference_key as Uint8Array,
      batch,
      Number(id),
      Number(row.route),
      String(row.account),
    );
  const found: MovedAccount[] = [];
  for await (const [from, to] of fileSlices(sql, batch)) {
    for (const row of sql(ROWS).all(batch, from, to)) {
      // The newest that is this person's and was not paid since.
      const before = failed
        .get(keyOf(row))
        ?.find((each) => !isOther(row, each) && isDone(row, each) === undefined);
      if (before === undefined || accountOf(row) === accountOf(before)) continue;
      found.push({ payoutId: asPayoutId(String(row.id)), before: asPayoutId(String(before.id)) });
    }
  }
  return found;
}

/** A new name under an old reference is a new person's; the name of the account proves nothing. */
function isOtherPerson({ name }: Row, before: Row, iso: Parameters<typeof compareNames>[2]): boolean {
  if (typeof name !== 'string' || typeof before.name !== 'string') return false;
  return compareNames(before.name, name, iso).result === 'no_match';
}
