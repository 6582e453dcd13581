/**
 * Payouts in the ledger: reading them in file order, and moving them from state to state.
 */

import type { Attempt } from '../../domain/payouts/attempt.ts';
import type { Family } from '../../domain/payouts/family.ts';
import type { BatchId, PayoutId, Tag, TransferId } from '../../domain/payouts/instruction.ts';
import type { LastLook, Payout, Status } from '../../domain/payouts/payout.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Part } from './leases.ts';
import type { Move, Recorded } from './moves.ts';

export interface PayoutLedger {
  /** Current payouts in file order, page by page; reads its own snapshot page by page, never a long transaction. */
  payouts(id: BatchId, filter?: { readonly statuses?: readonly Status[] }): AsyncIterable<readonly Payout[]>;
  /** One page of payouts in the given statuses, in file order after the cursor. */
  page(id: BatchId, question: PageQuestion): Promise<Page>;
  payout(id: PayoutId): Promise<Payout | undefined>;
  /** By spreadsheet row number, reference or tag; current payouts only. */
  findPayouts(id: BatchId, text: string): Promise<readonly Payout[]>;
  /** Who holds a transfer id. */
  payoutOfTransfer(transferId: TransferId): Promise<Payout | undefined>;
  /** Whose tag it is, in any batch, replaced or not. */
  payoutOfTag(tag: Tag): Promise<Payout | undefined>;
  /**
   * Payouts of the batch that ended while the service had them, were replaced since, and are due to be looked at.
   * They have left the file, so that `page` does not give them. `after` is the id of the last one seen.
   */
  replacedTransfers(
    id: BatchId,
    question: { readonly dueBy: Timestamp; readonly after: PayoutId | undefined; readonly limit: number },
  ): Promise<readonly Payout[]>;
  /** Payouts of the batch that have a time for their next look, in that order. Replaced ones are included. */
  scheduled(id: BatchId, question: ScheduledQuestion): Promise<readonly Scheduled[]>;
  /**
   * Moves one payout, with its event, durably. All moves waiting at that moment share one commit. `guardSince`
   * asks inside that commit whether the same payment lives elsewhere; of two only approved, the later gives way.
   */
  record(move: Move): Promise<Recorded>;
  /** Stores what a look showed that recorded no event, and when the next look is due. Neither is part of the payout's state. */
  schedule(id: PayoutId, dueAt: Timestamp, look: LastLook): Promise<void>;
  /** Marks each current payout that is on its way and takes too long at that moment, whether it was ever asked about or not. */
  markLate(id: BatchId, at: Timestamp): Promise<void>;
  /** Adds an instruction that replaces a finished one in the same batch and takes its place in the file; NotReplaceable otherwise. */
  addReplacement(id: PayoutId, by: string, at: Timestamp): Promise<Payout>;
  /**
   * Puts the payout back into its row's place in the file if a replacement that was withdrawn or refused has that place.
   * Does nothing while a newer file is being read.
   */
  putBack(id: PayoutId, at: Timestamp): Promise<void>;
  /** All payments of its row, itself among them. */
  family(id: PayoutId): Promise<Family>;
  /** Current payouts of the batch that wait for approval and pay another instruction again. */
  waitingReplacements(id: BatchId): Promise<readonly Payout[]>;
  /** Instructions that replace this one, in any batch, oldest first. */
  replacementsOf(id: PayoutId): Promise<readonly Payout[]>;
  /**
   * Current payouts of the batch whose sending began after an entry of the journal and that stand beyond `approved`,
   * in the order in which they began.
   */
  begunSince(id: BatchId, seq: number, limit: number): Promise<readonly Payout[]>;
  /** How many payouts `begunSince` finds without a limit. */
  countBegun(id: BatchId, seq: number): Promise<number>;
  journalOf(id: PayoutId): Promise<readonly JournalEntry[]>;
  /** The number of the journal's newest entry, over all batches. */
  lastEntry(id?: BatchId): Promise<number>;
  /** The payout's last request that was written down, and whether its process may still have it open. */
  lastAttempt(id: PayoutId): Promise<Attempt | undefined>;
}

export interface PageQuestion {
  readonly statuses: readonly Status[];
  /** Only payouts scheduled at or before this instant; an accepted one that was never scheduled is due at once. */
  readonly dueBy?: Timestamp;
  /** Only payouts of this part; not together with `dueBy`. */
  readonly part?: Part | undefined;
  /** From the last page; undefined for the first. */
  readonly after: number | undefined;
  readonly limit: number;
}

export interface Page {
  readonly payouts: readonly Payout[];
  /** The cursor for the next page; undefined at the end. */
  readonly next: number | undefined;
}

export interface ScheduledQuestion {
  /** Only payouts whose last look showed no status. */
  readonly isSilent: boolean;
  /** The last payout seen: the page begins after it. Without `id` it begins after that time. */
  readonly after: { readonly dueAt: Timestamp; readonly id?: PayoutId };
  readonly limit: number;
}

export interface Scheduled {
  readonly payout: Payout;
  readonly dueAt: Timestamp;
}

export interface JournalEntry {
  readonly seq: number;
  readonly batchId: BatchId;
  readonly payoutId: PayoutId | undefined;
  readonly at: Timestamp;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
}
