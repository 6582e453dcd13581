/**
 * Withdraws rows that were not sent. What is on the wire, in doubt or paid cannot be withdrawn here.
 */
import type { BatchId } from '../domain/instruction.ts';
import { mayFollow } from '../domain/payout-machine.ts';
import { type Choice, eachChosen } from './choose-payouts.ts';
import { recordEvent } from './record-event.ts';
import type { Decided, Decision, RefusedRow } from './release-held.ts';
import type { World } from './world.ts';

const UNSENT = ['planned', 'held', 'quoted', 'approved'] as const;

export async function cancelUnsent(
  batchId: BatchId,
  choice: Choice,
  decision: Decision,
  world: Omit<World, 'paymentService'>,
): Promise<Decided> {
  const done: number[] = [];
  const refused: RefusedRow[] = [];
  await eachChosen(batchId, choice, UNSENT, world, async (payout) => {
    const { rowNumber, state } = payout;
    if (!mayFollow(state, 'cancel')) {
      refused.push({ rowNumber, status: state.status });
      return;
    }
    const at = world.clock.now();
    const recorded = await recordEvent(payout, { kind: 'cancel', ...decision, at }, world);
    if (recorded.kind === 'recorded') done.push(rowNumber);
    else refused.push({ rowNumber, status: 'changed by somebody else just now', isNotYet: true });
  });
  return { done, refused };
}
