/**
 * Policy: the numbers and words that a user may set and the rules of the application read. Each default says
 * which mistake is worse.
 *
 * Units:   names end in the unit.
 */

import type { NameResult } from './names/name-check.ts';
import { type Limits, NO_LIMITS } from './plan/limits.ts';

export type NamePolicyWord = 'ok' | 'warn' | 'hold';

export interface Policy {
  readonly concurrency: number;
  /** Ask to pay again within this window and a person decides. */
  readonly duplicateWindowDays: number;
  readonly names: Readonly<Record<NameResult, NamePolicyWord>>;
  /** In which currency endpoint 4 counts the amount it is asked about. */
  readonly amountIn: 'destination' | 'source';
  readonly quoteMinutes: number;
  /** A debit that rose by more than this needs one more approval. */
  readonly driftPercent: number;
  /** A fee above this share of the debit holds the row. */
  readonly feePercentMax: number;
  /** An amount that moved by more than this since the last batch of the kind is shown to whoever approves. */
  readonly jumpPercent: number;
  /** Somebody who was paid to another account before: held until a person let it go once, or only shown with the plan. */
  readonly accountChanges: 'hold' | 'warn';
  readonly approvalHours: number;
  readonly limits: Limits;
  readonly fourEyes: boolean;
  /** Rows in doubt since the last resume that pause a batch; undefined: the larger of concurrency and 0.5 % of the batch. */
  readonly maxInDoubt: number | undefined;
  /** The service's words, compared without letter case. Every word in neither list is pending. */
  readonly failedWords: readonly string[];
  readonly returnedWords: readonly string[];
  /** Two equal failure words this far apart make a failure; a shorter time trusts a passing word. */
  readonly failConfirmMs: number;
  /** How long a failure reported by the service stays watched for a late Finished. */
  readonly failWatchDays: number;
  /** A failure reported by the service may be paid again after this time without further evidence. */
  readonly reissueAfterHours: number;
  readonly noteMax: number;
  readonly noteTag: boolean;
  readonly pollMinMs: number;
  readonly pollMaxMs: number;
  /** How long a stopped service is probed before the batch stops with rows still approved. */
  readonly outageWaitMs: number;
  readonly postTimeoutMs: number;
}

export const DEFAULT_POLICY: Policy = {
  concurrency: 8,
  duplicateWindowDays: 14,
  names: { match: 'ok', close_match: 'hold', no_match: 'hold', not_found: 'hold', unavailable: 'warn' },
  amountIn: 'destination',
  quoteMinutes: 30,
  driftPercent: 1,
  feePercentMax: 20,
  jumpPercent: 50,
  accountChanges: 'hold',
  approvalHours: 24,
  limits: NO_LIMITS,
  fourEyes: false,
  maxInDoubt: undefined,
  failedWords: ['failed', 'declined', 'rejected', 'cancelled', 'canceled'],
  returnedWords: ['reversed', 'returned', 'refunded'],
  failConfirmMs: 10 * 60_000,
  failWatchDays: 14,
  reissueAfterHours: 24,
  noteMax: 100,
  noteTag: true,
  pollMinMs: 2_000,
  pollMaxMs: 5 * 60_000,
  outageWaitMs: 2 * 60_000,
  postTimeoutMs: 120_000,
};

const LATE_ANSWER_MS_MAX = 60_000;

/**
 * How long after the patience for an answer has run out a late one is still listened for. Who rules “not paid” waits
 * as long, so the two must be one number.
 */
export function lateAnswerMs(postTimeoutMs: number): number {
  return Math.min(LATE_ANSWER_MS_MAX, postTimeoutMs / 2);
}

const HOUR_MS = 3_600_000;

export const daysMs = (days: number): number => days * 24 * HOUR_MS;
export const hoursMs = (hours: number): number => hours * HOUR_MS;
