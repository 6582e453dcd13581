/**
 * A family: an instruction, its replacements and theirs, in any batch. At most one of it lives: the unique index on
 * `living_root` refuses a second one, whoever asks. What failed first and was paid after all has `incident_root` instead, and
 * nothing of its family may go out any more.
 */
import { numberOf, type Sql } from './statements.ts';

/** A payment of the same family that failed first and was paid after all. */
export function incidentRelative(sql: Sql, id: number): number | undefined {
  return relative(sql, 'incident_root', id);
}

/** The other member of the payout's family that lives. */
export function livingRelative(sql: Sql, id: number): number | undefined {
  return relative(sql, 'living_root', id);
}

/** What keeps the payout from going out, or undefined. */
export function relativeOf(sql: Sql, id: number): number | undefined {
  return incidentRelative(sql, id) ?? livingRelative(sql, id);
}

function relative(sql: Sql, column: 'living_root' | 'incident_root', id: number): number | undefined {
  const row = sql(
    `SELECT id FROM payouts WHERE ${column} = (SELECT root FROM payouts WHERE id = ?1) AND id <> ?1`,
  ).get(id);
  return row === undefined ? undefined : numberOf(row.id);
}
