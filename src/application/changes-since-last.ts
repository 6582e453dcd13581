/**
 * What changed since the last batch of the same kind: finds that batch and asks the ledger. Of the same kind is the newest
 * one approved before under the same name but for its numbers and months; else the one whose payments this batch
 * repeats most; else the one that came from a file of the same name.
 */
import type { Batch } from '../domain/batch.ts';
import { type BatchChanges, sameKind } from '../domain/batch-changes.ts';
import { daysMs } from '../domain/policy.ts';
import { plusMs } from '../domain/timestamp.ts';
import type { World } from './world.ts';

const REPEATS_DAYS = 400;
/** A batch that repeats fewer rows than one in five is another kind. */
const LEAST_SHARE = 5;

type Asking = Pick<World, 'ledger' | 'clock' | 'policy'>;

/** undefined: nothing of the kind was approved before. */
export async function changesSinceLast(batch: Batch, world: Asking): Promise<BatchChanges | undefined> {
  const previous = await previousOf(batch, world);
  if (previous === undefined) return undefined;
  const { jumpPercent } = world.policy;
  const { id, name, createdAt } = previous;
  const difference = await world.ledger.difference(batch.id, id, jumpPercent);
  return { previous: { id, name, createdAt }, difference, jumpPercent };
}

async function previousOf(batch: Batch, { ledger, clock }: Asking): Promise<Batch | undefined> {
  const earlier = (await ledger.batches()).filter(
    (other) => other.isBound && !other.isImporting && Number(other.id) < Number(batch.id),
  );
  if (earlier.length === 0) return undefined;
  const named = sameKind(batch, earlier, 'name');
  if (named !== undefined) return named;
  const counts = await ledger.counts(batch.id);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const since = plusMs(clock.now(), -daysMs(REPEATS_DAYS));
  const [most] = (await ledger.overlaps(batch.id, since)).filter(({ batch: other }) =>
    earlier.some(({ id }) => id === other.id),
  );
  if (most !== undefined && most.rows * LEAST_SHARE >= rows) return most.batch;
  return sameKind(batch, earlier, 'file');
}
