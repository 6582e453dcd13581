/**
 * What goes into a ledger when a file is imported, and how an import differs from the batch it revises.
 */

import type { Batch, BatchFile, Corrected } from '../../domain/batches/batch.ts';
import type { StyleRead } from '../../domain/money/amount-style.ts';
import type { BatchId, Digest, Instruction } from '../../domain/payouts/instruction.ts';
import type { Payout, PayoutState } from '../../domain/payouts/payout.ts';
import type { AlikePayments } from '../../domain/plan/plan.ts';
import type { RowKeys } from '../../domain/rows/row-key.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { LeaseHolder } from './leases.ts';

export interface ImportLedger {
  /** Opens an import: a batch that nothing but `stage` and `seal` may touch. Drops those that dead processes left. */
  beginImport(header: ImportHeader): Promise<BatchId>;
  /** One chunk of rows, in file order; one commit. */
  stage(importId: BatchId, rows: readonly StagedRow[]): Promise<void>;
  /** All rows are in: the import becomes a batch of its own, unless its name means another batch meanwhile. */
  seal(importId: BatchId, seal: Seal): Promise<Sealed>;
  /** Forgets an import that was not sealed, with its rows. The journal keeps that it was begun and dropped. */
  dropImport(importId: BatchId): Promise<void>;
  /** The sorted 16-byte row keys of all rows of the batch's current file; pages. For the batch digest. */
  rowKeys(batchId: BatchId): AsyncIterable<readonly Uint8Array[]>;
  /** How the rows of an import differ from the current rows of a batch, matched by their row keys, duplicates one to one. */
  compare(batchId: BatchId, importId: BatchId): Promise<Comparison>;
  /**
   * Makes the import the batch's current file: unchanged rows keep their payout (row number, cells and order
   * follow the new file), rows left out that were never approved are taken out of the file (canceled where the
   * machine allows it), new rows join. Repeatable after a crash. The caller has checked `compare` first.
   */
  revise(batchId: BatchId, importId: BatchId, revision: Revision): Promise<void>;
  /** Other batches whose living payments this batch's unsent rows repeat, most rows first. */
  overlaps(batchId: BatchId, since: Timestamp): Promise<readonly Overlap[]>;
  /** Other batches that pay the same accounts the same amounts under other references, most rows first. */
  alike(batchId: BatchId, since: Timestamp): Promise<readonly AlikePayments[]>;
  /** Rows of the batch that pay the same account the same amount under different references; a line each group. */
  twins(batchId: BatchId): Promise<readonly string[]>;
}

export interface ImportHeader {
  readonly file: Omit<BatchFile, 'sha256' | 'corrected' | 'amountStyle'>;
  /** Of the batch that it becomes, or of the one that it revises. */
  readonly name: string;
  readonly maker: string;
  /** Which process reads the file: an import of one that is gone is dropped when the next one begins. */
  readonly holder?: LeaseHolder | undefined;
  readonly at: Timestamp;
}

export type Sealed = 'sealed' | 'name_taken' | 'name_is_id';

export interface Seal {
  readonly fileSha256: string;
  /** undefined: the file is read as it was received. */
  readonly corrected?: Corrected | undefined;
  readonly digest: Digest;
  readonly at: Timestamp;
  readonly amountStyle: StyleRead;
}

export interface StagedRow {
  readonly rowNumber: number;
  readonly cells: readonly string[];
  readonly state: Extract<PayoutState, { status: 'invalid' | 'planned' | 'held' }>;
  /** undefined for an invalid row. */
  readonly instruction: Instruction | undefined;
  /** An invalid row has a row key alone. */
  readonly keys: Partial<RowKeys> & Pick<RowKeys, 'rowKey'>;
}

export interface Revision {
  readonly by: string;
  readonly at: Timestamp;
  readonly seal: Seal;
}

export interface Comparison {
  /** An earlier revision stopped half-way: rows have positions of two files until a revision is finished. */
  readonly isHalfRevised: boolean;
  readonly unchanged: number;
  readonly added: number;
  /** Current rows without an equal row in the import, conflicts among them. */
  readonly removed: number;
  /** Unchanged rows that a person withdrew before: they stay withdrawn. */
  readonly staysCanceled: number;
  /** Rows from approved onward that the import does not have as they were; at most 100, with how many there are. */
  readonly conflicts: readonly Payout[];
  readonly conflictCount: number;
  /** Row numbers of the import that would pay a row of this batch again beside it, in the same batch; at most 100. */
  readonly paidAgainBeside: readonly number[];
}

export interface Overlap {
  readonly batch: Batch;
  /** How many rows repeat a payment of it. */
  readonly rows: number;
  /** How many more repeat a payment of another batch that pays a row of it again. */
  readonly again: number;
  /** When the newest of the payments that are repeated was sent; approved, where it is not sent yet. */
  readonly lastSentAt: Timestamp;
}
