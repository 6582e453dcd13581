/**
 * What goes into a ledger when a file is imported, and how an import differs from the batch it revises.
 */

import type { Batch, BatchFile, Corrected } from '../../domain/batches/batch.ts';
import type { StyleRead } from '../../domain/money/amount-style.ts';
import type {
  BatchId,
  Digest,
  Instruction,
  InstructionKeys,
  PayoutId,
} from '../../domain/payouts/instruction.ts';
import type { Payout, PayoutState } from '../../domain/payouts/payout.ts';
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
  /** The sorted 16-byte content keys of all rows of the batch's current file; pages. For the batch digest. */
  contentKeys(batchId: BatchId): AsyncIterable<readonly Uint8Array[]>;
  /** How the rows of an import differ from the current rows of a batch, matched by content, duplicates one to one. */
  compare(batchId: BatchId, importId: BatchId): Promise<Comparison>;
  /**
   * Makes the import the batch's current file: unchanged rows keep their payout (row number, cells and order
   * follow the new file), rows left out that were never approved are taken out of the file (canceled where the
   * machine allows it), new rows join. Repeatable after a crash. The caller has checked `compare` first.
   */
  revise(batchId: BatchId, importId: BatchId, revision: Revision): Promise<void>;
  /** Other batches whose living payments this batch's unsent rows repeat, most rows first. */
  overlaps(batchId: BatchId, since: Timestamp): Promise<readonly Overlap[]>;
  /** Other batches that pay the same accounts the same amounts under other references, most rows first; without rows that leave it. */
  alike(batchId: BatchId, since: Timestamp, leaving?: readonly PayoutId[]): Promise<readonly AlikePayments[]>;
  /** Rows of the batch that pay the same account the same amount under different references, but for those that leave; a line each group. */
  twins(batchId: BatchId, leaving?: readonly PayoutId[]): Promise<readonly string[]>;
}

export interface ImportHeader {
  readonly file: Omit<BatchFile, 'sha256' | 'corrected' | 'amountStyle'>;
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
  readonly name: string | undefined;
  readonly at: Timestamp;
  readonly amountStyle: StyleRead;
}

export interface StagedRow {
  readonly rowNumber: number;
  readonly cells: readonly string[];
  readonly state: Extract<PayoutState, { status: 'invalid' | 'planned' | 'held' }>;
  /** undefined for an invalid row. */
  readonly instruction: Instruction | undefined;
  /** For an invalid row, contentKey is over its cells and the other two are undefined. */
  readonly keys: Partial<Pick<InstructionKeys, 'paymentKey' | 'referenceKey'>> &
    Pick<InstructionKeys, 'contentKey'>;
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
  /** Current rows without an equal row in the import: left out or changed, conflicts among them. */
  readonly removed: number;
  /** Rows from approved onward that the new file changes or leaves out; at most 100, with how many there are. */
  readonly conflicts: readonly RevisionConflict[];
  readonly conflictCount: number;
  /** Row numbers of the import that would pay a row of this batch again beside it, in the same batch; at most 100. */
  readonly paidAgainBeside: readonly number[];
}

export interface RevisionConflict {
  readonly before: Payout;
  /** The row of the new file that seems to be meant: same reference, else same row number; undefined when left out. */
  readonly after: Payout | undefined;
}

/** Rows that wait and are no repeats: a written reference tells them from the payments that they look like. */
export interface AlikePayments {
  readonly batch: Batch;
  readonly count: number;
  /** The first few, by row number. */
  readonly rows: readonly number[];
  /** When the newest of the other payments was approved or sent. */
  readonly lastAt: Timestamp;
}

export interface Overlap {
  readonly batch: Batch;
  /** How many rows repeat a payment of it. */
  readonly rows: number;
  /** How many more repeat a payment of another batch that pays a row of it again. */
  readonly again: number;
}
