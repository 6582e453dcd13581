/** The payments of one row: the first instruction, what replaced it, and what replaced those, in any batch. */
import type { PayoutId } from '../domain/instruction.ts';
import type { Payout } from '../domain/payout.ts';
import type { World } from './world.ts';

/** All of the row's payments but this one, the first of them in front. */
export async function relativesOf(
  payout: Payout,
  { ledger }: Pick<World, 'ledger'>,
): Promise<readonly Payout[]> {
  const seen = new Set<PayoutId>([payout.id]);
  let root = payout;
  for (let up = payout.instruction?.replaces; up !== undefined && !seen.has(up); ) {
    const before = await ledger.payout(up);
    if (before === undefined) break;
    seen.add(before.id);
    root = before;
    up = before.instruction?.replaces;
  }
  const family = new Map<PayoutId, Payout>([[root.id, root]]);
  // A map hands out what is added while it is walked.
  for (const { id } of family.values())
    for (const replacement of await ledger.replacementsOf(id)) family.set(replacement.id, replacement);
  family.delete(payout.id);
  return [...family.values()];
}
