/**
 * What changed since the last batch of the same kind: finds that batch and asks the ledger. It is the newest approved
 * batch of the same name (ignoring numbers and months); otherwise the one whose payments this batch repeats most;
 * otherwise the one from a file of the same name.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import {
  accountChangedReason,
  type BatchChanges,
  lastOfSameKind,
} from '../../domain/batches/batch-changes.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { HoldReason, PaymentPointer, Payout } from '../../domain/payouts/payout.ts';
import { daysMs } from '../../domain/policy.ts';
import { plusMs, timestampOf } from '../../domain/timestamp.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { Ports } from '../ports.ts';

const REPEATS_DAYS = 400;
/** A batch that repeats fewer rows than one in five is another kind. */
const LEAST_SHARE = 5;

type Asking = Pick<Ports, 'ledger' | 'clock' | 'policy'>;

/** undefined: nothing of the kind was approved before. `leaving`: rows that are withdrawn with the approval. */
export async function changesSinceLast(
  batch: Batch,
  ports: Asking,
  leaving: readonly PayoutId[] = [],
): Promise<BatchChanges | undefined> {
  const previous = await previousOf(batch, ports);
  if (previous === undefined) return undefined;
  const { jumpPercent } = ports.policy;
  const { id, name, createdAt } = previous;
  const difference = await ports.ledger.difference(batch.id, id, { jumpPercent, leaving });
  return { previous: { id, name, createdAt }, difference, jumpPercent };
}

/** Earlier batches of the kind, for people who were not in the last one. */
const EARLIER_MAX = 12;

/** Why waiting rows are held: the person was paid to another account before, and nobody released that yet. */
export async function accountChanges(
  batchId: BatchId,
  ports: Asking,
): Promise<ReadonlyMap<PayoutId, HoldReason>> {
  const { ledger, policy } = ports;
  const found = new Map<PayoutId, HoldReason>();
  const batch = policy.accountChanges === 'hold' ? await ledger.batch(batchId) : undefined;
  if (batch === undefined) return found;
  for (const moved of await ledger.movedAccounts(batchId, await earlierOf(batch, ports))) {
    const [now, before] = [await ledger.payout(moved.payoutId), await ledger.payout(moved.before)];
    if (now?.instruction === undefined || before?.instruction === undefined) continue;
    const [to, from] = [now.instruction, before.instruction];
    if (await ledger.isAccountChangeReleased({ from, to })) continue;
    found.set(now.id, accountChangedReason(to, from, await pointerTo(before, ledger)));
  }
  return found;
}

async function pointerTo(payout: Payout, ledger: Ledger): Promise<PaymentPointer> {
  const { id: payoutId, batchId, rowNumber, state } = payout;
  const batchName = (await ledger.batch(batchId))?.name;
  const at = 'approvedAt' in state ? state.approvedAt : timestampOf(0);
  return { payoutId, batchId, batchName, rowNumber, status: state.status, at };
}

/** The last batch of the kind, and those before it that share its name or its file's. */
async function earlierOf(batch: Batch, ports: Asking): Promise<readonly BatchId[]> {
  const previous = await previousOf(batch, ports);
  if (previous === undefined) return [];
  const others = boundBefore(batch, await ports.ledger.batches()).filter((other) =>
    (['name', 'file'] as const).some((by) => lastOfSameKind(batch, [other], by) !== undefined),
  );
  const ids = [previous, ...others].map(({ id }) => id);
  return [...new Set(ids)].slice(0, EARLIER_MAX);
}

function boundBefore(batch: Batch, batches: readonly Batch[]): readonly Batch[] {
  return batches.filter(
    (other) => other.isBound && !other.isImporting && Number(other.id) < Number(batch.id),
  );
}

async function previousOf(batch: Batch, { ledger, clock }: Asking): Promise<Batch | undefined> {
  const earlier = boundBefore(batch, await ledger.batches());
  if (earlier.length === 0) return undefined;
  const named = lastOfSameKind(batch, earlier, 'name');
  if (named !== undefined) return named;
  const counts = await ledger.counts(batch.id);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const since = plusMs(clock.now(), -daysMs(REPEATS_DAYS));
  const [most] = (await ledger.overlaps(batch.id, since)).filter(({ batch: other }) =>
    earlier.some(({ id }) => id === other.id),
  );
  if (most !== undefined && most.rows * LEAST_SHARE >= rows) return most.batch;
  return lastOfSameKind(batch, earlier, 'file');
}
