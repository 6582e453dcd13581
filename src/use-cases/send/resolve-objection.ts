/** Decides about a row that must not be sent as it is: skip it, wait, hold it, or price it again. */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Objection } from '../../domain/payouts/objection.ts';
import type { HoldReason, Payout, PayoutIn } from '../../domain/payouts/payout.ts';
import { lateAnswerMs } from '../../domain/policy.ts';
import type { Ports } from '../ports.ts';
import type { PriceQuestions } from '../price/ask-name-and-quote.ts';
import { corridorOf } from '../price/baseline.ts';
import { type ChangedCorridor, unapprove, unapproveCorridor } from './refresh-terms.ts';
import { holdFor } from './send-result.ts';

/** The parts of a sending that an objection needs. */
export interface ObjectionContext {
  readonly batchId: BatchId;
  readonly ports: Ports;
  readonly options: { readonly questions: PriceQuestions };
  /** Aborts when no new transfer may start. */
  readonly stopSignal: AbortSignal;
  /** Corridors whose terms changed during this sending. */
  readonly moved: ChangedCorridor[];
  /** Skipped rows whose journal does not confirm the approval, with their row number. */
  readonly skippedRows: Map<PayoutId, number>;
}

/** How long a row waits for the outcome of another row. */
const WAIT_MS = 200;

/** Skips, delays, holds or reprices a row, as the objection requires. */
export async function resolveObjection(
  payout: PayoutIn<'approved'> & Payout,
  why: Objection,
  { batchId, ports, options, moved, skippedRows, stopSignal }: ObjectionContext,
): Promise<void> {
  const { questions } = options;
  // The next pass asks the service again.
  if (why.kind === 'terms_old') return;
  if (why.kind === 'not_approved') {
    skippedRows.set(payout.id, payout.rowNumber);
    ports.log.write('error', 'row_not_approved', { batch: batchId, row: payout.rowNumber });
    const text = `Row ${payout.rowNumber} is approved in the ledger, but its journal has no approval. It was not sent. Run payfile verify.`;
    return ports.tell({ kind: 'warning', text });
  }
  if (why.kind === 'concerns') {
    // The other payment is in flight. Its outcome will soon show whether this row repeats it.
    const isWaiting = why.reasons.every(({ pointer }) => pointer?.status === 'sending');
    if (isWaiting && why.reasons.every((reason) => isInFlight(reason, ports))) {
      await ports.clock.sleep(WAIT_MS, stopSignal).catch(() => undefined);
      return;
    }
    return holdFor(payout, why.reasons, ports);
  }
  if (why.kind === 'approval_expired' || why.kind === 'order_differs') {
    await unapprove(payout, why, questions, ports);
    return;
  }
  const corridor = corridorOf(payout.instruction);
  moved.push(await unapproveCorridor(batchId, { corridor, differs: why, questions }, ports));
}

/** The request of the other payment is recent, so its answer may still arrive. Later it counts as in doubt. */
function isInFlight({ pointer }: HoldReason, { clock, policy }: Ports): boolean {
  return (
    pointer !== undefined &&
    clock.now() - pointer.at <= policy.postTimeoutMs + lateAnswerMs(policy.postTimeoutMs)
  );
}
