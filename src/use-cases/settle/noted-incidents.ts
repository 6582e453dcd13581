/**
 * Incidents that only a statement or a late answer shows: notes in the journal of the payment's own batch.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

const INCIDENT = 'incident';
const LATE_ACCEPTANCE = 'late_acceptance_not_applied';

/** Payouts of the batch that are paid by what was noted, whatever their state says, each with a sentence. */
export async function notedIncidents(
  batchId: BatchId,
  { ledger }: { readonly ledger: Pick<Ledger, 'notes'> },
): Promise<ReadonlyMap<PayoutId, string>> {
  const found = new Map<PayoutId, string>();
  for (const { body } of await ledger.notes(batchId, LATE_ACCEPTANCE)) {
    found.set(body.payout, `the service accepted it late, as transfer ${body.transferId}`);
  }
  for (const { body } of await ledger.notes(batchId, INCIDENT)) found.set(body.payout, body.what);
  return found;
}

/** When each payment that was called unpaid was first shown to be paid. */
export async function incidentTimes(
  batchId: BatchId,
  { ledger }: { readonly ledger: Pick<Ledger, 'notes'> },
): Promise<ReadonlyMap<PayoutId, Timestamp>> {
  const found = new Map<PayoutId, Timestamp>();
  for (const { at, body } of await ledger.notes(batchId, INCIDENT)) {
    if (!found.has(body.payout)) found.set(body.payout, at);
  }
  return found;
}
