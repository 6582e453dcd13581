/**
 * When most rows repeat one earlier batch, that is one question about the batch and not one hold per row. The answer is
 * kept in the journal, so that it is asked once.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { type HoldReason, isUnknown, type PaymentPointer } from '../../domain/payouts/payout.ts';
import type { Overlap } from '../../ports/ledger/imports.ts';
import { findBatch } from '../find-batch.ts';
import { freeBatchName } from '../intake/batch-name.ts';
import type { Ports } from '../ports.ts';
import type { Ask, Repeats } from '../user-questions.ts';
import { releaseHeld } from './release-held.ts';

export type RepeatAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'released'; readonly of: BatchId }
  /** Nobody answered; the rows are held with pointers to what they repeat. */
  | { readonly kind: 'open'; readonly repeats: Repeats }
  | { readonly kind: 'show_report'; readonly of: Batch }
  | { readonly kind: 'canceled' };

const SHARE_PERCENT = 80;
const ROWS_LEAST = 5;
const NOTE = 'repeats_released';
const REPEATS: readonly HoldReason['kind'][] = ['duplicate_payment', 'reference_paid', 'batch_repeated'];

/** The answer that was given before, for later commands about the batch. */
export async function repeatsReleasedBefore(
  batchId: BatchId,
  ports: Pick<Ports, 'ledger'>,
): Promise<BatchId | undefined> {
  return (await ports.ledger.notes(batchId, NOTE)).at(-1)?.body.of;
}

interface RepeatQuestion {
  readonly batch: Batch;
  readonly rows: number;
  readonly overlaps: readonly Overlap[];
  /** The batch that a person said is paid once more: asked when the file was placed, or named with the request. */
  readonly said: Batch | string | undefined;
  readonly by: string;
  readonly ask: Ask | undefined;
}

/** Errors: BatchNotFound. */
export async function askRepeats(question: RepeatQuestion, ports: Ports): Promise<RepeatAnswer> {
  const { batch, said, by, ask, rows } = question;
  const before = await repeatsReleasedBefore(batch.id, ports);
  if (before !== undefined) return { kind: 'released', of: before };
  const named = typeof said === 'string' ? await findBatch(said, ports.ledger) : said;
  if (named !== undefined) return release(batch.id, named.id, by, ports);
  const repeats = mostRepeated(question);
  if (repeats === undefined || rows < ROWS_LEAST || repeats.repeated * 100 < rows * SHARE_PERCENT)
    return { kind: 'none' };
  if (ask === undefined) return { kind: 'open', repeats };
  const choice = await ask({ kind: 'repeats', repeats });
  if (choice === 'report') return { kind: 'show_report', of: repeats.of };
  if (choice !== 'again') return { kind: 'canceled' };
  if (batch.name === undefined) {
    const name = await ask({ kind: 'name_of_batch' });
    if (name === undefined) return { kind: 'canceled' };
    await ports.ledger.nameBatch(batch.id, await freeBatchName(name, ports.ledger));
  }
  return release(batch.id, repeats.of.id, by, ports);
}

/** A row that another batch paid again is repeated as a row of its own batch, too. */
function mostRepeated({ batch, rows, overlaps }: RepeatQuestion): Repeats | undefined {
  const [most] = overlaps
    .filter((overlap) => overlap.batch.id !== batch.id)
    .map((each) => ({ ...each, repeated: each.rows + each.again }))
    .sort((one, other) => other.repeated - one.repeated);
  return most && { batch, of: most.batch, repeated: most.repeated, again: most.again, rows };
}

/**
 * Whether the payment is one that a person said is made once more: it pays a row of that batch, perhaps again in another
 * one. A payment whose outcome is not known never is.
 */
export async function isRepeatMeant(
  { payoutId, status, batchId }: Pick<PaymentPointer, 'payoutId' | 'status' | 'batchId'>,
  { of, batch }: { readonly of: BatchId | undefined; readonly batch: BatchId },
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<boolean> {
  if (of === undefined || isUnknown({ status })) return false;
  return of === batch ? batchId === of : (await ledger.batchesPaidBy(payoutId)).includes(of);
}

async function release(batchId: BatchId, of: BatchId, by: string, ports: Ports): Promise<RepeatAnswer> {
  const payouts = await heldForRepeating(batchId, of, ports);
  const reason = `pays batch ${of} once more on purpose`;
  // The answer is kept last: killed before, the next command asks about the rows that still wait.
  await releaseHeld(batchId, { kind: 'payouts', payouts }, { by, reason }, ports);
  await ports.ledger.note(batchId, NOTE, { of, by }, ports.clock.now());
  return { kind: 'released', of };
}

/** Rows that wait for nothing but this question. */
async function heldForRepeating(batchId: BatchId, of: BatchId, ports: Ports): Promise<PayoutId[]> {
  const found: PayoutId[] = [];
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['held'] })) {
    for (const { id, state } of page) {
      if (state.status !== 'held') continue;
      if (await isAsked(state.reasons, { of, batch: batchId }, ports)) found.push(id);
    }
  }
  return found;
}

/** A changed account points at a payment too, but is another question; so is a payment whose outcome is not known. */
async function isAsked(
  reasons: readonly HoldReason[],
  meant: { readonly of: BatchId; readonly batch: BatchId },
  ports: Ports,
): Promise<boolean> {
  for (const { kind, pointer } of reasons) {
    if (pointer === undefined || !REPEATS.includes(kind)) return false;
    const repeated = await ports.ledger.payout(pointer.payoutId);
    if (repeated === undefined) return false;
    const now = { ...pointer, status: repeated.state.status };
    if (!(await isRepeatMeant(now, meant, ports))) return false;
  }
  return true;
}
