/**
 * What a batch adds up to, and what its reports are made of.
 */

import type { StatusCounts } from '../../domain/batches/batch.ts';
import type { Difference, MovedAccount } from '../../domain/batches/batch-changes.ts';
import type { DecisionEntry } from '../../domain/batches/decisions.ts';
import type { PaidBefore } from '../../domain/batches/paid-before.ts';
import type { Family } from '../../domain/payouts/family.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import type { PlanChanges } from '../../domain/plan/plan-changes.ts';
import type { SentPayout } from '../../domain/reporting/booking.ts';
import type { LedgerTotal } from '../../domain/reporting/currency-totals.ts';
import type { LineSource } from '../../domain/reporting/report-line.ts';
import type { Timestamp } from '../../domain/timestamp.ts';

export interface ReportLedger {
  /** `of`: only these statuses, the others as 0. Of few rows that costs nothing, however large the batch is. */
  counts(id: BatchId, of?: readonly Status[]): Promise<StatusCounts>;
  /** Count and control sum of the batch's current payouts per status and currency; invalid rows without. */
  totals(id: BatchId): Promise<readonly LedgerTotal[]>;
  /**
   * Payments of the current file's rows, replaced ones too, that were called failed and are settled by their own state, or
   * are among these; in file order.
   */
  incidents(id: BatchId, noted: readonly PayoutId[]): Promise<readonly IncidentFound[]>;
  /**
   * Current payouts on their way or settled that somebody may have to look at: they are stuck, were called failed once, or
   * differ from what was asked. In file order; `next` is the `after` of the next page.
   */
  besideStatus(
    id: BatchId,
    page: { readonly after?: number | undefined; readonly limit: number },
  ): Promise<{ readonly payouts: readonly Payout[]; readonly next: number | undefined }>;
  /** When the first of the payouts on their way was sent; undefined: none is on its way. */
  oldestOnItsWay(id: BatchId): Promise<Timestamp | undefined>;
  /** When the oldest quote of the payouts in a status was made; undefined: none has a quote. */
  oldestQuote(id: BatchId, status: 'quoted' | 'approved'): Promise<Timestamp | undefined>;
  /** What changed from one batch to another; undefined when one of them is too large for it (250,000 rows). */
  difference(id: BatchId, previous: PaidBefore, asked: DifferenceAsked): Promise<Difference | undefined>;
  /** Payouts that joined or left what waits for approval since an entry of the journal, or have another name there. */
  planMovesSince(id: BatchId, seq: number): Promise<PlanChanges>;
  /** Whether any payment of the batch moved, joined or left it since an entry of the journal. */
  movedSince(id: BatchId, seq: number): Promise<boolean>;
  /** Every row of the current file exactly once, in file order, with its newest payout and the ones it replaced. */
  reportRows(id: BatchId): AsyncIterable<readonly ReportRow[]>;
  /** One page of the current file's rows, in file order. */
  reportPage(id: BatchId, question: RowsQuestion): Promise<RowsFound>;
  /** All payments of each row that has some in several batches; of one batch, where one of them is in it. */
  familiesAcross(id?: BatchId): Promise<readonly Family[]>;
  /** Every payment ever sent, replaced ones included, with its booked events; refused ones have none. */
  sentPayouts(id: BatchId, asked?: { readonly withCells: boolean }): AsyncIterable<readonly SentPayout[]>;
  /** What people decided about the batch, oldest first, the first `limit` of it; and the head of its chain. */
  decisions(id: BatchId, limit: number): Promise<DecisionsFound>;
  /** The same, newest first, before an entry of the journal. */
  decisionsBefore(
    id: BatchId,
    question: { readonly before: number | undefined; readonly limit: number },
  ): Promise<DecisionsPage>;
}

export interface DifferenceAsked {
  readonly jumpPercent: number;
  /** Rows that pay another payment again, which is among the previous ones. */
  readonly again: readonly MovedAccount[];
}

/** Of a row, without what the service turned away: that is read apart. */
export type ReportRow = Omit<LineSource, 'tries'>;

export interface RowsQuestion {
  readonly statuses?: readonly Status[] | undefined;
  /** A row number, a part of a reference, or beginnings of words of the beneficiary's name. */
  readonly search?: string | undefined;
  /** From the last page; undefined for the first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface RowsFound {
  readonly rows: readonly ReportRow[];
  /**
   * The cursor for the next page; undefined at the end. A search ends a page, full or not, after so many rows that it takes
   * a moment at most.
   */
  readonly next: number | undefined;
}

export interface IncidentFound {
  readonly payout: Payout;
  /** Of the row that it was tried for, as the current file has it. */
  readonly rowNumber: number;
  /** It has the row's place itself; false: another took it since. */
  readonly isCurrent: boolean;
}

export interface DecisionsPage {
  readonly entries: readonly DecisionEntry[];
  /** Undefined at the end. */
  readonly next: number | undefined;
  readonly head: string;
}

export interface DecisionsFound extends Omit<DecisionsPage, 'next'> {
  /** Beyond the limit. */
  readonly more: number;
}
