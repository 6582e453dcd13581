/**
 * Marks of a row beside its status. Somebody has to look at such a row: the service called it failed once, it is stuck, or
 * it differs from what was asked.
 */
import type { AlarmCounts } from '../batches/batch.ts';
import {
  type Difference,
  differenceOf,
  isOpenDifference,
  type Moved,
  movedOf,
} from '../payouts/difference.ts';
import { lookConcern } from '../payouts/last-look.ts';
import type { LookConcern, Payout } from '../payouts/payout.ts';

export interface Marks {
  /** On its way or settled. The service called it failed or returned, and that is not confirmed yet. */
  readonly isSuspected: boolean;
  /** On its way, and somebody has to ask the service about it. */
  readonly stuck: LookConcern | undefined;
  /** The service shows something else than was asked. */
  readonly isDiffering: boolean;
  /** Whether a person still has to look at what differs. Also open where the service no longer calls a row unpaid. */
  readonly difference: Difference | undefined;
  /** Set where the service shows another amount, or a part came back. */
  readonly moved: Moved | undefined;
}

export function marksOf(payout: Payout): Marks {
  const { state } = payout;
  const difference = differenceOf(payout);
  return {
    // A failure word counts when the service says it again some time later.
    isSuspected: 'suspicion' in state && state.suspicion !== undefined && difference !== 'accepted',
    stuck: lookConcern(payout),
    isDiffering: 'discrepancies' in state && state.discrepancies.length > 0,
    difference,
    moved: movedOf(payout),
  };
}

export function isStuck({ isSuspected, stuck }: Marks): boolean {
  return isSuspected || stuck !== undefined;
}

/** Whether somebody has to look at the row, whatever its status is. */
export function isToLookAt(marks: Marks): boolean {
  return isStuck(marks) || isOpenDifference(marks.difference);
}

/** It ends its batch with 5. */
export function isLoud({ stuck, difference }: Marks): boolean {
  return stuck === 'missing' || difference === 'over';
}

type Counts = { -readonly [Kind in Exclude<keyof AlarmCounts, 'incidents'>]: number };

export function addAlarms(counts: Counts, { stuck, difference }: Marks): void {
  if (stuck === 'missing') counts.missing += 1;
  if (isOpenDifference(difference)) counts.differing += 1;
  if (difference === 'over') counts.over += 1;
}
