/**
 * A move: one payout's change of state with its event, what the ledger checks inside the commit, and the result.
 */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { PaymentPointer, Payout } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import type { Timestamp } from '../../domain/timestamp.ts';

export interface Move {
  readonly before: Payout;
  readonly event: PayoutEvent;
  /** What `advance` made of it; version is before.version + 1. */
  readonly after: Payout;
  /** Look for repeats once more inside the commit, among payments since this instant. */
  readonly guardSince?: Timestamp;
  /** Payments of this batch are no repeats to the guard: a person said that it is paid once more. */
  readonly guardExcept?: BatchId;
  /** Nor are these payments: a person saw them and released the repeat. */
  readonly guardExceptPayouts?: readonly PayoutId[];
  /** Record only when the payout has not changed since this entry of the journal; otherwise `stale`. */
  readonly unchangedSince?: number;
  /** Next look, stored with the move. */
  readonly dueAt?: Timestamp;
}

export type Recorded =
  | { readonly kind: 'recorded'; readonly payout: Payout }
  /** Somebody else moved it first, or has the batch now. */
  | { readonly kind: 'stale' }
  /** The guard found a payment that this one would repeat. */
  | { readonly kind: 'repeat'; readonly repeat: Repeat }
  /** The database refused: the root instruction or the transfer id already lives in another payout. */
  | {
      readonly kind: 'taken';
      readonly what: 'root' | 'transfer_id' | 'tag';
      readonly by: PaymentPointer | undefined;
    };

export interface Repeat {
  readonly pointer: PaymentPointer;
  /** Whether reference (when written), account and amount are all the same; false: the same reference pays something else. */
  readonly isSamePayment: boolean;
}

/** The payout cannot be paid again: it is not finished, another payment of its row lives, or took its place already. */
export class NotReplaceable extends Error {
  override readonly name = 'NotReplaceable';
  readonly code = 'not_replaceable';
}
