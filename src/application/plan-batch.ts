/**
 * The plan of a batch as it stands: what waits for approval, what it costs, what is left out, and the digest
 * that an approval is bound to.
 */
import type { BatchId } from '../domain/instruction.ts';
import { type Plan, PlanBuilder, PlanDigest } from '../domain/plan.ts';
import type { World } from './world.ts';

export async function planOf(batchId: BatchId, world: Pick<World, 'ledger'>): Promise<Plan> {
  const builder = new PlanBuilder();
  for await (const page of world.ledger.payouts(batchId)) for (const payout of page) builder.add(payout);
  const digest = new PlanDigest();
  for await (const page of world.ledger.leaves(batchId, ['quoted']))
    for (const leaf of page) digest.add(leaf);
  return builder.finish(digest.finish());
}
