/**
 * Paying again: a new instruction that names the one it replaces, in its place in the file. It is priced and
 * approved like any other. Only what is proven unpaid can be paid again.
 */
import type { BatchId } from '../domain/instruction.ts';
import { isIn, type Payout } from '../domain/payout.ts';
import { hoursMs, type Policy } from '../domain/policy.ts';
import { formatTimestamp, plusMs, type Timestamp } from '../domain/timestamp.ts';
import { type Choice, eachChosen } from './choose-payouts.ts';
import { explainPayout } from './explain-payout.ts';
import type { Decided } from './release-held.ts';
import type { World } from './world.ts';

export interface ReissueOptions {
  readonly by: string;
  /** Needed to pay again soon after the service reported a failure. */
  readonly evidence: string | undefined;
}

export async function reissue(
  batchId: BatchId,
  choice: Choice,
  options: ReissueOptions,
  world: Omit<World, 'paymentService'>,
): Promise<Decided> {
  const done: number[] = [];
  const refused: { rowNumber: number; status: string }[] = [];
  await eachChosen(batchId, choice, ['failed'], world, async (payout) => {
    const at = world.clock.now();
    const objection =
      whyNotAgain(payout, options.evidence, { at, policy: world.policy }) ??
      (await paidBefore(payout, world));
    if (objection !== undefined) {
      refused.push({ rowNumber: payout.rowNumber, status: objection });
      return;
    }
    if (options.evidence !== undefined) {
      await world.ledger.note(
        batchId,
        'reissue_evidence',
        { payout: payout.id, by: options.by, evidence: options.evidence },
        at,
      );
    }
    await world.ledger.addReplacement(payout.id, options.by, at);
    done.push(payout.rowNumber);
  });
  return { done, refused };
}

/** An earlier instruction of the same row that was paid, or may be, rules out another one. */
async function paidBefore(payout: Payout, { ledger }: Pick<World, 'ledger'>): Promise<string | undefined> {
  const { earlier } = await explainPayout(payout, { ledger });
  const living = earlier.find(
    ({ payout: { state } }) => !['failed', 'returned', 'canceled'].includes(state.status),
  );
  if (living === undefined) return undefined;
  return `its earlier instruction is ${living.payout.state.status}: paying it again would pay twice`;
}

/** undefined when the payout may be paid again; else why not, in words. */
export function whyNotAgain(
  payout: Payout,
  evidence: string | undefined,
  moment: { readonly at: Timestamp; readonly policy: Pick<Policy, 'reissueAfterHours'> },
): string | undefined {
  const { state } = payout;
  if (isIn(payout, 'returned') || isIn(payout, 'canceled')) return undefined;
  if (state.status === 'in_doubt') return 'in doubt: rule on it first (payfile resolve)';
  if (state.status !== 'failed') return `${state.status}: only what is proven unpaid can be paid again`;
  if (state.basis !== 'service_status' || evidence !== undefined) return undefined;
  const from = plusMs(state.at, hoursMs(moment.policy.reissueAfterHours));
  if (moment.at >= from) return undefined;
  return `the service's failure is recent: wait until ${formatTimestamp(from)} or give --evidence`;
}
