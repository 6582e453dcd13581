/**
 * Which plans were shown to somebody, kept in the journal by their digest, so that a refused approval can say what
 * changed since the plan that it names was seen.
 */
import type { BatchId, Digest } from '../domain/instruction.ts';
import type { Plan } from '../domain/plan.ts';
import type { PlanDrift } from '../domain/plan-drift.ts';
import type { World } from './world.ts';

const NOTE_KIND = 'plan_seen';
const DIGEST_LETTERS_MIN = 12;

/** A plan that nobody has to agree to, or that was noted last, is not noted again. */
export async function rememberPlanSeen(
  batchId: BatchId,
  plan: Plan,
  world: Pick<World, 'ledger' | 'clock'>,
): Promise<void> {
  if ((plan.counts.quoted ?? 0) === 0) return;
  const last = (await world.ledger.notes(batchId, NOTE_KIND)).at(-1);
  if (last?.body['digest'] === plan.digest) return;
  await world.ledger.note(batchId, NOTE_KIND, { digest: plan.digest }, world.clock.now());
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
  world: Pick<World, 'ledger'>,
): Promise<PlanDrift | undefined> {
  const notes = await world.ledger.notes(batchId, NOTE_KIND);
  const seen = notes.findLast(({ body }) => isSameDigest(String(body['digest']) as Digest, digest));
  return seen === undefined ? undefined : world.ledger.planMovesSince(batchId, seen.seq);
}
