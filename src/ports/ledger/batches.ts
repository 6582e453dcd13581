/**
 * Batches in the ledger: finding, naming, pausing and approving them, and notes in their journals.
 */

import type { Approval, Batch, Pause } from '../../domain/batches/batch.ts';
import type { Doubts } from '../../domain/next-steps/batch-steps.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { ApprovalProof } from '../../domain/people/passkey.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Note, NoteKind, Notes } from './notes.ts';

export interface BatchLedger {
  /** Newest first; without imports that became revisions. */
  batches(): Promise<readonly Batch[]>;
  /** A page of them; without those that are being read, or were left behind so by a process that died. */
  batchPage(question: BatchesQuestion): Promise<BatchesFound>;
  /** By id, by name, or by a unique prefix of a name. */
  findBatch(text: string): Promise<FoundBatch>;
  /**
   * The batch that is called so, or so that a person takes it for the same name; one that is called exactly so before any
   * other. Without those that are being read.
   */
  batchLike(name: string): Promise<Batch | undefined>;
  /** The one that is called exactly so, without those that are being read. */
  batchNamed(name: string): Promise<Batch | undefined>;
  /**
   * Batches that had a file of these bytes as it was received, also before a newer file took its place, and that pay or
   * paid something: newest first.
   */
  batchesOfBytes(sha256: string): Promise<readonly Batch[]>;
  batch(id: BatchId): Promise<Batch | undefined>;
  pause(id: BatchId, pause: Pause): Promise<void>;
  resume(id: BatchId, by: string, at: Timestamp): Promise<void>;
  /** A person compared everything with a statement: ends the pauses that accepting the ledger made, also those of new batches. */
  resumeAll(by: string, at: Timestamp): Promise<void>;
  /** Kept for ever in the journal, with what a passkey signed. */
  recordApproval(id: BatchId, approval: Approval, proof?: ApprovalProof): Promise<void>;
  /** Every approval of the batch, or of all batches; oldest first. */
  approvals(id?: BatchId): Promise<readonly KeptApproval[]>;
  note<Kind extends NoteKind>(id: BatchId, kind: Kind, body: Notes[Kind], at: Timestamp): Promise<void>;
  /** Oldest first. */
  notes<Kind extends NoteKind>(id: BatchId, kind: Kind): Promise<readonly Note<Kind>[]>;
  /** Of all batches, in no certain order. */
  notesOfAll<Kind extends NoteKind>(kind: Kind): Promise<readonly Note<Kind>[]>;
  /** Who brought each revision of the batch, and as which import; oldest first. */
  revisions(id: BatchId): Promise<readonly BroughtRevision[]>;
  /** Batches with rows in doubt, or left on the wire by a process that is gone. */
  openDoubts(): Promise<readonly OpenDoubts[]>;
}

export interface BatchesQuestion {
  /** From the last page; undefined for the first. */
  readonly after?: BatchId | undefined;
  readonly limit: number;
}

export interface BatchesFound {
  readonly batches: readonly Batch[];
  /** The cursor for the next page; undefined at the end. */
  readonly next: BatchId | undefined;
  /** In all. */
  readonly count: number;
}

export type FoundBatch =
  | { readonly kind: 'found'; readonly batch: Batch }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Batch[] };

/** A batch with rows whose outcome is not known and that nobody is working on: what a person has to be told of. */
export interface OpenDoubts extends Doubts {
  readonly batchId: BatchId;
}

export interface KeptApproval extends Pick<Approval, 'digest' | 'by' | 'count' | 'at'> {
  /** Its entry in the journal. */
  readonly seq: number;
  readonly batchId: BatchId;
  /** undefined: nobody signed it. */
  readonly proof: ApprovalProof | undefined;
}

export interface BroughtRevision {
  readonly at: Timestamp;
  readonly by: string;
  readonly importId: BatchId;
}
