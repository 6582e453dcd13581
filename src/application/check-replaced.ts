/**
 * A row that says which payment it pays again (a redo file's payfile_replaces): that payment has to be in this
 * ledger, be proven unpaid, and be recognisably the same one. Anything else is an issue of the row.
 *
 * Why:     a link to the wrong payment would hide a repeat from the memory of payments.
 */
import type { Instruction } from '../domain/instruction.ts';
import { createIssueWriter } from '../domain/issue-writer.ts';
import type { RowIssue } from '../domain/row-issue.ts';
import type { RowSource } from '../ports/row-source.ts';
import { notedIncidents } from './raise-incident.ts';
import { whyNotAgain } from './reissue.ts';
import type { World } from './world.ts';

type Replacing = Pick<World, 'ledger' | 'clock' | 'policy'>;

/** undefined when the row replaces nothing, or what it replaces may be paid again. */
export async function replacedIssue(
  instruction: Instruction,
  file: Pick<RowSource, 'columns' | 'headers'>,
  { ledger, clock, policy }: Replacing,
): Promise<RowIssue | undefined> {
  const { replaces } = instruction;
  if (replaces === undefined) return undefined;
  const write = createIssueWriter(file);
  const issue = (kind: string, expected: string, suggestion: string) =>
    write({ kind, field: 'replaces', seen: replaces, expected, suggestion });
  const replaced = await ledger.payout(replaces);
  if (replaced?.instruction === undefined || !isAlike(replaced.instruction, instruction)) {
    const expected = 'the id of the payment of this row in this ledger, as the redo file wrote it';
    return issue('replaces_unknown', expected, 'Empty the cell to pay the row as a payment of its own.');
  }
  const noted = (await notedIncidents(replaced.batchId, { ledger })).get(replaced.id);
  const objection =
    noted === undefined
      ? whyNotAgain(replaced, undefined, { at: clock.now(), policy })
      : `an incident (${noted})`;
  if (objection === undefined) return undefined;
  const batchName = (await ledger.batch(replaced.batchId))?.name ?? replaced.batchId;
  const place = `row ${replaced.rowNumber} of batch ${batchName}`;
  return issue(
    'replaces_living',
    `a payment that is proven unpaid; ${place} is ${objection}`,
    'Leave this row out.',
  );
}

/** A redo row may have been corrected in one thing or the other, never in all of them. */
function isAlike(before: Instruction, after: Instruction): boolean {
  if (before.reference !== undefined && before.reference === after.reference) return true;
  if (before.account.reveal() === after.account.reveal()) return true;
  return (
    before.institutionId === after.institutionId &&
    before.amount.currency === after.amount.currency &&
    before.amount.minor === after.amount.minor
  );
}
