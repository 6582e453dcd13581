/**
 * A report: what stands above its lines and what is known when all lines are written.
 */
import type { Batch } from './batch.ts';
import type { Decisions } from './batch-decision.ts';
import type { BatchOutcome } from './batch-outcome.ts';
import type { SentPayout } from './booking.ts';
import type { ControlTotals, LedgerTotal } from './control-totals.ts';
import type { Debits, RateAtSend } from './debit-totals.ts';
import type { PayoutId } from './instruction.ts';
import type { Period } from './period.ts';
import type { Timestamp } from './timestamp.ts';

export interface ReportHeader {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** The only value of a report that is not a function of the ledger. */
  readonly madeAt: Timestamp;
  /** How long after the service called a transfer failed it may be paid again. */
  readonly reissueAfterMs: number;
  /** Payouts that a statement or a late answer showed as paid although they were ruled not paid; why, in words. */
  readonly incidents?: ReadonlyMap<PayoutId, string> | undefined;
  /** Rates at which old quotes were sent, oldest first; for what the lines cost at sending. */
  readonly ratesAtSend?: readonly RateAtSend[] | undefined;
  /** What the ledger counts before the first line, for formats whose sums stand above their lines. */
  readonly before?: readonly LedgerTotal[] | undefined;
  /** Set when the lines are those of a span of days instead of one batch; `batch` then only names the columns. */
  readonly period?: Period | undefined;
}

export interface ReportSummary {
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
  /** Asked only by reports that show them: the whole journal of the batch is walked for it. */
  readonly decisions?: (() => Promise<Decisions>) | undefined;
  /** Over days: the same of each batch that has a row in them. */
  readonly batches?:
    | (() => AsyncIterable<{ readonly batch: Batch; readonly decisions: Decisions }>)
    | undefined;
  /** Asked only by reports that show them: the batch is walked once more. */
  readonly debits?: (() => Promise<Debits>) | undefined;
  /** Asked only by reports that book: all payments ever sent, also those that were paid again since. */
  readonly sent?: (() => AsyncIterable<readonly SentPayout[]>) | undefined;
}
