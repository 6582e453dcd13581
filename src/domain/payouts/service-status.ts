/**
 * What a status word of the service means for a payout that it has. Only Finished is shown by the service;
 * other words for paid, failed and returned are configuration, and every other word is pending, shown verbatim.
 * After Finished, each word that does not mean paid is a difference.
 *
 * A word that says paid counts by the transfer's id. A word that makes a payment payable again counts only if the
 * look-up shows the payment itself: its amount, institution and receiver. An id may have been given twice.
 * A failure needs two equal answers some time apart: a temporary word must not make a payment payable again.
 */

import { given } from '../given.ts';
import type { Policy } from '../policy.ts';
import { plusMs, type Timestamp } from '../timestamp.ts';
import { saysTheSame } from './difference.ts';
import type { Instruction, TransferId } from './instruction.ts';
import type { Payout, PayoutIn } from './payout.ts';
import type { LookedUp, PayoutEvent } from './payout-event.ts';
import {
  cameBack,
  differencesIn,
  isRest,
  partBackOf,
  type SeenTransfer,
  shownAfter,
  unprovenBy,
} from './shown.ts';

interface PollAnswer extends SeenTransfer {
  /** The service may call a transfer by another id than the one that was asked for. */
  readonly id: TransferId;
  /** Verbatim, with control characters escaped. */
  readonly status: string;
  readonly at: Timestamp;
}

/** What tells the service's words apart. */
export type Words = Pick<Policy, 'finishedWords' | 'failedWords' | 'returnedWords' | 'failConfirmMs'>;

/** The event for the answer; undefined when nothing changed. */
export function eventOfPoll(
  payout: PayoutIn<'accepted' | 'settled' | 'failed' | 'returned'>,
  answer: PollAnswer,
  policy: Words & Pick<Policy, 'lookUpFields'>,
): PayoutEvent | undefined {
  const { instruction, state } = payout;
  const word = meaningOf(answer.status, policy);
  const isUnpaid = word === 'failed' || word === 'returned';
  const lookUp = { seen: answer, lookUpFields: policy.lookUpFields };
  const strange = strangeIdIn(payout, answer, policy);
  // Asked only where it matters: comparing names takes time.
  const part = word === 'returned' && strange.length === 0 ? partBackOf(payout, lookUp) : undefined;
  const shown = shownAfter(payout, answer, { isUnpaid, part });
  const isSecondId = answer.id !== state.transferId && state.otherId === undefined && strange.length === 0;
  const otherId = isSecondId ? answer.id : undefined;
  const differences = differencesIn(instruction, state.pricing, shown);
  const facts: Facts = {
    serviceStatus: answer.status,
    discrepancies: isUnpaid
      ? differences
      : [...strange.map((what) => `id: the service ${what}`), ...differences],
    shown,
    ...(otherId === undefined ? {} : { otherId }),
    at: answer.at,
  };
  if (state.status === 'failed' || state.status === 'returned') {
    const isSent =
      state.status === 'returned' || (state.basis !== 'refused' && state.transferId !== undefined);
    return word === 'finished' && isSent ? { kind: 'settle', ...facts } : undefined;
  }
  const unproven = isUnpaid ? [...strange, ...unprovenBy(payout, lookUp)] : [];
  if (word === 'returned' && unproven.length === 0) return { kind: 'return', ...withoutParts(facts) };
  if (isUnpaid && part === undefined)
    return afterUnpaidWord({ instruction, state }, { facts, unproven }, policy);
  const told =
    word === 'finished'
      ? withPartBefore(instruction, facts)
      : part === undefined
        ? withItsWord(state, facts)
        : facts;
  if (word === 'finished' && state.status === 'accepted') return { kind: 'settle', ...told };
  const hasChanged =
    !saysTheSame([state.serviceStatus ?? ''], [answer.status]) ||
    state.suspicion !== undefined ||
    otherId !== undefined ||
    !saysTheSame(state.discrepancies, told.discrepancies) ||
    state.shown?.amount !== shown.amount;
  return hasChanged ? { kind: 'progress', ...told } : undefined;
}

/**
 * That the look-up shows an unexpected id, as a part of a sentence about the service; otherwise empty. A transfer may have
 * one second id. “Failed” or “returned” under a new id is not believed after the first look.
 */
export function strangeIdIn(
  { state }: { readonly state: KnownIds },
  { id, status }: Pick<PollAnswer, 'id' | 'status'>,
  words: Words,
): readonly string[] {
  const { transferId, otherId, serviceStatus } = state;
  if (id === transferId || id === otherId) return [];
  const isUnpaid = ['failed', 'returned'].includes(meaningOf(status, words));
  const mayBeSecondId = otherId === undefined && !(isUnpaid && serviceStatus !== undefined);
  return mayBeSecondId ? [] : [`shows another id, “${id}”`];
}

interface KnownIds {
  readonly transferId?: TransferId | undefined;
  readonly otherId?: TransferId | undefined;
  readonly serviceStatus?: string | undefined;
}

/** Once the service said Finished, a word that does not mean paid is a difference. */
function withItsWord({ status }: Paid, facts: Facts): Facts {
  if (status === 'accepted') return facts;
  const word = `status: the service says “${facts.serviceStatus}” after Finished`;
  return { ...facts, discrepancies: [word, ...facts.discrepancies] };
}

/** Finished does not take back that a part came back; only the rest is then expected as the amount. */
function withPartBefore(instruction: Instruction, facts: Facts): Facts {
  if (cameBack(facts.shown) === 0n || isRest(instruction, facts.shown)) return facts;
  const word = `status: the service says “${facts.serviceStatus}” after a part came back`;
  return { ...facts, discrepancies: [word, ...facts.discrepancies] };
}

export function meaningOf(status: string, words: Words): 'finished' | 'failed' | 'returned' | 'pending' {
  const folded = status.trim().toLowerCase();
  const isIn = (list: readonly string[]) => list.some((word) => word.toLowerCase() === folded);
  if (folded === 'finished') return 'finished';
  if (isIn(words.failedWords)) return 'failed';
  if (isIn(words.returnedWords)) return 'returned';
  if (isIn(words.finishedWords)) return 'finished';
  return 'pending';
}

type Facts = LookedUp & Required<Pick<LookedUp, 'shown'>>;
type Paid = Extract<Payout['state'], { status: 'accepted' | 'settled' }>;

/** Two words of one meaning are the same answer twice. */
function afterUnpaidWord(
  { instruction, state }: { readonly instruction: Instruction; readonly state: Paid },
  { facts, unproven }: { readonly facts: Facts; readonly unproven: readonly string[] },
  words: Words,
): PayoutEvent | undefined {
  const { suspicion } = state;
  const suspected = withItsWord(state, facts);
  const isSame =
    suspicion !== undefined &&
    meaningOf(suspicion.word, words) === meaningOf(facts.serviceStatus, words) &&
    saysTheSame(suspicion.unproven, unproven) &&
    saysTheSame(differencesIn(instruction, state.pricing, state.shown ?? {}), facts.discrepancies);
  if (suspicion === undefined || !isSame)
    return { kind: 'suspect', ...suspected, ...(unproven.length === 0 ? {} : { unproven }) };
  if (unproven.length > 0) return undefined;
  if (facts.at - suspicion.firstAt < words.failConfirmMs) return undefined;
  const whole = withoutParts(facts);
  if (state.status === 'accepted') return { kind: 'fail', ...whole };
  return { kind: 'return', basis: 'failed_after_finished', ...whole };
}

/** Nothing of the payment stays paid, so parts do not matter any more. */
function withoutParts({ shown, ...facts }: Facts): Facts {
  return { ...facts, shown: given({ ...shown, back: undefined }) };
}

/**
 * When a transfer is looked at next. The first look comes when the service said it would be done, or when payments lately
 * were (`usualMs`); then less and less often, with jitter so that a batch does not ask all at once. Running out of looks is
 * no failure.
 */

interface PollMoment {
  readonly now: Timestamp;
  readonly sentAt: Timestamp;
  readonly speedSeconds: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

type Pace = Pick<Policy, 'pollMinMs' | 'pollMaxMs'>;

export function firstPollAt(
  moment: PollMoment & { readonly usualMs?: number | undefined },
  pace: Pace,
): Timestamp {
  const { sentAt, usualMs = 0 } = moment;
  return plusMs(
    sentAt,
    Math.max(pace.pollMinMs, expectedMs(moment, pace), Math.min(usualMs, pace.pollMaxMs)),
  );
}

/** Fewer payments prove nothing. */
const TIMES_MIN = 100;
const MOST = 0.95;
const SOONER = 0.8;
const BATCHES_KNOWN = 3;

/**
 * By when most payments of a corridor were finished lately, by how long they took in each of some batches, the newest first;
 * undefined: too few are known. A time is too long where nobody looked earlier: so the batch that was quickest counts, and
 * a part of its time alone. Otherwise each batch would be looked at later than the one before.
 */
export function usualMsOf(batches: readonly (readonly number[])[]): number | undefined {
  const known = batches.filter((times) => times.length >= TIMES_MIN).slice(0, BATCHES_KNOWN);
  if (known.length === 0) return undefined;
  const most = known.map(
    (times) => [...times].sort((one, other) => one - other)[Math.floor(times.length * MOST)],
  );
  return SOONER * Math.min(...most.map((ms = 0) => ms));
}

/** Half of the time since it was due: each wait is half as long again as the last, and no counter is needed. */
export function nextPollAt(moment: PollMoment, pace: Pace): Timestamp {
  const lateMs = moment.now - moment.sentAt - expectedMs(moment, pace);
  const delay = Math.min(Math.max(lateMs / 2, pace.pollMinMs), pace.pollMaxMs);
  return plusMs(moment.now, delay * (0.8 + 0.4 * moment.random));
}

function expectedMs({ speedSeconds }: PollMoment, pace: Pace): number {
  return Math.min((speedSeconds ?? 0) * 1000, pace.pollMaxMs);
}
