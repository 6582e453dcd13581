/**
 * Rows that another batch stands for: they were paid again by a file of their own, or are to be. A report says so, and
 * nobody is told to pay them again.
 */
import type { PaidAgainCounts } from '../../domain/batches/batch.ts';
import { type Family, type FamilyMember, isPaid, standsInstead } from '../../domain/payouts/family.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

/** For rows of the batch that have one: the payment of another batch that stands for the row. */
export type PaidAgain = ReadonlyMap<PayoutId, FamilyMember>;

type Families = Pick<Ledger, 'familiesAcross'>;

export async function paidAgainIn(batchId: BatchId, ledger: Families): Promise<PaidAgain> {
  return byBatch(await ledger.familiesAcross(batchId)).get(batchId) ?? new Map();
}

/** Of every batch that has one, in one reading of the ledger. */
export async function paidAgainEverywhere(ledger: Families): Promise<ReadonlyMap<BatchId, PaidAgain>> {
  return byBatch(await ledger.familiesAcross());
}

function byBatch(families: readonly Family[]): ReadonlyMap<BatchId, PaidAgain> {
  const found = new Map<BatchId, Map<PayoutId, FamilyMember>>();
  for (const [{ batchId, payoutId }, other] of families.flatMap(handedOver)) {
    const rows = found.get(batchId) ?? new Map<PayoutId, FamilyMember>();
    found.set(batchId, rows.set(payoutId, other));
  }
  return found;
}

/** Rows of the family with the payment of another batch that stands for each. */
function handedOver(family: Family): readonly (readonly [row: FamilyMember, other: FamilyMember])[] {
  return family.flatMap((row) => {
    const other = row.isCurrent ? standsInstead(row.payoutId, family) : undefined;
    return other === undefined || other.batchId === row.batchId ? [] : [[row, other] as const];
  });
}

export function paidAgainCounts(paidAgain: PaidAgain): PaidAgainCounts {
  const paid = [...paidAgain.values()].filter(isPaid).length;
  return { paid, open: paidAgain.size - paid };
}

/** It failed or came back, and nobody has to look at it here: the other batch shows the row. */
export function isEndedElsewhere({ id, state }: Payout, paidAgain: PaidAgain): boolean {
  return (state.status === 'failed' || state.status === 'returned') && paidAgain.has(id);
}

/** How many rows of the batch those are. */
export async function endedElsewhereIn(
  paidAgain: PaidAgain,
  ledger: Pick<Ledger, 'payout'>,
): Promise<number> {
  let count = 0;
  for (const id of paidAgain.keys()) {
    const payout = await ledger.payout(id);
    if (payout !== undefined && isEndedElsewhere(payout, paidAgain)) count += 1;
  }
  return count;
}
