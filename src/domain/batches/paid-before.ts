/**
 * The payments that a batch is compared with: each row of an earlier batch by the payment that stands for it, which may be
 * one of a newer batch that paid the row again; and a row that pays another one again by the payment that was tried before.
 *
 * Why:     the account that failed is not the one that a person was paid to, and a file of a few rows that are paid again
 *          says nothing of who is paid each month.
 */
import type { Family } from '../payouts/family.ts';
import { agreedOf } from '../payouts/family.ts';
import type { BatchId, PayoutId } from '../payouts/instruction.ts';
import type { MovedAccount } from './batch-changes.ts';

export interface PaidBefore {
  /** All that was agreed to in it; undefined: only `also`. */
  readonly batch: BatchId | undefined;
  /** Of this batch: another payment stands for the row. */
  readonly without: readonly PayoutId[];
  /** Payments of any batch that were agreed to. */
  readonly also: readonly PayoutId[];
  /** The batch is of another kind: a person of it is known by the name that both files write, and by nothing else. */
  readonly isOtherKind?: true;
}

/** `now`: the batch that is compared; its own payments are not what was before. */
export function paidBefore(batch: BatchId, now: BatchId, families: readonly Family[]): PaidBefore {
  const without: PayoutId[] = [];
  const also: PayoutId[] = [];
  for (const family of families) {
    const others = family.filter(({ batchId }) => batchId !== now);
    const standing = agreedOf(others);
    if (standing === undefined || !others.some(({ batchId }) => batchId === batch)) continue;
    without.push(...others.flatMap(({ payoutId }) => (payoutId === standing.payoutId ? [] : [payoutId])));
    also.push(standing.payoutId);
  }
  return { batch, without, also };
}

/** Payments of the batch that pay a row of another batch again, each with the one that was tried before it. */
export function triedBefore(now: BatchId, families: readonly Family[]): readonly MovedAccount[] {
  return families.flatMap((family) =>
    family.flatMap(({ batchId, payoutId }, at) => {
      if (batchId !== now) return [];
      const before = agreedOf(family.slice(0, at).filter((other) => other.batchId !== now));
      return before === undefined ? [] : [{ payoutId, before: before.payoutId }];
    }),
  );
}

/**
 * The batch whose rows this one pays again; undefined where a row of it (of so many that are to be paid) is a payment of
 * its own. Of several batches the one of most rows.
 */
export function redoneBatch(batch: BatchId, rows: number, families: readonly Family[]): BatchId | undefined {
  const found = new Map<BatchId, number>();
  for (const [first, ...more] of families) {
    if (first === undefined || first.batchId === batch) continue;
    const mine = more.filter(
      ({ batchId, isCurrent, status }) => batchId === batch && isCurrent && !NOT_PAID.includes(status),
    );
    if (mine.length > 0) found.set(first.batchId, (found.get(first.batchId) ?? 0) + mine.length);
  }
  const again = [...found.values()].reduce((sum, count) => sum + count, 0);
  if (again === 0 || again < rows) return undefined;
  return [...found].sort(([, one], [, other]) => other - one)[0]?.[0];
}

const NOT_PAID: readonly string[] = ['invalid', 'canceled'];
