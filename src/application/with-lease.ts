/**
 * One runner per batch: work that changes a batch is done while holding it.
 */
import type { BatchId } from '../domain/instruction.ts';
import type { LeaseBusy, LeaseHolder } from '../ports/lease.ts';
import type { World } from './world.ts';

/** Takes the batch's lease for the time of the work. */
export async function withLease<Result>(
  batchId: BatchId,
  holder: LeaseHolder,
  world: Pick<World, 'ledger'>,
  work: (leaseLost: AbortSignal) => Promise<Result>,
): Promise<Result | LeaseBusy> {
  const lease = await world.ledger.lease(batchId, holder);
  if (lease.kind === 'busy') return lease;
  try {
    return await work(lease.lost);
  } finally {
    await lease.release();
  }
}
