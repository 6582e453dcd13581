/**
 * Approval: a person, or a rule that a person set, agrees to exactly the payments that wait for it.
 */
import type { Approval, Batch } from '../domain/batch.ts';
import type { BatchId, Digest } from '../domain/instruction.ts';
import type { OverLimit } from '../domain/limits.ts';
import type { Payout } from '../domain/payout.ts';
import type { PlanDrift } from '../domain/plan-drift.ts';
import { tagOf } from '../domain/tag.ts';
import { holdOverLimit, overLimitOf } from './hold-over-limit.ts';
import { planOf } from './plan-batch.ts';
import { driftSince, isSameDigest } from './plan-seen.ts';
import { recordEvent, recordEvents } from './record-event.ts';
import type { World } from './world.ts';

export interface ApproveOptions {
  readonly by: string;
  readonly how: Approval['how'];
  /** What the person saw; undefined only where plan and approval are one step. */
  readonly digest: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Approved =
  | { readonly kind: 'approved'; readonly count: number; readonly digest: Digest }
  | { readonly kind: 'nothing_to_approve' }
  | OverLimit
  /** The plan is another one than the person saw. `drift`: what changed; undefined when nobody was shown such a plan. */
  | { readonly kind: 'changed'; readonly digest: Digest; readonly drift: PlanDrift | undefined }
  /** Four eyes: maker and approver are the same person. */
  | { readonly kind: 'same_person'; readonly maker: string };

const TAG_SALTS_MAX = 20;

export async function approveBatch(
  batchId: BatchId,
  options: ApproveOptions,
  world: Omit<World, 'paymentService'>,
): Promise<Approved> {
  const { ledger, clock, policy } = world;
  const batch = await ledger.batch(batchId);
  if (policy.fourEyes && batch !== undefined && (await isMakerOf(batch, options.by, world)))
    return { kind: 'same_person', maker: options.by };
  await holdOverLimit(batchId, world);
  const plan = await planOf(batchId, world);
  const count = plan.counts.quoted ?? 0;
  if (count === 0) return { kind: 'nothing_to_approve' };
  if (options.digest !== undefined && !isSameDigest(plan.digest, options.digest)) {
    return { kind: 'changed', digest: plan.digest, drift: await driftSince(batchId, options.digest, world) };
  }
  const over = await overLimitOf(plan, world);
  if (over !== undefined) return over;
  const at = clock.now();
  await ledger.recordApproval(batchId, { digest: plan.digest, by: options.by, at, how: options.how, count });
  let approved = 0;
  for await (const page of ledger.payouts(batchId, { statuses: ['quoted'] })) {
    options.signal?.throwIfAborted();
    approved += await approvePage(page, options.by, world);
  }
  return { kind: 'approved', count: approved, digest: plan.digest };
}

/** Whoever brought the file, or a revision of it that nobody approved yet. */
export async function isMakerOf(
  { id, maker, approval }: Pick<Batch, 'id' | 'maker' | 'approval'>,
  by: string,
  { ledger }: Pick<World, 'ledger'>,
): Promise<boolean> {
  if (maker === by) return true;
  const revised = await ledger.notes(id, 'revised');
  return revised.some(({ at, body }) => body['by'] === by && (approval === undefined || at >= approval.at));
}

async function approvePage(
  page: readonly Payout[],
  by: string,
  world: Omit<World, 'paymentService'>,
): Promise<number> {
  const at = world.clock.now();
  const event = (payout: Payout, salt: number) =>
    ({ kind: 'approve', tag: tagOf(world.ledger.identity.id, payout.id, salt), by, at }) as const;
  const results = await recordEvents(
    page.map((payout) => ({ payout, event: event(payout, 0) })),
    world,
  );
  let approved = 0;
  for (const [index, result] of results.entries()) {
    const payout = page[index];
    if (payout === undefined) continue;
    let recorded = result;
    for (
      let salt = 1;
      recorded.kind === 'taken' && recorded.what === 'tag' && salt < TAG_SALTS_MAX;
      salt += 1
    ) {
      recorded = await recordEvent(payout, event(payout, salt), world);
    }
    if (recorded.kind === 'recorded') approved += 1;
    if (recorded.kind === 'taken' && recorded.what === 'root') {
      const text = 'Another instruction for the same row is approved, in doubt or paid';
      const pricing = 'pricing' in payout.state ? payout.state.pricing : undefined;
      await recordEvent(
        payout,
        { kind: 'hold', reasons: [{ kind: 'duplicate_payment', text }], pricing, at },
        world,
      );
    }
  }
  return approved;
}
