/**
 * What changed since the last batch of the same kind: finds that batch and asks the ledger. It is the newest approved
 * batch of the same name (ignoring numbers and months); otherwise the one whose payments this batch repeats most;
 * otherwise the one from a file of the same name. A batch that only pays rows of another one again is compared with those
 * rows, and is never the last of its kind itself. Whatever the batch, a row with the reference of a payment that failed
 * is compared with that payment.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import {
  accountChangedReason,
  type BatchChanges,
  lastOfSameKind,
  type MovedAccount,
  otherHolder,
} from '../../domain/batches/batch-changes.ts';
import { type PaidBefore, paidBefore, redoneBatch, triedBefore } from '../../domain/batches/paid-before.ts';
import type { Family } from '../../domain/payouts/family.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { HoldReason, PaymentPointer, Payout } from '../../domain/payouts/payout.ts';
import { daysMs } from '../../domain/policy.ts';
import { plusMs, timestampOf } from '../../domain/timestamp.ts';
import type { Overlap } from '../../ports/ledger/imports.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { Ports } from '../ports.ts';

const REPEATS_DAYS = 400;
/** A row that failed is corrected within weeks; a longer time holds more rows whose references only count. */
const FAILED_DAYS = 60;
/** A batch that repeats fewer rows than one in five is another kind. */
const LEAST_SHARE = 5;

type Asking = Pick<Ports, 'ledger' | 'clock' | 'policy'>;

/** undefined: nothing of the kind was approved before. */
export async function changesSinceLast(batch: Batch, ports: Asking): Promise<BatchChanges | undefined> {
  const known = await knownOf(ports);
  const found = await previousOf(batch, known, ports);
  const named = triedBefore(batch.id, known.families);
  const again = [...named, ...(await failedBefore(batch, known, { ports, seen: found?.id }))];
  const previous = found ?? (await batchOfFirst(again, ports));
  if (previous === undefined) return undefined;
  const { jumpPercent } = ports.policy;
  const paysAgain = found === undefined || (await redoneBy(batch, known, ports)) !== undefined;
  const tried = paymentsTried(again);
  const whole = paidBefore(previous.id, batch.id, known.families);
  const before = paysAgain ? tried : { ...whole, also: [...whole.also, ...tried.also] };
  const { id, name, createdAt } = previous;
  const difference = await ports.ledger.difference(batch.id, before, { jumpPercent, again });
  const isByReference = found === undefined && named.length === 0;
  return { previous: { id, name, createdAt }, paysAgain, isByReference, difference, jumpPercent };
}

/** Of the ledger, asked for once. */
interface Known {
  readonly batches: readonly Batch[];
  readonly families: readonly Family[];
}

async function knownOf({ ledger }: Asking): Promise<Known> {
  return { batches: await ledger.batches(), families: await ledger.familiesAcross() };
}

function paymentsTried(again: readonly MovedAccount[]): PaidBefore {
  return { batch: undefined, without: [], also: again.map(({ before }) => before) };
}

/** Rows with the reference of a payment that failed. A batch that is `seen` is shown as a whole. */
async function failedBefore(
  { id }: Batch,
  { batches }: Known,
  { ports, seen }: { readonly ports: Asking; readonly seen?: BatchId | undefined },
): Promise<readonly MovedAccount[]> {
  const since = plusMs(ports.clock.now(), -daysMs(FAILED_DAYS));
  const among = batches.filter(
    (other) => other.isBound && other.id !== id && other.createdAt >= since && other.id !== seen,
  );
  return ports.ledger.failedBefore(
    id,
    among.map((other) => other.id),
  );
}

async function batchOfFirst(
  [first]: readonly MovedAccount[],
  { ledger }: Asking,
): Promise<Batch | undefined> {
  const before = first && (await ledger.payout(first.before));
  return before && (await ledger.batch(before.batchId));
}

/** The batch whose rows this one pays again; undefined where it has payments of its own. */
async function redoneBy({ id }: Batch, { batches, families }: Known, { ledger }: Asking) {
  if (
    !families.some(([first, ...more]) => first?.batchId !== id && more.some(({ batchId }) => batchId === id))
  )
    return undefined;
  const { invalid, canceled, ...counts } = await ledger.counts(id);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const redone = redoneBatch(id, rows, families);
  return batches.find((other) => other.id === redone);
}

/** Earlier batches, those of the kind first: for people who were not in the last one, or were paid in a batch of another kind. */
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
  const known = await knownOf(ports);
  const named = triedBefore(batchId, known.families);
  const { ofKind, others } = await earlierOf(batch, known, ports);
  const failed = await failedBefore(batch, known, { ports });
  const again = [...named, ...failed];
  const earlier = [
    // What a row pays again is its person's last payment, whatever its batch is called.
    paymentsTried(named),
    ...ofKind.map((id) => paidBefore(id, batchId, known.families)),
    // After them: an account that is known in batches of the kind may have the reference of another one that failed.
    paymentsTried(failed),
    ...others.map((id) => ({ ...paidBefore(id, batchId, known.families), isOtherKind: true as const })),
  ].filter((each) => each.batch !== undefined || each.also.length > 0);
  for (const moved of await ledger.movedAccounts(batchId, { earlier, again })) {
    const [now, before] = [await ledger.payout(moved.payoutId), await ledger.payout(moved.before)];
    if (now?.instruction === undefined || before?.instruction === undefined) continue;
    const [to, from] = [now.instruction, before.instruction];
    found.set(
      now.id,
      accountChangedReason(to, from, await pointerTo(before, ledger), otherHolder(now, before)),
    );
  }
  return found;
}

async function pointerTo(payout: Payout, ledger: Ledger): Promise<PaymentPointer> {
  const { id: payoutId, batchId, rowNumber, state } = payout;
  const batchName = (await ledger.batch(batchId))?.name ?? batchId;
  const at = 'approvedAt' in state ? state.approvedAt : timestampOf(0);
  return { payoutId, batchId, batchName, rowNumber, status: state.status, at };
}

/** The last batch of the kind, and those before it that share its name or its file's; then all others, the newest first. */
async function earlierOf(batch: Batch, known: Known, ports: Asking) {
  const previous = await previousOf(batch, known, ports);
  const redone = await redoneBy(batch, known, ports);
  const kinds = redone === undefined ? [batch] : [batch, redone];
  const bound = boundBefore(batch, known);
  const isOfKind = (other: Batch) =>
    (['name', 'file'] as const).some((by) =>
      kinds.some((kind) => lastOfSameKind(kind, [other], by) !== undefined),
    );
  const alike = previous === undefined ? [] : [previous, ...bound.filter(isOfKind)];
  const ofKind = [...new Set(alike.map(({ id }) => id))].slice(0, EARLIER_MAX);
  const others = bound
    .map(({ id }) => id)
    .filter((id) => !ofKind.includes(id))
    .sort((one, other) => Number(other) - Number(one));
  return { ofKind, others: others.slice(0, EARLIER_MAX - ofKind.length) };
}

function boundBefore(batch: Batch, { batches }: Known): readonly Batch[] {
  return batches.filter(
    (other) => other.isBound && !other.isImporting && Number(other.id) < Number(batch.id),
  );
}

/** Never one that only pays rows of another batch again: its rows count as part of that one. */
async function previousOf(batch: Batch, known: Known, ports: Asking): Promise<Batch | undefined> {
  const { ledger, clock } = ports;
  const own = await redoneBy(batch, known, ports);
  if (own !== undefined) return own;
  const redone = new Map<BatchId, Batch>();
  const earlier: Batch[] = [];
  for (const other of boundBefore(batch, known)) {
    const first = await redoneBy(other, known, ports);
    if (first === undefined) earlier.push(other);
    else redone.set(other.id, first);
  }
  if (earlier.length === 0) return undefined;
  const named = lastOfSameKind(batch, earlier, 'name');
  if (named !== undefined) return named;
  const counts = await ledger.counts(batch.id);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const since = plusMs(clock.now(), -daysMs(REPEATS_DAYS));
  const most = mostRepeated(await ledger.overlaps(batch.id, since), earlier, redone);
  if (most !== undefined && most.rows * LEAST_SHARE >= rows) return most.batch;
  return lastOfSameKind(batch, earlier, 'file');
}

function mostRepeated(
  overlaps: readonly Overlap[],
  earlier: readonly Batch[],
  redone: ReadonlyMap<BatchId, Batch>,
): Pick<Overlap, 'batch' | 'rows'> | undefined {
  const rows = new Map<Batch, number>();
  for (const { batch, rows: count } of overlaps) {
    const meant = redone.get(batch.id)?.id ?? batch.id;
    const found = earlier.find(({ id }) => id === meant);
    if (found !== undefined) rows.set(found, (rows.get(found) ?? 0) + count);
  }
  const [most] = [...rows].sort(([, one], [, other]) => other - one);
  return most && { batch: most[0], rows: most[1] };
}
