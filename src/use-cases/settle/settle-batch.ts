/**
 * Looks up what became of accepted transfers until each is final or the deadline comes. Running out of time is
 * not a failure: what is not final stays accepted and is looked up by the next run. A look-up that is open then is given up.
 *
 * What is final is watched: it gets one look when it is due, without waiting, also where it was replaced since. A new
 * answer of the service is recorded, and a warning names it once.
 */

import { differenceOf, differencesOf, isOpenDifference } from '../../domain/payouts/difference.ts';
import type { BatchId, TransferId } from '../../domain/payouts/instruction.ts';
import { lookAfter, missingEvent, type Seen } from '../../domain/payouts/last-look.ts';
import { endedAtOf, isIn, type LastLook, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { eventOfPoll, nextPollAt } from '../../domain/payouts/service-status.ts';
import { cleanerOf } from '../../domain/payouts/shown.ts';
import { daysMs, hoursMs } from '../../domain/policy.ts';
import { printable } from '../../domain/text/printable.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Asked, Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { LookGivenUp } from './look-patience.ts';
import { type LookLimits, lookAtAll } from './look-queue.ts';
import type { LookResult } from './look-result.ts';
import { lookedAt, newDifferences, tellDifference, UnknownWords } from './new-differences.ts';
import { type NotShown, nextLookAt, notShown } from './next-looks.ts';
import { ANOTHER_ROW, raiseIncident, whyAnotherRow } from './raise-incident.ts';
import { type Change, RowChanges } from './row-changes.ts';
import { whyUnclear, wordIn } from './still-unpaid.ts';
import { keepUnclear, markFromEarlier } from './unclear.ts';

interface SettleOptions {
  readonly deadline: Timestamp;
  /** Until then an open look-up is waited for; undefined: until the deadline. */
  readonly giveUpAt?: Timestamp | undefined;
  /** Final rows are watched for this long; at least, and if undefined, for the days of the policy. */
  readonly watchReturnsMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Fills `notShown`, and `nextLook` where no row was due. */
  readonly saysNext?: boolean;
}

export interface SettleResult {
  /** Rows that the service called failed or returned before and finished now, or that got more than was asked. */
  readonly incidents: readonly number[];
  /** Every look at a row on its way showed a status, and none found a new concern. */
  readonly isWayAsBefore: boolean;
  /** Rows that changed, in the order seen; the first thousand. */
  readonly changes: readonly Change[];
  /** How many rows changed. */
  readonly changed: number;
  /** Rows became failed or returned, or differ in a new way: a person is told, also while other rows are on their way. */
  readonly hasNewExceptions: boolean;
  readonly watch: WatchCount;
  /** Rows were asked about, on their way or final, and the service gave no answer to any. */
  readonly isUnanswered: boolean;
  /** Set where no row was due and `saysNext` is set. `dueAt` undefined: no other look is planned. */
  readonly nextLook?: { readonly dueAt: Timestamp | undefined } | undefined;
  /** Rows whose status is not known; undefined without `saysNext`. */
  readonly notShown?: NotShown | undefined;
  /** Final payments that the service has not found for a day. */
  readonly missing: number;
}

/** Of the rows that are final and were due for a look: “nothing changed” is said of those that were shown only. */
export interface WatchCount {
  readonly due: number;
  /** No usable answer came; due again in minutes. */
  readonly unanswered: number;
  /** The service did not show the transfer; due again in minutes. */
  readonly notFound: number;
  /** The service no longer calls them unpaid. */
  readonly unclear: number;
  /** The deadline came, somebody stopped the run, or the service was silent. Still due. */
  readonly notReached: number;
}

export async function settleBatch(
  batchId: BatchId,
  ports: Ports,
  options: SettleOptions,
): Promise<SettleResult> {
  const { clock, silence } = ports;
  const { signal, deadline, giveUpAt = deadline } = options;
  // Counted on the monotonic clock: a wall clock that is set back must not make a run endless.
  const atMs = (moment: Timestamp) => clock.monotonicMs() + (moment - clock.now());
  const endMs = atMs(deadline);
  // A deadline that has passed already still gives every row that is due one look.
  if (clock.monotonicMs() >= endMs) return settleUntil({ batchId, until: undefined, signal }, ports, options);
  const looking = silence?.lookUntil(atMs(giveUpAt));
  const ending = AbortSignal.any([signal, looking?.signal].filter((each) => each !== undefined));
  try {
    return await settleUntil({ batchId, until: endMs, signal: ending }, ports, options);
  } finally {
    looking?.end();
  }
}

interface Looking {
  readonly batchId: BatchId;
  /** On the monotonic clock. */
  readonly until: number | undefined;
  /** Aborts also where the look-ups are given up. */
  readonly signal: AbortSignal | undefined;
}

async function settleUntil(
  { batchId, until, signal }: Looking,
  ports: Ports,
  { watchReturnsMs, saysNext = false }: SettleOptions,
): Promise<SettleResult> {
  const incidents: number[] = [];
  const rows = new RowChanges();
  const words = new UnknownWords();
  const asked = { shown: 0, not_found: 0, none: 0, cut: 0 };
  const ended = { ...asked, missing: 0, unclear: 0 };
  const isFollowed = (payout: Payout) => isWatched(payout, watchReturnsMs, ports);
  const look = async (payout: Payout, limits: LookLimits) => {
    const isFinal = payout.state.status !== 'accepted' && isFollowed(payout);
    const found = await lookOnce(payout, { ...limits, watchReturnsMs }, ports);
    asked[found.answer] += 1;
    if (isFinal) ended[found.answer] += 1;
    if (isFinal && limits.isAgain) ended.none -= 1;
    if (isFinal && found.isMissing === true) ended.missing += 1;
    if (found.kind === 'unclear') ended.unclear += 1;
    if (found.kind === 'incident') incidents.push(payout.rowNumber);
    words.add(found.unknownWord, payout.rowNumber);
    rows.add(payout, found);
  };
  const left = await lookAtAll({ batchId, until, signal, isFollowed, look }, ports);
  const notReached = left.count;
  await words.tell(batchId, ports);
  await ports.ledger.markLate(batchId, ports.clock.now());
  // What was cut off is among those that are due as before.
  const { shown, not_found: notFound, none: unanswered, unclear, missing } = ended;
  const due = shown + notFound + unanswered + notReached;
  const isSilent = asked.none + asked.cut > 0 || ports.silence?.ended() !== undefined;
  const isUnanswered = asked.shown + asked.not_found === 0 && isSilent;
  const isNothingDue = asked.shown + asked.not_found === 0 && !isSilent && notReached === 0;
  const watch = { due, unanswered, notFound, unclear, notReached };
  const settled = { incidents, ...rows.found(), watch, isUnanswered, missing };
  if (!saysNext) return settled;
  const followed = { batchId, isFollowed };
  const nextLook = isNothingDue ? { dueAt: await nextLookAt(followed, ports) } : undefined;
  return { ...settled, nextLook, notShown: await notShown(followed, left, ports) };
}

/** Asks once what became of a transfer that is on its way, or that the service called unpaid, however long ago, and records it. */
export async function pollAgain(
  payout: Payout,
  ports: Ports,
  signal: AbortSignal | undefined,
  onAnswer?: Watch['onAnswer'],
): Promise<LookResult> {
  return lookOnce(payout, { signal, watchReturnsMs: Number.POSITIVE_INFINITY, onAnswer }, ports);
}

interface Watch
  extends Pick<SettleOptions, 'signal' | 'watchReturnsMs'>,
    Partial<Pick<LookLimits, 'startedAt'>> {
  readonly onAnswer?: ((asked: Asked<Transaction>) => void) | undefined;
}

async function lookOnce(payout: Payout, watch: Watch, ports: Ports): Promise<LookResult> {
  const { status } = payout.state;
  if (!isWatched(payout, watch.watchReturnsMs, ports) || payout.state.transferId === undefined)
    return { kind: 'looked', answer: 'shown', status };
  const { asked, isCut } = await askOnce(payout.state.transferId, watch.signal, ports);
  watch.onAnswer?.(asked);
  const now = ports.clock.now();
  const dueAt = isCut ? (watch.startedAt ?? now) : nextLook(payout, asked, ports);
  const foreign = asked.kind === 'answered' ? await whyAnotherRow(payout, asked.answer, ports) : undefined;
  if (asked.kind === 'answered' && foreign !== undefined)
    return setForeign(payout, { why: foreign, dueAt }, ports);
  const look = lookOf(payout, asked, ports);
  const event = asked.kind === 'answered' ? eventOf(payout, asked.answer, ports) : missingEvent(payout, look);
  const isMissing = look.concern === 'missing' && status !== 'accepted';
  const hasNewConcern = look.concern !== undefined && look.concern !== payout.look?.concern;
  const answer = isCut ? ('cut' as const) : ANSWERS[asked.kind];
  const found = { answer, status, isMissing, hasNewConcern };
  if (event === undefined && endedUnpaid(payout) && asked.kind !== 'unavailable') {
    // A transfer that is not found once may be found again in a minute.
    const isKept = asked.kind === 'answered' || isMissing;
    const unclear = { unclear: await whyUnclear(payout, asked, ports), isKept, dueAt, look };
    return { ...found, ...(await keepUnclear(payout, unclear, ports)) };
  }
  if (event === undefined) {
    const again = isCut ? dueAt : confirmedBy(suspectedAt(payout), dueAt, ports);
    await ports.ledger.schedule(payout.id, again, look);
    // A settled row is asked about because it may come back: “unknown transfer” does not answer that.
    if (asked.kind === 'unavailable' || (asked.kind === 'declined' && isIn(payout, 'settled')))
      return { ...found, kind: 'unknown' };
    return { ...found, kind: 'looked' };
  }
  const suspected = event.kind === 'suspect' ? event.at : undefined;
  // It is final now: its next look is that of a payment which is watched.
  const laterAt = event.kind === 'settle' ? plusMs(now, ports.policy.pollMaxMs) : dueAt;
  const recorded = await recordEvent(payout, event, ports, {
    dueAt: confirmedBy(suspected, laterAt, ports),
    look,
  });
  // Another row took the transfer's second id a moment ago.
  if (recorded.kind === 'taken' && asked.kind === 'answered')
    return setForeign(
      payout,
      { why: `${ANOTHER_ROW}${asked.answer.id} belongs to another row`, dueAt },
      ports,
    );
  if (recorded.kind !== 'recorded') return { ...found, kind: 'looked' };
  const { state } = recorded.payout;
  if (state.status === 'settled') await markFromEarlier(recorded.payout, ports);
  const differs = newDifferences(payout, recorded.payout);
  if (isIn(payout, 'settled') && differs !== undefined) tellDifference(recorded.payout, differs, ports);
  if (!endedUnpaid(payout) || state.status !== 'settled')
    return { ...found, ...lookedAt(recorded.payout, differs, ports.policy), status: state.status };
  await raiseIncident(payout, `the service said ${payout.state.status} and now says finished`, ports);
  return { ...found, kind: 'incident', status: state.status };
}

const ANSWERS = { answered: 'shown', declined: 'not_found', unavailable: 'none' } as const;

interface AskedOnce {
  readonly asked: Asked<Transaction>;
  /** The waiting ended during the look-up. The row was asked about all the same. */
  readonly isCut: boolean;
}

async function askOnce(
  transferId: TransferId,
  signal: AbortSignal | undefined,
  { paymentService }: Ports,
): Promise<AskedOnce> {
  try {
    return { asked: await paymentService.transaction(transferId, signal), isCut: false };
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    const { reason } = signal;
    const isCut = !(reason instanceof LookGivenUp);
    return { asked: { kind: 'unavailable', reason: isCut ? CUT : reason.message }, isCut };
  }
}

const CUT = 'no answer came before the waiting ended';

function lookOf(payout: Watched, asked: Asked<Transaction>, { clock, policy }: Ports): LastLook {
  return lookAfter(payout, seenIn(payout, asked), { at: clock.now(), words: policy });
}

function seenIn(payout: Watched, asked: Asked<Transaction>): Seen {
  switch (asked.kind) {
    case 'answered':
      return { kind: 'status', word: wordIn(payout, asked.answer) };
    case 'declined':
      return { kind: 'not_found', text: declinedText(payout, asked) };
    case 'unavailable':
      return { kind: 'nothing', text: asked.reason };
  }
}

/** The service's own words, without the account that may stand in them. */
function declinedText(
  { instruction }: Watched,
  { code, message }: { code: string; message: string },
): string {
  return `the service says “${cleanerOf(instruction)(message)}” (code ${printable(code)})`;
}

type Watched = PayoutIn<'accepted' | 'failed' | 'returned' | 'settled'>;

function eventOf(payout: Watched, seen: Transaction, { clock, policy }: Ports) {
  return eventOfPoll(payout, { ...seen, status: wordIn(payout, seen), at: clock.now() }, policy);
}

/** The transfer of another row: the row stays where it is, and differs until the service shows its own transfer again. */
async function setForeign(
  payout: Watched & Payout,
  { why, dueAt }: { readonly why: string; readonly dueAt: Timestamp },
  ports: Ports,
): Promise<LookResult> {
  const { state } = payout;
  const { serviceStatus } = state;
  const at = ports.clock.now();
  const shown = { kind: 'nothing', text: 'the service shows another payment' } as const;
  const look = lookAfter(payout, shown, { at, words: ports.policy });
  if (endedUnpaid(payout)) {
    const unclear = { unclear: `shows another payment for it: ${why}`, isKept: true, dueAt, look };
    return { ...(await keepUnclear(payout, unclear, ports)), answer: 'shown' };
  }
  // The word is about another payment.
  const found = { kind: 'unknown', answer: 'shown', status: state.status } as const;
  const known = differencesOf(state);
  const discrepancies = [why, ...known.filter((text) => !text.startsWith(ANOTHER_ROW))];
  const event = { kind: 'progress', serviceStatus, discrepancies, at } as const;
  const recorded = known.includes(why) ? undefined : await recordEvent(payout, event, ports, { dueAt, look });
  if (recorded === undefined) await ports.ledger.schedule(payout.id, dueAt, look);
  if (recorded?.kind !== 'recorded') return found;
  tellDifference(recorded.payout, discrepancies, ports);
  return { ...found, differs: discrepancies };
}

function endedUnpaid(payout: Payout): payout is PayoutIn<'failed' | 'returned'> & Payout {
  return isIn(payout, 'failed') || isIn(payout, 'returned');
}

function isWatched(
  payout: Payout,
  watchReturnsMs: number | undefined,
  { clock, policy }: Ports,
): payout is Payout & Watched {
  if (isIn(payout, 'accepted')) return true;
  const endedAt = watchedSince(payout);
  if (endedAt === undefined) return false;
  const days = daysMs(policy.watchDays);
  return isAlarming(payout) || clock.now() - endedAt <= Math.max(watchReturnsMs ?? days, days);
}

/** What somebody has to look at is watched until it ends or is accepted. */
function isAlarming(payout: Payout): boolean {
  return suspectedAt(payout) !== undefined || isOpenDifference(differenceOf(payout));
}

/** When a payment ended that the service has; undefined for any other. */
function watchedSince(payout: Payout): Timestamp | undefined {
  const isRefused = payout.state.status === 'failed' && payout.state.basis === 'refused';
  const hasTransfer = 'transferId' in payout.state && payout.state.transferId !== undefined;
  return hasTransfer && !isRefused ? endedAtOf(payout.state) : undefined;
}

/** A failure that was called so once is looked at as soon as a second word can confirm it. */
function confirmedBy(firstAt: Timestamp | undefined, dueAt: Timestamp, { clock, policy }: Ports): Timestamp {
  if (firstAt === undefined) return dueAt;
  const confirmAt = plusMs(firstAt, policy.failConfirmMs);
  return confirmAt > clock.now() && confirmAt < dueAt ? confirmAt : dueAt;
}

const suspectedAt = ({ state }: Payout): Timestamp | undefined =>
  'suspicion' in state ? state.suspicion?.firstAt : undefined;

/** Less than a day, so that a job which runs daily at the same minute asks each time. */
const RETURN_LOOK_MAX_MS = hoursMs(20);
const UNANSWERED_MAX_MS = 5 * 60_000;

function nextLook({ state }: Watched, asked: Asked<Transaction>, { clock, policy }: Ports): Timestamp {
  const now = clock.now();
  // A look that got no answer does not count: the next one must not come a day later.
  if (state.status === 'settled' && asked.kind !== 'answered')
    return plusMs(now, Math.min(policy.pollMaxMs, UNANSWERED_MAX_MS));
  // A quarter of its age: a few looks on the first day, one a day later on.
  if (state.status === 'settled')
    return plusMs(now, Math.min(Math.max((now - state.settledAt) / 4, policy.pollMaxMs), RETURN_LOOK_MAX_MS));
  const speedSeconds = state.pricing.quote?.speedSeconds;
  return nextPollAt({ now, sentAt: state.sentAt ?? now, speedSeconds, random: clock.random() }, policy);
}
