/**
 * Incidents that only a statement or a late answer shows: notes in the journal of the payment's own batch.
 */

import type { NotedIncident } from '../../domain/payouts/incident.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { type Timestamp, timestampOf } from '../../domain/timestamp.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

const INCIDENT = 'incident';
const LATE_ACCEPTANCE = 'late_acceptance_not_applied';

/** Payouts of the batch that were paid by what was noted, whatever their state says. */
export async function notedIncidents(
  batchId: BatchId,
  { ledger }: { readonly ledger: Pick<Ledger, 'notes'> },
): Promise<ReadonlyMap<PayoutId, NotedIncident>> {
  const found = new Map<PayoutId, NotedIncident>();
  for (const { at, body } of await ledger.notes(batchId, LATE_ACCEPTANCE)) {
    found.set(body.payout, { what: `the service accepted it late, as transfer ${body.transferId}`, at });
  }
  for (const { at, body } of await ledger.notes(batchId, INCIDENT)) {
    const newest = timestampOf(Math.max(at, found.get(body.payout)?.at ?? at));
    found.set(body.payout, { what: body.what, at: newest });
  }
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
