/**
 * When the rows of a large batch are looked at first: not before most payments of their corridor were finished lately. What
 * takes longer is looked at as often as ever, so the last row of the batch is known to be settled no later.
 *
 * Rule:    a corridor with fewer rows has its first look when the service promised: its last row may be one of the quick ones.
 *          Half of the time that somebody waits for the batch is the most.
 */
import type { BatchId, Instruction } from '../../domain/payouts/instruction.ts';
import { usualMsOf } from '../../domain/payouts/service-status.ts';
import type { Ports } from '../ports.ts';

/** Of so many rows some are slower than 19 of 20. */
const ROWS_MIN = 200;

export type UsualMs = (instruction: Instruction) => number | undefined;

/** `waitMs`: how long somebody waits for the batch. */
export async function usualTimes(
  batchId: BatchId,
  waitMs: number,
  { ledger, policy }: Pick<Ports, 'ledger' | 'policy'>,
): Promise<UsualMs> {
  const corridors = await ledger.finishTimes(batchId, { rowsMin: ROWS_MIN, msMax: policy.pollMaxMs });
  const times = new Map<string, number | undefined>();
  for (const { sourceId, destinationId, batches } of corridors) {
    const usualMs = usualMsOf(batches);
    times.set(keyOf({ sourceId, destinationId }), usualMs && Math.min(usualMs, waitMs / 2));
  }
  return (instruction) => times.get(keyOf(instruction));
}

const keyOf = ({ sourceId, destinationId }: Pick<Instruction, 'sourceId' | 'destinationId'>) =>
  `${sourceId}\n${destinationId}`;
