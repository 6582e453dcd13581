/**
 * The payments of a row: its first instruction, the ones that replaced it, and theirs, in any batch. At most one is made.
 */

import type { PayoutId } from '../../domain/payouts/instruction.ts';
import type { HoldReason, PaymentPointer } from '../../domain/payouts/payout.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { sameRowReason } from '../../domain/payouts/repeat.ts';
import type { Ports } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';

type Reading = Pick<Ports, 'ledger'>;

/** Why a row waits beside the other payment. */
export async function reasonOfSameRow(other: PaymentPointer, { ledger }: Reading): Promise<HoldReason> {
  const payout = await ledger.payout(other.payoutId);
  const isIncident =
    payout !== undefined &&
    ((isIn(payout, 'settled') && payout.state.incident) ||
      (await notedIncidents(payout.batchId, { ledger })).has(payout.id));
  return sameRowReason(other, isIncident);
}

/** All payments of the row but this one, in any batch: the first instruction, what replaced it, and what replaced those. */
export async function relativesOf(payout: Payout, { ledger }: Reading): Promise<readonly Payout[]> {
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
