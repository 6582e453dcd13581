/**
 * Whole account numbers for a person who may see them: the journal keeps who, when and where, before anything is shown.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { Ports } from '../ports.ts';

interface Noting extends Pick<Ports, 'ledger'> {
  readonly clock: Pick<Ports['clock'], 'now'>;
}

/** Errors: RequestRefused for a row that has no account. */
export async function showAccount(
  { id: payout, batchId, rowNumber: row, instruction }: Payout,
  by: string,
  { ledger, clock }: Noting,
): Promise<string> {
  if (instruction === undefined)
    throw new RequestRefused(`Row ${row} could not be read, so it has no account here. Look into the file.`);
  const where = 'on the page of the row';
  await ledger.note(batchId, 'account_shown', { by, where, payout, row }, clock.now());
  return instruction.account.reveal();
}

/** Of all rows, in a file. */
export async function noteAccountsShown(
  batchId: BatchId,
  { by, where }: { readonly by: string; readonly where: string },
  { ledger, clock }: Noting,
): Promise<void> {
  await ledger.note(batchId, 'account_shown', { by, where }, clock.now());
}
