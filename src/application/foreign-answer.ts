/**
 * An answer about somebody else's transaction: it proves nothing about the payment that was asked for.
 */
import { isAnotherPayment } from '../domain/discrepancies.ts';
import type { Payout, PayoutIn } from '../domain/payout.ts';
import type { Transaction } from '../ports/payment-service.ts';
import type { World } from './world.ts';

/** Why the answer is not about this payment, as a part of a sentence; undefined when it may well be. */
export async function foreignTo(
  payout: PayoutIn<'accepted' | 'settled' | 'failed' | 'returned'> & Pick<Payout, 'id'>,
  seen: Transaction,
  { ledger }: Pick<World, 'ledger'>,
): Promise<string | undefined> {
  if (isAnotherPayment(payout.instruction, payout.state.pricing, seen))
    return 'amount, receiver and institution are all somebody else’s';
  if (seen.id === payout.state.transferId) return undefined;
  // The interface knows ids of transfers and of transactions: another one alone is no fault.
  const holder = await ledger.payoutOfTransfer(seen.id);
  if (holder === undefined || holder.id === payout.id) return undefined;
  const name = (await ledger.batch(holder.batchId))?.name ?? holder.batchId;
  return `it is transfer ${seen.id}, which row ${holder.rowNumber} of batch ${name} has`;
}
