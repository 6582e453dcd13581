/**
 * Approval: a person, or a rule that a person set, agrees to exactly the payments that wait for it.
 *
 * The caller holds the batch's lease, from comparing the digest to the last row. Should it be lost on the way, a row that
 * somebody changed or brought since is not approved all the same.
 */
import type { Approval } from '../domain/batch.ts';
import type { BatchId, Digest, PayoutId } from '../domain/instruction.ts';
import type { OverLimit } from '../domain/limits.ts';
import type { Payout } from '../domain/payout.ts';
import { mayFollow } from '../domain/payout-machine.ts';
import type { PlanDrift } from '../domain/plan-drift.ts';
import { type ApprovedRows, approveRows } from './approve-rows.ts';
import { holdMisread } from './hold-misread.ts';
import { holdOverLimit, overLimitOf } from './hold-over-limit.ts';
import { inTurn } from './in-turn.ts';
import { keepFourEyes, mayNotApprove } from './makers.ts';
import { planOf } from './plan-batch.ts';
import { driftSince, isSameDigest } from './plan-seen.ts';
import { recordEvent } from './record-event.ts';
import type { Decision } from './release-held.ts';
import type { World } from './world.ts';

export interface ApproveOptions {
  readonly by: string;
  readonly how: Approval['how'];
  /** What the person saw; undefined only where plan and approval are one step. */
  readonly digest: string | undefined;
  /** Rows that leave the plan with this approval; the digest is that of the plan without them. */
  readonly withdraw?: Withdrawal | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Withdrawal {
  readonly payouts: readonly PayoutId[];
  readonly reason: string;
}

export type Approved =
  | (ApprovedRows & {
      readonly kind: 'approved';
      readonly digest: Digest;
      readonly withdrawn: readonly number[];
    })
  | { readonly kind: 'nothing_to_approve'; readonly withdrawn: readonly number[] }
  | OverLimit
  /** The plan is another one than the person saw. `drift`: what changed; undefined when nobody was shown such a plan. */
  | { readonly kind: 'changed'; readonly digest: Digest; readonly drift: PlanDrift | undefined }
  /** Four eyes: the approver made the plan, or a part of it: brought rows or asked to pay some again. */
  | { readonly kind: 'same_person'; readonly maker: string };

type Approving = Omit<World, 'paymentService'>;

export async function approveBatch(
  batchId: BatchId,
  options: ApproveOptions,
  world: Approving,
): Promise<Approved> {
  const batch = await world.ledger.batch(batchId);
  if (batch !== undefined && (await mayNotApprove(batch, options.by, world)))
    return { kind: 'same_person', maker: options.by };
  await keepFourEyes(batchId, options.by, world);
  await holdMisread(batchId, world);
  await holdOverLimit(batchId, world);
  return inTurn(options, world, (signal) => approvePlan(batchId, { ...options, signal }, world));
}

async function approvePlan(batchId: BatchId, options: ApproveOptions, world: Approving): Promise<Approved> {
  const { ledger, clock } = world;
  const { by, how, digest, signal, withdraw } = options;
  // Taken first: what moves while the plan is added up is not of the plan.
  const unchangedSince = await ledger.lastEntry();
  const leaving = await leavingOf(withdraw, world);
  const plan = await planOf(batchId, world, new Set(leaving?.map(({ id }) => id)));
  const count = plan.counts.quoted ?? 0;
  if (count === 0 && withdraw === undefined) return { kind: 'nothing_to_approve', withdrawn: [] };
  if (leaving === undefined || (digest !== undefined && !isSameDigest(plan.digest, digest))) {
    const drift = digest === undefined ? undefined : await driftSince(batchId, digest, world);
    return { kind: 'changed', digest: plan.digest, drift };
  }
  const over = await overLimitOf(plan, world);
  if (over !== undefined) return over;
  const withdrawn = await withdrawRows(leaving, { by, reason: withdraw?.reason ?? '' }, world);
  if (count === 0) return { kind: 'nothing_to_approve', withdrawn };
  await ledger.recordApproval(batchId, { digest: plan.digest, by, at: clock.now(), how, count });
  const rows = await approveRows(batchId, { by, unchangedSince, signal }, world);
  return { kind: 'approved', ...rows, digest: plan.digest, withdrawn };
}

/** The rows to withdraw as they stand now; undefined when one of them cannot be withdrawn any more. */
async function leavingOf(
  withdraw: Withdrawal | undefined,
  { ledger }: Approving,
): Promise<readonly Payout[] | undefined> {
  const leaving: Payout[] = [];
  for (const id of withdraw?.payouts ?? []) {
    const payout = await ledger.payout(id);
    if (payout === undefined || !mayFollow(payout.state, 'cancel')) return undefined;
    leaving.push(payout);
  }
  return leaving;
}

async function withdrawRows(
  leaving: readonly Payout[],
  decision: Decision,
  world: Approving,
): Promise<readonly number[]> {
  const done: number[] = [];
  for (const payout of leaving) {
    const event = { kind: 'cancel', ...decision, at: world.clock.now() } as const;
    const recorded = await recordEvent(payout, event, world);
    if (recorded.kind === 'recorded') done.push(payout.rowNumber);
  }
  return done;
}
