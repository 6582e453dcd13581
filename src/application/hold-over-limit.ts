/**
 * Limits of the configuration: rows above theirs wait for a person, also those that were priced before the limit was
 * set; a batch or a day above its limit is not approved.
 */
import type { BatchId } from '../domain/instruction.ts';
import { limitReasons, type OverLimit, overLimit, startOfUtcDay } from '../domain/limits.ts';
import { isIn } from '../domain/payout.ts';
import type { Plan } from '../domain/plan.ts';
import { recordEvents } from './record-event.ts';
import type { World } from './world.ts';

type LimitedWorld = Omit<World, 'paymentService'>;

/** A row that a person released from its limit goes on. */
export async function holdOverLimit(batchId: BatchId, world: LimitedWorld): Promise<void> {
  const { limits } = world.policy;
  if (limits.rowMax.length === 0) return;
  for await (const page of world.ledger.payouts(batchId, { statuses: ['quoted'] })) {
    const at = world.clock.now();
    const holds = page.flatMap((payout) => {
      if (!isIn(payout, 'quoted')) return [];
      const { pricing, releases } = payout.state;
      const reasons = limitReasons(payout.instruction.amount, limits);
      const isReleased = releases.some(({ kinds }) => kinds.includes('limit'));
      if (reasons.length === 0 || isReleased) return [];
      return [{ payout, event: { kind: 'hold', reasons, pricing, at } as const }];
    });
    await recordEvents(holds, world);
  }
}

export async function overLimitOf(plan: Plan, world: LimitedWorld): Promise<OverLimit | undefined> {
  const { ledger, clock, policy } = world;
  const needsDay = policy.limits.dayMax.length > 0 && plan.toApprove.length > 0;
  const day = needsDay ? await ledger.principalSince(startOfUtcDay(clock.now())) : [];
  return overLimit(plan, policy.limits, day);
}
