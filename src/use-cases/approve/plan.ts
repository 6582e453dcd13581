/**
 * The plan of a batch as it stands: what waits for approval, what it costs, what is left out, and the digest
 * that an approval is bound to.
 */
import type { BatchId, Digest, PayoutId } from '../../domain/payouts/instruction.ts';
import { type Plan, PlanBuilder, PlanDigest } from '../../domain/plan/plan.ts';
import type { PlanDrift } from '../../domain/plan/plan-drift.ts';
import type { Ports } from '../ports.ts';

const ALL_STAY: ReadonlySet<PayoutId> = new Set();

/** `leaving`: rows that are withdrawn together with the approval; the plan is what it will be without them. */
export async function planOf(
  batchId: BatchId,
  ports: Pick<Ports, 'ledger'>,
  leaving: ReadonlySet<PayoutId> = ALL_STAY,
): Promise<Plan> {
  const builder = new PlanBuilder();
  for await (const page of ports.ledger.payouts(batchId))
    for (const payout of page) {
      if (leaving.has(payout.id)) builder.addWithdrawn();
      else builder.add(payout);
    }
  const digest = new PlanDigest();
  for await (const page of ports.ledger.leaves(batchId, ['quoted']))
    for (const leaf of page) if (!leaving.has(leaf.payoutId)) digest.add(leaf);
  return builder.finish(digest.finish());
}

/**
 * Which plans were shown to somebody, kept in the journal by their digest, so that a refused approval can say what
 * changed since the plan that it names was seen.
 */

const NOTE_KIND = 'plan_seen';
const DIGEST_LETTERS_MIN = 12;

/** A plan that needs no agreement, or that is the last one noted, is not noted again. */
export async function rememberPlanSeen(
  batchId: BatchId,
  plan: Plan,
  ports: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  if ((plan.counts.quoted ?? 0) === 0) return;
  const last = (await ports.ledger.notes(batchId, NOTE_KIND)).at(-1);
  if (last?.body.digest === plan.digest) return;
  await ports.ledger.note(batchId, NOTE_KIND, { digest: plan.digest }, ports.clock.now());
}

/** Enough of a digest to be sure: the first 12 characters or more. */
export function isSameDigest(digest: Digest, given: string): boolean {
  const text = given.trim().toLowerCase();
  return text.length >= DIGEST_LETTERS_MIN && digest.startsWith(text);
}

/** undefined when no plan of this digest was ever shown. */
export async function driftSince(
  batchId: BatchId,
  digest: string,
  ports: Pick<Ports, 'ledger'>,
): Promise<PlanDrift | undefined> {
  const notes = await ports.ledger.notes(batchId, NOTE_KIND);
  const seen = notes.findLast(({ body }) => isSameDigest(body.digest, digest));
  return seen === undefined ? undefined : ports.ledger.planMovesSince(batchId, seen.seq);
}
