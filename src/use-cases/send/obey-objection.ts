/**
 * What becomes of a row that may not be sent as it stands: it is passed over, waits, is held, or goes back to be priced.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Objection } from '../../domain/payouts/objection.ts';
import type { HoldReason, Payout, PayoutIn } from '../../domain/payouts/payout.ts';
import { lateAnswerMs } from '../../domain/policy.ts';
import type { Ports } from '../ports.ts';
import type { PriceQuestions } from '../price/ask-name-and-quote.ts';
import { corridorOf } from '../price/baseline.ts';
import { type MovedCorridor, takeBack, unapprove } from './refresh-terms.ts';
import { holdFor } from './send-result.ts';

/** The part of a sending that an objection may change. */
export interface Objecting {
  readonly batchId: BatchId;
  readonly ports: Ports;
  readonly options: { readonly questions: PriceQuestions };
  /** Aborts when nothing new begins any more. */
  readonly ended: AbortSignal;
  /** Corridors whose terms moved while this sending went on. */
  readonly moved: MovedCorridor[];
  /** Rows that nothing may be done with, each with its number. */
  readonly odd: Map<PayoutId, number>;
}

/** How long a row waits for the outcome of another one before it is looked at again. */
const WAIT_MS = 200;

/** What becomes of a row that may not be sent as it stands. */
export async function obey(
  payout: PayoutIn<'approved'> & Payout,
  why: Objection,
  { batchId, ports, options, moved, odd, ended }: Objecting,
): Promise<void> {
  const { questions } = options;
  // The next pass asks the service again.
  if (why.kind === 'terms_old') return;
  if (why.kind === 'not_approved') {
    odd.set(payout.id, payout.rowNumber);
    ports.log.write('error', 'row_not_approved', { batch: batchId, row: payout.rowNumber });
    const text = `Row ${payout.rowNumber} is called approved, and its journal does not say so. Nothing of it was sent. Run payfile verify.`;
    return ports.tell({ kind: 'warning', text });
  }
  if (why.kind === 'concerns') {
    // Another payment is on the wire just now: it is known soon whether this one may be the same.
    const isWaiting = why.reasons.every(({ pointer }) => pointer?.status === 'sending');
    if (isWaiting && why.reasons.every((reason) => isOnTheWire(reason, ports))) {
      await ports.clock.sleep(WAIT_MS, ended).catch(() => undefined);
      return;
    }
    return holdFor(payout, why.reasons, ports);
  }
  if (why.kind === 'approval_expired' || why.kind === 'order_differs') {
    await unapprove(payout, why, questions, ports);
    return;
  }
  const corridor = corridorOf(payout.instruction);
  moved.push(await takeBack(batchId, { corridor, differs: why, questions }, ports));
}

/** Its request began so lately that an answer may still come; later it counts as in doubt. */
function isOnTheWire({ pointer }: HoldReason, { clock, policy }: Ports): boolean {
  return (
    pointer !== undefined &&
    clock.now() - pointer.at <= policy.postTimeoutMs + lateAnswerMs(policy.postTimeoutMs)
  );
}
