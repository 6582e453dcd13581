/**
 * A report: what stands above its lines and what is known when all lines are written.
 */
import type { Batch } from './batch.ts';
import type { BatchOutcome } from './batch-outcome.ts';
import type { ControlTotals } from './control-totals.ts';
import type { Timestamp } from './timestamp.ts';

export interface ReportHeader {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** The only value of a report that is not a function of the ledger. */
  readonly madeAt: Timestamp;
  /** How long after the service called a transfer failed it may be paid again. */
  readonly reissueAfterMs: number;
}

export interface ReportSummary {
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
}
