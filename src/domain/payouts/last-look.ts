/**
 * The last look-up of a transfer, and what it showed. It is kept beside the state: a look that shows nothing new is no event.
 *
 * The look decides whether a person has to look, and a report never does: the same ledger gives the same report.
 */
import { daysMs, POLICY_SETTINGS, type Policy } from '../policy.ts';
import { countText } from '../text/printable.ts';
import { minuteOf, plusMs, type Timestamp } from '../timestamp.ts';
import { isIn, type LastLook, type LookConcern, type Payout, type PayoutIn, type StateIn } from './payout.ts';
import type { PayoutEvent } from './payout-event.ts';
import { meaningOf, type Words } from './service-status.ts';

/** What one look showed. */
export type Seen =
  | { readonly kind: 'status'; readonly word: string }
  /** The service declined the question. That counts as not knowing the transfer. */
  | { readonly kind: 'not_found'; readonly text: string }
  | { readonly kind: 'nothing'; readonly text: string };

type Watched = PayoutIn<'accepted' | 'failed' | 'returned' | 'settled'>;
type LookWords = Words & Pick<Policy, 'pendingWords'>;

const LATE_MS_MIN = daysMs(1);
const LATE_TIMES = 3;
/** Between two answers that the transfer is not known; one such answer proves nothing. */
const MISSING_MS = daysMs(1);

export function lookAfter(
  payout: Watched,
  seen: Seen,
  { at, words }: { at: Timestamp; words: LookWords },
): LastLook {
  const { look, state } = payout;
  const missingSince = missingAfter(payout, seen, at);
  const word = seen.kind === 'status' ? seen.word : state.serviceStatus;
  const isMissing = isStillMissing(payout, seen, { missingSince, at });
  const concern = isMissing ? 'missing' : concernOf({ payout, word, at }, words);
  return {
    at,
    times: (look?.times ?? 0) + 1,
    ...(seen.kind === 'status' ? {} : { nothing: seen.text }),
    ...(missingSince === undefined ? {} : { missingSince }),
    ...(concern === undefined ? {} : { concern }),
  };
}

/** The first answer that the transfer is not known, since it was last shown. */
function missingAfter({ look }: Watched, seen: Seen, at: Timestamp): Timestamp | undefined {
  if (seen.kind === 'status') return undefined;
  return look?.missingSince ?? (seen.kind === 'not_found' ? at : undefined);
}

/** Silence neither makes a transfer missing nor finds it. */
function isStillMissing(
  { look }: Watched,
  seen: Seen,
  { missingSince, at }: { readonly missingSince: Timestamp | undefined; readonly at: Timestamp },
): boolean {
  if (seen.kind === 'nothing') return look?.concern === 'missing';
  return missingSince !== undefined && at - missingSince >= MISSING_MS;
}

interface LookFacts {
  readonly payout: Watched;
  readonly word: string | undefined;
  readonly at: Timestamp;
}

function concernOf({ payout, word, at }: LookFacts, words: LookWords): LookConcern | undefined {
  if (payout.state.status !== 'accepted') return undefined;
  if (word !== undefined && isUnknownWord(word, words)) return 'unknown_word';
  return isLate(payout, at) ? 'late' : undefined;
}

function isLate({ state: { sentAt, pricing } }: Watched, at: Timestamp): boolean {
  const promisedMs = (pricing.quote?.speedSeconds ?? 0) * 1_000;
  return sentAt !== undefined && at - sentAt >= Math.max(LATE_TIMES * promisedMs, LATE_MS_MIN);
}

/** A row that was sent later is not late at that moment. */
export function lateIfSentBy(at: Timestamp): Timestamp {
  return plusMs(at, -LATE_MS_MIN);
}

/**
 * A row on its way that takes too long at that moment, whether it was asked about or not; undefined where the last look
 * has a reason already.
 */
export function lateLook(payout: Payout, at: Timestamp): LastLook | undefined {
  if (!isIn(payout, 'accepted') || payout.look?.concern !== undefined || !isLate(payout, at))
    return undefined;
  return { ...(payout.look ?? { at, times: 0 }), concern: 'late' };
}

/**
 * Of a settled payment that the service does not know any more: a difference, which ends when the service shows it again.
 * Where a failure word is open already, it stays the reason to look.
 */
export function missingEvent({ state }: Watched, { at, concern }: LastLook): PayoutEvent | undefined {
  if (state.status !== 'settled' || concern !== 'missing' || state.suspicion !== undefined) return undefined;
  const { serviceStatus, discrepancies } = state;
  if (discrepancies.includes(NOT_KNOWN)) return undefined;
  return { kind: 'progress', serviceStatus, discrepancies: [NOT_KNOWN, ...discrepancies], at };
}

export const NOT_KNOWN = 'status: the service does not show the transfer any more';

export function isUnknownWord(word: string, words: LookWords): boolean {
  const folded = word.trim().toLowerCase();
  return (
    meaningOf(word, words) === 'pending' && !words.pendingWords.some((each) => each.toLowerCase() === folded)
  );
}

/** Why a person has to look at a payout that is on its way and was not called failed; undefined: nobody has to. */
export function lookConcern(payout: Payout): LookConcern | undefined {
  return isIn(payout, 'accepted') ? payout.look?.concern : undefined;
}

/** Where words are given a meaning. */
export const WORD_SETTINGS: readonly string[] = [
  POLICY_SETTINGS.finishedWords,
  POLICY_SETTINGS.failedWords,
  POLICY_SETTINGS.returnedWords,
  POLICY_SETTINGS.pendingWords,
].map(({ file }) => file);

/** What the last look of a row on its way showed, and when that was: an old status must not read like a new one. */
export function lookText({ look }: Pick<Payout, 'look'>, state: StateIn<'accepted'>): string {
  if (look === undefined)
    return state.serviceStatus === undefined
      ? `It was sent at ${minuteOf(state.sentAt)} UTC. ${NOT_ASKED}`
      : '';
  return [
    ...(look.nothing === undefined ? [] : [`The last look showed no status: ${look.nothing}.`]),
    ...concernText(look, state),
    askedText(look),
  ].join(' ');
}

function concernText(
  { concern, missingSince }: LastLook,
  { sentAt, serviceStatus }: Pick<PayoutIn<'accepted'>['state'], 'sentAt' | 'serviceStatus'>,
): readonly string[] {
  if (concern === undefined) return [];
  const texts: Readonly<Record<LookConcern, string>> = {
    missing: `The service has not shown the transfer since ${minuteOf(missingSince ?? sentAt)} UTC.`,
    unknown_word: `No setting says what “${serviceStatus}” means.`,
    late: `It takes too long: it was sent at ${minuteOf(sentAt)} UTC.`,
  };
  return [texts[concern]];
}

const NOT_ASKED = 'payfile has not asked for its status yet.';

function askedText({ times, at }: LastLook): string {
  if (times === 0) return NOT_ASKED;
  const asked = times === 1 ? 'once,' : `${countText(times)} times, last`;
  return `payfile asked ${asked} at ${minuteOf(at)} UTC.`;
}
