/**
 * The last look-up of a transfer, and what it showed. It is kept beside the state: a look that shows nothing new is no event.
 *
 * The look decides whether a person has to look, and a report never does: the same ledger gives the same report.
 */
import { daysMs, type Policy } from '../policy.ts';
import { SETTINGS } from '../settings.ts';
import { countText } from '../text/printable.ts';
import { minuteOf, type Timestamp } from '../timestamp.ts';
import { isIn, type LastLook, type LookConcern, type Payout, type PayoutIn } from './payout.ts';
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
const MISSING_MS = daysMs(1);

export function lookAfter(
  payout: Watched,
  seen: Seen,
  { at, words }: { at: Timestamp; words: LookWords },
): LastLook {
  const { look, state } = payout;
  const missingSince = missingAfter(payout, seen, at);
  const word = seen.kind === 'status' ? seen.word : state.serviceStatus;
  const concern = concernOf({ payout, missingSince, word, at }, words);
  return {
    at,
    times: (look?.times ?? 0) + 1,
    ...(seen.kind === 'status' ? {} : { nothing: seen.text }),
    ...(missingSince === undefined ? {} : { missingSince }),
    ...(concern === undefined ? {} : { concern }),
  };
}

/** A transfer that was never shown has been missing since it was sent. */
function missingAfter({ look, state }: Watched, seen: Seen, at: Timestamp): Timestamp | undefined {
  if (seen.kind === 'status') return undefined;
  if (look?.missingSince !== undefined || seen.kind === 'nothing') return look?.missingSince;
  return state.serviceStatus === undefined ? (state.sentAt ?? at) : at;
}

interface LookFacts {
  readonly payout: Watched;
  readonly missingSince: Timestamp | undefined;
  readonly word: string | undefined;
  readonly at: Timestamp;
}

function concernOf({ payout, missingSince, word, at }: LookFacts, words: LookWords): LookConcern | undefined {
  if (missingSince !== undefined && at - missingSince >= MISSING_MS) return 'missing';
  if (word !== undefined && isUnknownWord(word, words)) return 'unknown_word';
  const { sentAt, pricing } = payout.state;
  const promisedMs = (pricing.quote?.speedSeconds ?? 0) * 1_000;
  const isLate = sentAt !== undefined && at - sentAt >= Math.max(LATE_TIMES * promisedMs, LATE_MS_MIN);
  return isLate ? 'late' : undefined;
}

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
export const WORD_SETTINGS: readonly string[] = Object.entries(SETTINGS).flatMap(([name, { is }]) =>
  name.startsWith('statuses.') && is.kind === 'words' ? [name] : [],
);

/** Sentences about the last look; empty where the status says it all. */
export function lookText(payout: Payout): string {
  const { look } = payout;
  if (!isIn(payout, 'accepted') || look === undefined) return '';
  const { state } = payout;
  return [
    ...(look.nothing === undefined ? [] : [`The last look showed no status: ${look.nothing}.`]),
    ...concernText(look, state),
    ...(look.concern === undefined ? [] : [askedText(look)]),
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

function askedText({ times, at }: LastLook): string {
  const asked = times === 1 ? 'once,' : `${countText(times)} times, last`;
  return `payfile asked ${asked} at ${minuteOf(at)} UTC.`;
}
