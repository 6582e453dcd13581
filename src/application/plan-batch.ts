/**
 * The plan of a batch as it stands: what waits for approval, what it costs, what is left out, and the digest
 * that an approval is bound to.
 */
import type { BatchId, PayoutId } from '../domain/instruction.ts';
import { type Plan, PlanBuilder, PlanDigest } from '../domain/plan.ts';
import type { World } from './world.ts';

const ALL_STAY: ReadonlySet<PayoutId> = new Set();

/** `leaving`: rows that are withdrawn together with the approval; the plan is what it will be without them. */
export async function planOf(
  batchId: BatchId,
  world: Pick<World, 'ledger'>,
  leaving: ReadonlySet<PayoutId> = ALL_STAY,
): Promise<Plan> {
  const builder = new PlanBuilder();
  for await (const page of world.ledger.payouts(batchId))
    for (const payout of page) {
      if (leaving.has(payout.id)) builder.addWithdrawn();
      else builder.add(payout);
    }
  const digest = new PlanDigest();
  for await (const page of world.ledger.leaves(batchId, ['quoted']))
    for (const leaf of page) if (!leaving.has(leaf.payoutId)) digest.add(leaf);
  return builder.finish(digest.finish());
}
