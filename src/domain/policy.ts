/**
 * Policy: the numbers and words that a user may set and the rules of the application read. Each default says
 * which mistake is worse.
 *
 * Units:   names end in the unit.
 */

import type { NameResult } from './names/name-check.ts';
import { type Limits, NO_LIMITS } from './plan/limits.ts';
import { type LookUpField, SETTINGS, VARIABLES } from './settings.ts';

export type NamePolicyWord = 'ok' | 'warn' | 'hold';

export interface Policy {
  /** Whose payments these are; at the head of reports. */
  readonly organization: string | undefined;
  /** Of the times on pages and in workbooks. */
  readonly timeZone: string;
  readonly concurrency: number;
  /** Ask to pay again within this window and a person decides. */
  readonly duplicateWindowDays: number;
  readonly names: Readonly<Record<NameResult, NamePolicyWord>>;
  /** In which currency endpoint 4 counts the amount it is asked about. */
  readonly amountIn: 'destination' | 'source';
  readonly quoteMinutes: number;
  /** How long the name of an account's holder is used. */
  readonly nameHours: number;
  /** A batch pays another one's rows for a new period only so long after that one was first sent. */
  readonly repeatHours: number;
  /** A debit that rose by more than this needs one more approval. */
  readonly driftPercent: number;
  /** A fee above this share of the debit holds the row. */
  readonly feePercentMax: number;
  /** An amount that moved by more than this since the last batch of the kind is shown to whoever approves. */
  readonly jumpPercent: number;
  /** Somebody who was paid to another account before: held until a person releases it once, or only shown with the plan. */
  readonly accountChanges: 'hold' | 'warn';
  readonly approvalHours: number;
  readonly limits: Limits;
  readonly fourEyes: boolean;
  /** A live plan is agreed to with a passkey, and in no other way. */
  readonly approvalPasskey: boolean;
  /** Rows in doubt since the last resume that pause a batch; undefined: the larger of concurrency and 0.5 % of the batch. */
  readonly maxInDoubt: number | undefined;
  /** What this service shows of a transfer; a word that makes a payment payable again needs all that tells whose it is. */
  readonly lookUpFields: readonly LookUpField[];
  /**
   * The service's words beside Finished, compared without letter case. A word in none of the lists is pending, and a person
   * has to look.
   */
  readonly finishedWords: readonly string[];
  readonly failedWords: readonly string[];
  readonly returnedWords: readonly string[];
  readonly pendingWords: readonly string[];
  /** Two equal failure words this far apart make a failure; a shorter time trusts a temporary word. */
  readonly failConfirmMs: number;
  /** How long the service is asked again about what it called finished, failed or returned. */
  readonly watchDays: number;
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

/** What a user may set is in settings.ts, with its default. */
export const DEFAULT_POLICY: Policy = {
  organization: undefined,
  timeZone: 'UTC',
  concurrency: SETTINGS.concurrency.default,
  duplicateWindowDays: SETTINGS.duplicateWindowDays.default,
  names: {
    match: SETTINGS['names.match'].default,
    close_match: SETTINGS['names.close_match'].default,
    no_match: SETTINGS['names.no_match'].default,
    not_found: SETTINGS['names.not_found'].default,
    unavailable: SETTINGS['names.unavailable'].default,
  },
  amountIn: SETTINGS['quote.amountIn'].default,
  quoteMinutes: SETTINGS.quoteMinutes.default,
  nameHours: SETTINGS.nameHours.default,
  repeatHours: SETTINGS.repeatHours.default,
  driftPercent: SETTINGS.driftPercent.default,
  feePercentMax: SETTINGS.feePercentMax.default,
  jumpPercent: SETTINGS.jumpPercent.default,
  accountChanges: SETTINGS.accountChanges.default,
  approvalHours: SETTINGS.approvalHours.default,
  limits: NO_LIMITS,
  fourEyes: SETTINGS.fourEyes.default,
  approvalPasskey: SETTINGS.approvalPasskey.default,
  maxInDoubt: undefined,
  lookUpFields: SETTINGS['answers.lookup'].default,
  finishedWords: SETTINGS['statuses.finished'].default,
  failedWords: SETTINGS['statuses.failed'].default,
  returnedWords: SETTINGS['statuses.returned'].default,
  pendingWords: SETTINGS['statuses.pending'].default,
  failConfirmMs: SETTINGS['statuses.confirmMinutes'].default * 60_000,
  watchDays: SETTINGS.watchDays.default,
  reissueAfterHours: 24,
  noteMax: SETTINGS.noteMax.default,
  noteTag: SETTINGS.noteTag.default,
  pollMinMs: VARIABLES.PAYFILE_POLL_MIN_MS.default,
  pollMaxMs: 5 * 60_000,
  outageWaitMs: 2 * 60_000,
  postTimeoutMs: VARIABLES.PAYFILE_POST_TIMEOUT_MS.default,
};

const LATE_ANSWER_MS_MAX = 60_000;

/**
 * How long after its timeout a late answer is still listened for. A ruling “not paid” waits as long, so the two must be one
 * number.
 */
export function lateAnswerMs(postTimeoutMs: number): number {
  return Math.min(LATE_ANSWER_MS_MAX, postTimeoutMs / 2);
}

const HOUR_MS = 3_600_000;

export const daysMs = (days: number): number => days * 24 * HOUR_MS;
export const hoursMs = (hours: number): number => hours * HOUR_MS;
