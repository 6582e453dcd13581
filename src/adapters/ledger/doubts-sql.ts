/**
 * Rows of all batches whose outcome is not known, by batch. One look into the index of statuses for each batch: it
 * costs nothing where there is nothing to find, however many rows a batch has.
 */
import { asBatchId } from '../../domain/instruction.ts';
import type { OpenDoubts } from '../../ports/ledger-doubts.ts';
import { numberOf, type Sql } from './statements.ts';

const IN = 'FROM payouts p WHERE p.batch = b.id AND p.position IS NOT NULL AND p.status';
const DOUBTS = `
  SELECT b.id, b.name,
    (SELECT count(*) ${IN} = 'in_doubt') AS in_doubt,
    (SELECT count(*) ${IN} = 'sending') AS sending,
    (SELECT p.row_number ${IN} = 'in_doubt' ORDER BY p.position LIMIT 1) AS first_row
  FROM batches b WHERE b.state = 'open' ORDER BY b.id DESC`;

/** Newest batch first. `isWorkedOn` tells whether a living process has the batch now. */
export function doubtsIn(sql: Sql, isWorkedOn: (batch: number) => boolean): readonly OpenDoubts[] {
  const found = sql(DOUBTS).all();
  return found.flatMap((row): OpenDoubts[] => {
    const id = numberOf(row.id);
    const [inDoubt, sending] = [numberOf(row.in_doubt), numberOf(row.sending)];
    const leftInFlight = sending === 0 || isWorkedOn(id) ? 0 : sending;
    if (inDoubt === 0 && leftInFlight === 0) return [];
    const name = typeof row.name === 'string' ? row.name : undefined;
    const firstRow = row.first_row === null ? undefined : numberOf(row.first_row);
    return [{ batchId: asBatchId(String(id)), name, inDoubt, leftInFlight, firstRow }];
  });
}
