/**
 * The ledger: the durable memory of every batch and payout. State and journal change in one commit, or not
 * at all. Durable means: when a promise that writes resolves, the write survives power loss.
 *
 * Nothing above this port assumes one process: every change of a payout is compare-and-set on its version.
 * Errors:  LedgerError (below) for set-up and storage; what may happen in normal work is a value.
 */

import type { Approval, Batch, Pause, StatusCounts } from '../../domain/batches/batch.ts';
import type { Difference, MovedAccount } from '../../domain/batches/batch-changes.ts';
import type { DecisionEntry } from '../../domain/batches/decisions.ts';
import type { CurrencyCode } from '../../domain/money/currency.ts';
import type { Money } from '../../domain/money/money.ts';
import type {
  BatchId,
  Digest,
  Instruction,
  PayoutId,
  Tag,
  TransferId,
} from '../../domain/payouts/instruction.ts';
import type { PaymentPointer, Payout, Status } from '../../domain/payouts/payout.ts';
import type { PayoutEvent, Writer } from '../../domain/payouts/payout-event.ts';
import type { PlanDrift } from '../../domain/plan/plan-drift.ts';
import type { SentPayout } from '../../domain/reporting/booking.ts';
import type { CountryId, InstitutionId } from '../../domain/rows/directory.ts';
import type { Attempt } from '../../domain/statement/attempt-window.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { OpenDoubts } from './doubts.ts';
import type {
  AlikePayments,
  Comparison,
  ImportHeader,
  Overlap,
  Revision,
  Seal,
  StagedRow,
} from './imports.ts';
import type { Lease, LeaseBusy, LeaseHolder } from './leases.ts';
import type { Move, Recorded, Repeat } from './moves.ts';

export { LedgerError } from './errors.ts';
export type {
  AlikePayments,
  Comparison,
  ImportHeader,
  Overlap,
  Revision,
  RevisionConflict,
  Seal,
  StagedRow,
} from './imports.ts';
export type { Lease, LeaseBusy, LeaseHolder } from './leases.ts';
export { type Move, NotReplaceable, type Recorded, type Repeat } from './moves.ts';

export interface Ledger {
  readonly identity: LedgerIdentity;
  /** This process, as every intent and emergency line names it. */
  readonly writer: Writer;

  // ── Importing a file ────────────────────────────────────────────────────────────────────────────────
  /** Opens an import: a batch that nothing but `stage` and `seal` may touch. Drops those that dead processes left. */
  beginImport(header: ImportHeader): Promise<BatchId>;
  /** One chunk of rows, in file order; one commit. */
  stage(importId: BatchId, rows: readonly StagedRow[]): Promise<void>;
  /** All rows are in: the import becomes a batch of its own, unless another batch took the name meanwhile. */
  seal(importId: BatchId, seal: Seal): Promise<'sealed' | 'name_taken'>;
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
  /** Other batches whose living payments this batch's unsent rows repeat (design §5, memory), most rows first. */
  overlaps(batchId: BatchId, since: Timestamp): Promise<readonly Overlap[]>;
  /** Other batches that pay the same accounts the same amounts under other references, most rows first. */
  alike(batchId: BatchId, since: Timestamp): Promise<readonly AlikePayments[]>;

  // ── Batches ─────────────────────────────────────────────────────────────────────────────────────────
  /** Newest first; without imports that became revisions. */
  batches(): Promise<readonly Batch[]>;
  /** By id, by name, or by a unique prefix of either. */
  findBatch(text: string): Promise<FoundBatch>;
  findByDigest(digest: Digest): Promise<readonly Batch[]>;
  batch(id: BatchId): Promise<Batch | undefined>;
  nameBatch(id: BatchId, name: string): Promise<void>;
  pause(id: BatchId, pause: Pause): Promise<void>;
  resume(id: BatchId, by: string, at: Timestamp): Promise<void>;
  /** Kept for ever in the journal; binds name and digest of the batch. */
  recordApproval(id: BatchId, approval: Approval): Promise<void>;
  /** A remark in the batch's journal: an incident, an answer to a question about the batch. */
  note(id: BatchId, kind: string, body: Readonly<Record<string, unknown>>, at: Timestamp): Promise<void>;
  notes(id: BatchId, kind: string): Promise<readonly JournalEntry[]>;
  /** The number of the journal's newest entry, over all batches. */
  lastEntry(): Promise<number>;

  // ── Payouts ─────────────────────────────────────────────────────────────────────────────────────────
  counts(id: BatchId): Promise<StatusCounts>;
  /** Batches with rows in doubt, or left on the wire by a process that is gone. */
  openDoubts(): Promise<readonly OpenDoubts[]>;
  /** Whether a payout of the batch, replaced or not, was called failed and is settled by its own state. */
  hasIncident(id: BatchId): Promise<boolean>;
  /** Count and control sum of the batch's current payouts per status and currency; invalid rows without. */
  totals(id: BatchId): Promise<readonly StatusTotal[]>;
  /** Current payouts in file order, page by page; reads its own snapshot page by page, never a long transaction. */
  payouts(id: BatchId, filter?: PayoutFilter): AsyncIterable<readonly Payout[]>;
  /** One page of payouts in the given statuses, in file order after the cursor. */
  page(id: BatchId, question: PageQuestion): Promise<Page>;
  payout(id: PayoutId): Promise<Payout | undefined>;
  /** Unsent payouts of the batch that an earlier version of the program may have read otherwise; in file order, page by page. */
  olderReadings(id: BatchId): AsyncIterable<readonly Payout[]>;
  /** By spreadsheet row number or by reference; current payouts only. */
  findPayouts(id: BatchId, rowOrReference: string): Promise<readonly Payout[]>;
  /** Who holds a transfer id. */
  payoutOfTransfer(transferId: TransferId): Promise<Payout | undefined>;
  /** Whose tag it is, in any batch, replaced or not. */
  payoutOfTag(tag: Tag): Promise<Payout | undefined>;
  /**
   * Payouts of the batch that failed while the service had them, were replaced since, and are due to be looked at.
   * They have left the file, so that `page` does not give them. `after` is the id of the last one seen.
   */
  replacedFailures(
    id: BatchId,
    question: { readonly dueBy: Timestamp; readonly after: PayoutId | undefined; readonly limit: number },
  ): Promise<readonly Payout[]>;
  /**
   * Moves one payout, with its event, durably. All moves waiting at that moment share one commit. `guardSince`
   * asks inside that commit whether the same payment lives elsewhere; of two only approved, the later gives way.
   */
  record(move: Move): Promise<Recorded>;
  /** Many moves in as few commits as the 50 ms bound allows. One result per move, in order. */
  recordAll(moves: readonly Move[]): Promise<readonly Recorded[]>;
  /** When the payout is to be looked at next; not part of its state. */
  schedule(id: PayoutId, dueAt: Timestamp, polls: number): Promise<void>;
  /** Payments alive that this payout would repeat: same reference, or without one the same payment; newest first. */
  repeatsOf(id: PayoutId): Promise<readonly Repeat[]>;
  /** Adds an instruction that replaces a finished one in the same batch and takes its place in the file; NotReplaceable otherwise. */
  addReplacement(id: PayoutId, by: string, at: Timestamp): Promise<Payout>;
  /** Another instruction of the same row, in any batch, that lives or was paid after all; undefined when there is none. */
  livingRelative(id: PayoutId): Promise<PaymentPointer | undefined>;
  /**
   * Current payouts of the batch whose sending began after an entry of the journal and that stand beyond `approved`,
   * in the order in which they began.
   */
  begunSince(id: BatchId, seq: number, limit: number): Promise<readonly Payout[]>;
  /** Instructions that replace this one, in any batch, oldest first. */
  replacementsOf(id: PayoutId): Promise<readonly Payout[]>;
  /** Where the payouts in a status go: each institution once, with the name and currency they were read with. */
  institutionsOf(id: BatchId, status: 'quoted' | 'approved'): Promise<readonly PaidInstitution[]>;
  /** Distinct quotes of payouts in a status, per corridor. */
  quotedRates(id: BatchId, status: 'quoted' | 'approved'): Promise<readonly QuotedRate[]>;
  /** Principal per currency, over all batches: approved and not sent yet, or sent since then and not known unpaid. */
  principalSince(since: Timestamp): Promise<readonly Money[]>;
  /** What makes up the plan digest: every payout in the statuses, sorted by content, stable in any file order. */
  leaves(id: BatchId, statuses: readonly Status[]): AsyncIterable<readonly Leaf[]>;
  /** What changed from one batch to another; undefined when one of them is too large for it (250,000 rows). */
  difference(id: BatchId, previous: BatchId, jumpPercent: number): Promise<Difference | undefined>;
  /**
   * Rows that wait in the batch and pay somebody to another account than the newest of the earlier batches (given newest
   * first) that paid the same person.
   */
  movedAccounts(id: BatchId, earlier: readonly BatchId[]): Promise<readonly MovedAccount[]>;
  /** Payouts that joined or left what waits for approval since an entry of the journal, or have another name there. */
  planMovesSince(id: BatchId, seq: number): Promise<PlanDrift>;
  journalOf(id: PayoutId): Promise<readonly JournalEntry[]>;
  /** The payout's last request that was written down, and whether its process may still have it open. */
  lastAttempt(id: PayoutId): Promise<Attempt | undefined>;

  // ── Report ──────────────────────────────────────────────────────────────────────────────────────────
  /** Every row of the current file exactly once, in file order, with its newest payout and the ones it replaced. */
  reportRows(id: BatchId): AsyncIterable<readonly ReportRow[]>;
  /** Every payment ever sent, replaced ones included, with its booked events; refused ones have none. */
  sentPayouts(id: BatchId): AsyncIterable<readonly SentPayout[]>;
  /** What people decided about the batch, oldest first, the first `limit` of it; and the head of its chain. */
  decisions(id: BatchId, limit: number): Promise<DecisionsFound>;

  // ── Names let go once ───────────────────────────────────────────────────────────────────────────────
  rememberNameRelease(release: NameRelease): Promise<void>;
  isNameReleased(release: Omit<NameRelease, 'by' | 'at'>): Promise<boolean>;
  rememberAccountChange(
    change: AccountChange & { readonly by: string; readonly at: Timestamp },
  ): Promise<void>;
  isAccountChangeReleased(change: AccountChange): Promise<boolean>;

  // ── One runner per batch ────────────────────────────────────────────────────────────────────────────
  /** Takes the batch for this process and keeps it by heartbeat; `busy` names the holder. */
  lease(id: BatchId, holder: LeaseHolder): Promise<Lease | LeaseBusy>;
  /** A lease like that of a batch, of which the whole ledger has one: who holds it approves alone. */
  approvalTurn(by: string): Promise<Lease | LeaseBusy>;

  // ── Proof ───────────────────────────────────────────────────────────────────────────────────────────
  /** Recomputes chains and replays the journal against the stored state. Empty when all is well. */
  verify(id?: BatchId): Promise<VerifyResult>;
  /** Writes down the outcome of an attempt where an ordinary commit failed: preallocated sidecar file, fsynced. Never throws. */
  emergency(payoutId: PayoutId, attempt: number, event: PayoutEvent): void;
  close(): Promise<void>;
}

export interface LedgerIdentity {
  readonly id: string;
  readonly path: string;
  readonly environment: 'live' | 'sandbox';
  readonly baseUrl: string;
  readonly loginId: string;
}

export type FoundBatch =
  | { readonly kind: 'found'; readonly batch: Batch }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Batch[] };

export interface StatusTotal {
  readonly status: Status;
  readonly currency: CurrencyCode | undefined;
  readonly count: number;
  readonly minor: bigint;
}

export interface PayoutFilter {
  readonly statuses?: readonly Status[];
}

export interface PageQuestion {
  readonly statuses: readonly Status[];
  /** Only payouts scheduled at or before this instant; an accepted one that was never scheduled is due at once. */
  readonly dueBy?: Timestamp;
  /** From the last page; undefined for the first. */
  readonly after: number | undefined;
  readonly limit: number;
}

export interface Page {
  readonly payouts: readonly Payout[];
  /** The cursor for the next page; undefined at the end. */
  readonly next: number | undefined;
}

export interface QuotedRate {
  readonly sourceId: CountryId;
  readonly destinationId: CountryId;
  readonly currency: CurrencyCode;
  readonly rate: string;
  readonly quotedAtOldest: Timestamp;
  readonly count: number;
}

export interface PaidInstitution {
  readonly destinationId: CountryId;
  readonly institutionId: InstitutionId;
  readonly institutionName: string;
  readonly currency: CurrencyCode;
}

export interface Leaf {
  readonly payoutId: PayoutId;
  readonly contentKey: Uint8Array;
  readonly wireName: string;
  readonly replaces: PayoutId | undefined;
}

export interface ReportRow {
  readonly position: number;
  readonly payout: Payout;
  readonly cells: readonly string[];
  /** Earlier instructions of the same row, oldest first. */
  readonly replaced: readonly Payout[];
}

export interface DecisionsFound {
  readonly entries: readonly DecisionEntry[];
  /** Beyond the limit. */
  readonly more: number;
  readonly head: string;
}

export interface NameRelease {
  readonly institutionId: InstitutionId;
  /** As written. */
  readonly account: string;
  readonly writtenName: string;
  readonly resolvedName: string;
  readonly by: string;
  readonly at: Timestamp;
}

/** The last payment of a person and one to another account. */
export interface AccountChange {
  readonly from: Pick<Instruction, 'institutionId' | 'account'>;
  readonly to: Pick<Instruction, 'institutionId' | 'account'>;
}

export interface JournalEntry {
  readonly seq: number;
  readonly batchId: BatchId;
  readonly payoutId: PayoutId | undefined;
  readonly at: Timestamp;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
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
