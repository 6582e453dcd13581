/**
 * What goes into a ledger when a file is imported, and how an import differs from the batch it revises.
 */
import type { Batch, BatchFile } from '../../domain/batches/batch.ts';
import type { StyleRead } from '../../domain/money/amount-style.ts';
import type { Digest, Instruction, InstructionKeys } from '../../domain/payouts/instruction.ts';
import type { Payout, PayoutState } from '../../domain/payouts/payout.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { LeaseHolder } from './leases.ts';

export interface ImportHeader {
  readonly file: Omit<BatchFile, 'sha256' | 'amountStyle'>;
  readonly maker: string;
  /** Which process reads the file: an import of one that is gone is dropped when the next one begins. */
  readonly holder?: LeaseHolder | undefined;
  readonly at: Timestamp;
}

export interface Seal {
  readonly fileSha256: string;
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
  /** An earlier revision stopped half-way: rows have places of two files, until some file is brought whole. */
  readonly isHalfRevised: boolean;
  readonly unchanged: number;
  readonly added: number;
  /** Current rows without an equal row in the import: left out or changed, conflicts among them. */
  readonly removed: number;
  /** Rows from approved onward that the new file changes or leaves out; at most 100, with how many there are. */
  readonly conflicts: readonly RevisionConflict[];
  readonly conflictCount: number;
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
  readonly rows: number;
}
