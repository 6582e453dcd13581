/**
 * A move: one payout's change of state with its event, what the ledger checks inside the commit, and the result.
 */

import type { LiveTerms, Objection, SendingPolicy } from '../../domain/payouts/objection.ts';
import type { Narration } from '../../domain/payouts/order.ts';
import type { LastLook, PaymentPointer, Payout } from '../../domain/payouts/payout.ts';
import type { PayoutEvent } from '../../domain/payouts/payout-event.ts';
import type { RepeatWindow } from '../../domain/payouts/repeat.ts';
import type { Timestamp } from '../../domain/timestamp.ts';

export interface Move {
  readonly before: Payout;
  readonly event: PayoutEvent;
  /** What `advance` made of it; version is before.version + 1. */
  readonly after: Payout;
  /** What is asked inside the commit. An approval and an intent are refused without. */
  readonly rules?: MoveRules;
  /** Record only when the payout has not changed since this entry of the journal; otherwise `stale`. */
  readonly unchangedSince?: number;
  /** Next look, stored with the move. */
  readonly dueAt?: Timestamp;
  /** The look that showed it; stored together with `dueAt`. */
  readonly look?: LastLook;
}

/**
 * The commit checks an approval and an intent again: the row must still equal its leaf, and must have no repeat that
 * nobody released.
 */
export interface MoveRules {
  readonly repeatWindow: RepeatWindow;
  readonly narration: Narration;
  /** Of an intent: what is compared with the approval. */
  readonly sending?: {
    readonly live: LiveTerms;
    readonly policy: SendingPolicy;
  };
}

export type Recorded =
  /** `payout`: as the commit has it; of an intent it is what may be sent. */
  | { readonly kind: 'recorded'; readonly payout: Payout }
  /** Somebody else moved it first, or has the batch now. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'objection'; readonly objection: Objection }
  /** The database refused: the root instruction or the transfer id already lives in another payout. */
  | {
      readonly kind: 'taken';
      readonly what: 'root' | 'transfer_id' | 'tag';
      readonly by: PaymentPointer | undefined;
    };

/** The payout cannot be paid again: it is not finished, another payment of its row lives, or took its place already. */
export class NotReplaceable extends Error {
  override readonly name = 'NotReplaceable';
  readonly code = 'not_replaceable';
}
