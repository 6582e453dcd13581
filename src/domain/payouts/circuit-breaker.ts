/**
 * The breaker decides when sending must wait, when a batch must pause, and when one institution is left out for now.
 * Pure: each result of a send makes a new breaker.
 *
 * Which mistake is worse: stopping early costs one command; going on during an outage costs a person's work
 * for every further row in doubt, and during an empty balance a whole payroll of failures.
 */

import type { InstitutionId } from '../rows/directory.ts';
import { counted } from '../text/printable.ts';

export interface Breaker {
  /** undefined: sends may start. `probe`: wait for those in flight, then ask a harmless question. */
  readonly gate: 'open_way' | 'probe' | 'paused';
  readonly reason: string | undefined;
  readonly doubts: number;
  /**
   * No transfer was answered since the last doubt, or since the last 429: the next one goes out alone, even if a question
   * was answered. A service that answers questions and loses transfers then costs one doubt at a time.
   */
  readonly unansweredSinceDoubt: boolean;
  readonly notSentInRow: number;
  readonly tokenRefusedInRow: number;
  readonly answers: number;
  readonly accepted: number;
  readonly sameRefusals:
    | { readonly text: string; readonly count: number; readonly institutions: readonly InstitutionId[] }
    | undefined;
  readonly refusedInRow: ReadonlyMap<InstitutionId, number>;
  readonly setAside: ReadonlySet<InstitutionId>;
}

export interface BreakerLimits {
  /** Rows in doubt since the last resume that pause the batch. */
  readonly doubtsMax: number;
}

const FIRST_ANSWERS = 3;
const SAME_REFUSALS_MAX = 3;
const INSTITUTION_REFUSALS_MAX = 5;
const NOT_SENT_MAX = 3;

/** Questions of one kind that got no usable answer, one after the other. */
export interface Missed {
  readonly inRow: number;
  /** Why the last one failed. */
  readonly reason: string | undefined;
}

export const NONE_MISSED: Missed = { inRow: 0, reason: undefined };
/**
 * A service that fails this many questions in a row is down. During an outage a payroll must not be paid without name
 * checks, whatever the policy says about a single name; only `unavailable=ok` goes on.
 */
const MISSED_MAX = 20;

/** `unavailable`: why there was no usable answer; undefined when there was one. */
export function afterQuestion(missed: Missed, unavailable: string | undefined): Missed {
  if (unavailable === undefined) return { ...missed, inRow: 0 };
  return { inRow: missed.inRow + 1, reason: unavailable };
}

export function isDown({ inRow }: Missed): boolean {
  return inRow >= MISSED_MAX;
}

/** What was known before this run. */
export interface BreakerPast {
  readonly doubts: number;
  /** Institutions that an earlier run left out: one more refusal leaves them out again. */
  readonly setAside: readonly InstitutionId[];
  /** Transfers of this sending were accepted before. */
  readonly isUnderWay?: boolean;
}

/** What others came to meanwhile, who send rows of the same batch. */
export interface BreakerSeen {
  /** Of the whole batch. */
  readonly doubts: number;
  readonly setAside: readonly InstitutionId[];
}

export function newBreaker(past: BreakerPast, limits: BreakerLimits): Breaker {
  const breaker: Breaker = {
    gate: 'open_way',
    reason: undefined,
    doubts: past.doubts,
    unansweredSinceDoubt: false,
    notSentInRow: 0,
    tokenRefusedInRow: 0,
    answers: 0,
    accepted: past.isUnderWay === true ? 1 : 0,
    sameRefusals: undefined,
    refusedInRow: new Map(
      past.setAside.map((institutionId) => [institutionId, INSTITUTION_REFUSALS_MAX - 1]),
    ),
    setAside: new Set(),
  };
  return past.doubts > limits.doubtsMax ? pausedFor(breaker, tooManyDoubts(past.doubts)) : breaker;
}

/** Doubts that were cleared meanwhile count all the same. */
export function afterOthers(breaker: Breaker, seen: BreakerSeen, limits: BreakerLimits): Breaker {
  const doubts = Math.max(breaker.doubts, seen.doubts);
  const next = { ...breaker, doubts, setAside: new Set([...breaker.setAside, ...seen.setAside]) };
  return doubts > limits.doubtsMax ? pausedFor(next, tooManyDoubts(doubts)) : next;
}

/** The result of a send, as far as the breaker needs it. */
export type SendResult =
  | { readonly kind: 'accepted'; readonly institutionId: InstitutionId }
  | {
      readonly kind: 'refused';
      readonly institutionId: InstitutionId;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'in_doubt' }
  | { readonly kind: 'id_seen_before' }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'rate_limited' }
  | { readonly kind: 'token_refused' };

export function afterSend(breaker: Breaker, result: SendResult, limits: BreakerLimits): Breaker {
  switch (result.kind) {
    case 'accepted':
      return afterAccepted(breaker, result.institutionId);
    case 'refused':
      return afterRefused(breaker, result);
    case 'in_doubt': {
      const doubts = breaker.doubts + 1;
      const next = { ...breaker, doubts, unansweredSinceDoubt: true, notSentInRow: 0 };
      if (doubts > limits.doubtsMax) return pausedFor(next, tooManyDoubts(doubts));
      return probing(next, 'a payment got no answer; the next one goes out when the service answers again');
    }
    case 'id_seen_before':
      return pausedFor(
        { ...breaker, doubts: breaker.doubts + 1 },
        'the service gave a transfer id that another row already has',
      );
    case 'not_sent': {
      const notSentInRow = breaker.notSentInRow + 1;
      const next = { ...breaker, notSentInRow };
      return notSentInRow >= NOT_SENT_MAX ? probing(next, result.reason) : next;
    }
    case 'rate_limited':
      return { ...breaker, unansweredSinceDoubt: true, notSentInRow: 0 };
    case 'token_refused': {
      // All requests that were in flight under one token count as one refusal; those after the first wait for the probe.
      if (breaker.gate !== 'open_way') return breaker;
      const tokenRefusedInRow = breaker.tokenRefusedInRow + 1;
      const next = { ...breaker, tokenRefusedInRow, notSentInRow: 0 };
      return tokenRefusedInRow > 1
        ? pausedFor(next, 'the service refuses fresh tokens')
        : probing(next, 'the service refused the token');
    }
  }
}

/** The probe was answered: sends may start again. After failures to connect, one at a time until one gets through. */
export function afterProbe(breaker: Breaker): Breaker {
  return breaker.gate === 'probe' ? { ...breaker, gate: 'open_way', reason: undefined } : breaker;
}

/** How many probes were answered without a send getting through afterwards. */
export function failedProbes(breaker: Breaker): number {
  return Math.max(0, breaker.notSentInRow - NOT_SENT_MAX);
}

/** Whether the next refusal leaves the institution out: it is then tried with one row at a time. */
export function isLastChance(breaker: Breaker, institutionId: InstitutionId): boolean {
  return (breaker.refusedInRow.get(institutionId) ?? 0) === INSTITUTION_REFUSALS_MAX - 1;
}

/**
 * How many sends may be in flight now: few until the service took the first, so that an empty balance or a missing
 * payment instrument fails three rows and not a whole payroll.
 */
export function inFlightMax(breaker: Breaker, concurrency: number): number {
  // An answered question proves little about transfers, so one row tries it, not all at once.
  if (breaker.notSentInRow >= NOT_SENT_MAX || breaker.unansweredSinceDoubt) return 1;
  // Refused rows count too. Otherwise each refusal would let another row begin, and fail as well.
  return breaker.accepted === 0 ? Math.min(concurrency, FIRST_ANSWERS - breaker.answers) : concurrency;
}

/**
 * Whether the next may begin while an acceptance is still being written down. Where one at a time was asked for, and while
 * the service is on trial, each is seen through first.
 */
export function isNextEarly(breaker: Breaker, concurrency: number): boolean {
  const isCalm = breaker.gate === 'open_way' && breaker.accepted > 0;
  return isCalm && concurrency > 1 && inFlightMax(breaker, concurrency) === concurrency;
}

function afterAccepted(breaker: Breaker, institutionId: InstitutionId): Breaker {
  const refusedInRow = breaker.refusedInRow.has(institutionId)
    ? without(breaker.refusedInRow, institutionId)
    : breaker.refusedInRow;
  const { answers, accepted } = breaker;
  const unansweredSinceDoubt = stillUnanswered(breaker);
  const next = { ...breaker, ...calm, unansweredSinceDoubt, refusedInRow };
  return { ...next, answers: answers + 1, accepted: accepted + 1 };
}

const calm = { notSentInRow: 0, tokenRefusedInRow: 0, sameRefusals: undefined } as const;

/** Answers that come while a probe is due are for requests from before the doubt, so they prove nothing. */
function stillUnanswered({ gate, unansweredSinceDoubt }: Breaker): boolean {
  return gate === 'probe' && unansweredSinceDoubt;
}

function afterRefused(breaker: Breaker, refusal: Extract<SendResult, { kind: 'refused' }>): Breaker {
  const { institutionId, code, message } = refusal;
  const text = `${code} ${message}`;
  const before =
    breaker.sameRefusals?.text === text ? breaker.sameRefusals : { text, count: 0, institutions: [] };
  const institutions = before.institutions.includes(institutionId)
    ? before.institutions
    : [...before.institutions, institutionId];
  const sameRefusals = { text, count: before.count + 1, institutions };
  const inRow = (breaker.refusedInRow.get(institutionId) ?? 0) + 1;
  const refusedInRow = new Map(breaker.refusedInRow).set(institutionId, inRow);
  const answers = breaker.answers + 1;
  const unansweredSinceDoubt = stillUnanswered(breaker);
  const next = { ...breaker, ...calm, unansweredSinceDoubt, answers, sameRefusals, refusedInRow };
  if (breaker.accepted === 0 && answers >= FIRST_ANSWERS) {
    return pausedFor(
      next,
      `the first ${answers === 1 ? 'payment was' : `${answers} payments were all`} refused: ${message}`,
    );
  }
  if (sameRefusals.count >= SAME_REFUSALS_MAX && institutions.length > 1) {
    return pausedFor(
      next,
      `${counted(sameRefusals.count, 'payment was refused', 'payments in a row were refused alike')}: ${message}`,
    );
  }
  if (inRow < INSTITUTION_REFUSALS_MAX) return next;
  return { ...next, setAside: new Set([...breaker.setAside, institutionId]) };
}

function tooManyDoubts(doubts: number): string {
  return `${counted(doubts, 'payment is', 'payments are')} in doubt since the last resume`;
}

function probing(breaker: Breaker, reason: string): Breaker {
  return breaker.gate === 'paused' ? breaker : { ...breaker, gate: 'probe', reason };
}

function pausedFor(breaker: Breaker, reason: string): Breaker {
  return { ...breaker, gate: 'paused', reason };
}

function without(
  map: ReadonlyMap<InstitutionId, number>,
  key: InstitutionId,
): ReadonlyMap<InstitutionId, number> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
