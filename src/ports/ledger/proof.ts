/**
 * Proof that the ledger is whole, and the last resort where it cannot be written.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';

export interface ProofLedger {
  /** Recomputes chains and replays the journal against the stored state. Empty when all is well. */
  verify(id?: BatchId): Promise<VerifyResult>;
  /** Writes down the outcome of an attempt where an ordinary commit failed: preallocated sidecar file, fsynced. Never throws. */
  emergency(payoutId: PayoutId, attempt: number, event: PayoutEvent): void;
}

export interface VerifyResult {
  readonly batches: number;
  readonly entries: number;
  readonly head: string;
  readonly problems: readonly string[];
  /** Why nothing is sent with it until a person accepts it; undefined where it is known. No problem of the ledger. */
  readonly unknownHere: string | undefined;
  /** What spoke against it when a person accepted it at this opening. */
  readonly accepted: string | undefined;
}
