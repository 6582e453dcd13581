/**
 * The memory of payments over all batches: what was paid before, and what a person released once.
 */

import type { MovedAccount } from '../../domain/batches/batch-changes.ts';
import type { PaidBefore } from '../../domain/batches/paid-before.ts';
import type { Money } from '../../domain/money/money.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { PaymentPointer } from '../../domain/payouts/payout.ts';
import type { Repeat } from '../../domain/payouts/repeat.ts';
import type { CountryId, InstitutionId } from '../../domain/rows/directory.ts';
import type { Timestamp } from '../../domain/timestamp.ts';

export interface PaymentMemory {
  /** Payments of other rows that come before this one and may be the same; those of unknown outcome first, then the newest. */
  repeatsOf(id: PayoutId): Promise<readonly Repeat[]>;
  /** For unsent rows of the batch: unsent rows above them in the file that may be the same payment, the nearest first. */
  rowsAbove(id: BatchId): Promise<ReadonlyMap<PayoutId, readonly Repeat[]>>;
  /** The batches of which it pays a row: its own, and those in whose files the payments stand that it pays again. */
  batchesPaidBy(id: PayoutId): Promise<readonly BatchId[]>;
  /** Another instruction of the same row, in any batch, that lives or was paid after all; undefined when there is none. */
  livingRelative(id: PayoutId): Promise<PaymentPointer | undefined>;
  /** Principal per currency, over all batches: approved and not sent yet, or sent since then and not known unpaid. */
  principalSince(since: Timestamp): Promise<readonly Money[]>;
  /**
   * Rows of the batch with the reference of a payment of one of these batches that failed or came back, and was not made
   * since then, to another account; unless the written names are two persons'. Not rows that name what they pay again.
   */
  failedBefore(id: BatchId, among: readonly BatchId[]): Promise<readonly MovedAccount[]>;
  /**
   * Rows that wait in the batch and pay somebody to another account than the newest of the earlier batches (given newest
   * first) that paid the same person. `again`: rows that pay another payment again, which is among the earlier ones.
   */
  movedAccounts(
    id: BatchId,
    asked: { readonly earlier: readonly PaidBefore[]; readonly again: readonly MovedAccount[] },
  ): Promise<readonly MovedAccount[]>;
  /** What the service said since then of the accounts of the batch's planned rows, the newest answers first; not all of very many. */
  namesBefore(id: BatchId, since: Timestamp): Promise<readonly NameBefore[]>;
  /**
   * How long payments took in the newest batches before, for each corridor of which at least `rowsMin` rows of the batch
   * wait to be sent. Without payments that took longer than `msMax`.
   */
  finishTimes(
    id: BatchId,
    among: { readonly rowsMin: number; readonly msMax: number },
  ): Promise<readonly FinishTimes[]>;
  rememberNameRelease(release: NameRelease): Promise<void>;
  /** Who let these names go, for whoever agrees; undefined: nobody did. */
  nameRelease(names: ReleasedNames): Promise<Pick<NameRelease, 'by' | 'at' | 'reason'> | undefined>;
}

export interface NameBefore {
  readonly institutionId: InstitutionId;
  readonly account: string;
  /** undefined: it gave none. */
  readonly name: string | undefined;
  readonly at: Timestamp;
}

export interface FinishTimes {
  readonly sourceId: CountryId;
  readonly destinationId: CountryId;
  /** Milliseconds from sending to the look that showed Finished; the newest batch first. */
  readonly batches: readonly (readonly number[])[];
}

export interface ReleasedNames {
  readonly institutionId: InstitutionId;
  /** As written. */
  readonly account: string;
  readonly writtenName: string;
  readonly resolvedName: string;
}

export interface NameRelease extends ReleasedNames {
  readonly by: string;
  readonly at: Timestamp;
  readonly reason: string;
}
