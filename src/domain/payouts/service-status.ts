/**
 * What a status word of the service means for a payout that it has. Only Finished is shown by the service;
 * other words for paid, failed and returned are configuration, and every other word is pending, shown verbatim.
 * After Finished, each word that does not mean paid is a difference.
 *
 * A word that says paid counts by the transfer's id. A word that makes a payment payable again counts only if the
 * look-up shows the payment itself: its amount, institution and receiver. An id may have been given twice.
 * A failure needs two equal answers some time apart: a temporary word must not make a payment payable again.
 */

import { formatMoney, type Money } from '../money/money.ts';
import { compareNames } from '../names/name-check.ts';
import type { Policy } from '../policy.ts';
import { LOOK_UP_FIELDS, type LookUpField } from '../settings.ts';
import { foldText } from '../text/fold.ts';
import { echoesOfAccount, withoutEchoes } from '../text/sensitive.ts';
import { plusMs, type Timestamp } from '../timestamp.ts';
import { amountDifference, otherMinorOf, saysTheSame } from './difference.ts';
import type { Instruction, TransferId } from './instruction.ts';
import { type Payout, type PayoutIn, type Pricing, placeNames } from './payout.ts';
import type { PayoutEvent } from './payout-event.ts';

interface PollAnswer {
  /** Verbatim, with control characters escaped. */
  readonly status: string;
  readonly discrepancies: readonly string[];
  /** Where the service shows another amount than the one asked for. */
  readonly shownMinor?: bigint | undefined;
  /** What came back, where the amount is the only reason why the word does not count. */
  readonly partBack?: Money | undefined;
  /** Why a word that makes the payment payable again does not count; empty when it does. See `unprovenBy`. */
  readonly unproven: readonly string[];
  /** A second name of the transfer that was not known before. */
  readonly otherId?: TransferId;
  readonly at: Timestamp;
}

/** What tells the service's words apart. */
export type Words = Pick<Policy, 'finishedWords' | 'failedWords' | 'returnedWords' | 'failConfirmMs'>;

/** The event for the answer; undefined when nothing changed. */
export function eventOfPoll(
  payout: PayoutIn<'accepted' | 'settled' | 'failed' | 'returned'>,
  answer: PollAnswer,
  words: Words,
): PayoutEvent | undefined {
  const { state } = payout;
  const { at, discrepancies, otherId, shownMinor, unproven, partBack } = answer;
  const other = otherId === undefined ? {} : { otherId };
  const shownAs = shownMinor === undefined ? {} : { shownMinor };
  const facts = { serviceStatus: answer.status, discrepancies, ...shownAs, ...other, at };
  const word = meaningOf(answer.status, words);
  if (state.status === 'failed' || state.status === 'returned') {
    const isSent =
      state.status === 'returned' || (state.basis !== 'refused' && state.transferId !== undefined);
    return word === 'finished' && isSent ? { kind: 'settle', ...facts } : undefined;
  }
  if (word === 'returned' && unproven.length === 0) return { kind: 'return', ...facts };
  if (word === 'finished' && state.status === 'accepted') return { kind: 'settle', ...facts };
  const isPartBack = word === 'returned' && state.status === 'settled' && partBack !== undefined;
  if (!isPartBack && (word === 'failed' || word === 'returned'))
    return afterUnpaidWord(state, { facts, unproven }, words);
  const shown = isPartBack
    ? cameBackInPart(payout.instruction, partBack, facts)
    : word === 'finished'
      ? facts
      : withItsWord(state, facts);
  const isNews =
    !saysTheSame([state.serviceStatus ?? ''], [answer.status]) ||
    state.suspicion !== undefined ||
    otherId !== undefined ||
    !saysTheSame(state.discrepancies, shown.discrepancies);
  return isNews ? { kind: 'progress', ...shown } : undefined;
}

/** Once the service said Finished, a word that does not mean paid is a difference. */
function withItsWord({ status }: Paid, facts: Facts): Facts {
  if (status === 'accepted') return facts;
  const word = `status: the service says “${facts.serviceStatus}” after Finished`;
  return { ...facts, discrepancies: [word, ...facts.discrepancies] };
}

function cameBackInPart({ amount }: Instruction, back: Money, { shownMinor: _, ...facts }: Facts): Facts {
  const text = `returned: ${formatMoney(back)} of ${formatMoney(amount)} came back`;
  return { ...facts, discrepancies: [text], returnedMinor: back.minor };
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

interface Facts {
  readonly serviceStatus: string;
  readonly discrepancies: readonly string[];
  readonly shownMinor?: bigint;
  readonly returnedMinor?: bigint;
  readonly otherId?: TransferId;
  readonly at: Timestamp;
}
type Paid = Extract<Payout['state'], { status: 'accepted' | 'settled' }>;

function afterUnpaidWord(
  state: Paid,
  { facts, unproven }: { readonly facts: Facts; readonly unproven: readonly string[] },
  { failConfirmMs }: Words,
): PayoutEvent | undefined {
  const { suspicion } = state;
  const suspected = withItsWord(state, facts);
  const isSame =
    saysTheSame([suspicion?.word ?? ''], [facts.serviceStatus]) &&
    saysTheSame(suspicion?.unproven, unproven) &&
    saysTheSame(state.discrepancies, suspected.discrepancies);
  if (suspicion === undefined || !isSame)
    return { kind: 'suspect', ...suspected, ...(unproven.length === 0 ? {} : { unproven }) };
  if (unproven.length > 0) return undefined;
  if (facts.at - suspicion.firstAt < failConfirmMs) return undefined;
  if (state.status === 'accepted') return { kind: 'fail', ...facts };
  return { kind: 'return', basis: 'failed_after_finished', ...facts };
}

/**
 * When a transfer is looked at next. The first look comes when the service said it would be done; then less
 * and less often, with jitter so that a batch does not ask all at once. Running out of looks is no failure.
 */

interface PollMoment {
  readonly now: Timestamp;
  readonly sentAt: Timestamp;
  readonly speedSeconds: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

type Pace = Pick<Policy, 'pollMinMs' | 'pollMaxMs'>;

export function firstPollAt(moment: PollMoment, pace: Pace): Timestamp {
  return plusMs(moment.sentAt, Math.max(pace.pollMinMs, expectedMs(moment, pace)));
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

/**
 * Where the service's account of a transfer differs from what was asked. The money has moved, so a difference stops
 * nothing; a person looks at it. The interface does not show in which currency the amount of a transaction is counted.
 */

interface SeenTransfer {
  readonly amount: string | undefined;
  readonly receiver: string | undefined;
  readonly institution: string | undefined;
  readonly destination: string | undefined;
}

/** Sentences; none when everything that the service shows agrees. No sentence shows the whole account. */
export function discrepanciesOf(
  instruction: Instruction,
  pricing: Pricing,
  seen: SeenTransfer,
): readonly string[] {
  const { institution, country } = placeNames(instruction, pricing);
  const found = [
    ...amountDifference(instruction, pricing, seen.amount),
    ...textDifference('institution', institution, seen.institution),
    ...textDifference('destination', country, seen.destination),
    ...receiverDifference(pricing, seen.receiver),
  ];
  return found.map((text) => withoutEchoes(text, echoesOfAccount(instruction.account.reveal())));
}

/** Without these three a look-up may be about anybody's transfer. */
export const TELLING: readonly LookUpField[] = ['amount', 'institution', 'receiver'];

interface LookUp {
  readonly seen: SeenTransfer;
  /** Those that this service shows. */
  readonly lookUpFields: readonly LookUpField[];
}

/** Why the look-up may be about another transfer than this payment's, as parts of a sentence about the service. */
export function unprovenBy(instruction: Instruction, pricing: Pricing, lookUp: LookUp): readonly string[] {
  const { seen } = lookUp;
  const found = unprovenFields(instruction, pricing, lookUp).map(({ field }) =>
    isShown(seen, field) ? `shows another ${field}: “${seen[field]}”` : `does not show the ${field}`,
  );
  return found.map((text) => withoutEchoes(text, echoesOfAccount(instruction.account.reveal())));
}

/** What came back, where the amount is the only reason why a word for returned does not count. */
export function partBackOf(instruction: Instruction, pricing: Pricing, lookUp: LookUp): Money | undefined {
  const fields = unprovenFields(instruction, pricing, lookUp).map(({ field }) => field);
  const minor = otherMinorOf(instruction, pricing, lookUp.seen.amount);
  const isPart = minor !== undefined && minor > 0n && minor < instruction.amount.minor;
  return fields.join() === 'amount' && isPart ? { minor, currency: instruction.amount.currency } : undefined;
}

/** The same for a transfer that a person names, as sentences with what was asked. */
export function misfitsOf(instruction: Instruction, pricing: Pricing, lookUp: LookUp): readonly string[] {
  const found = unprovenFields(instruction, pricing, lookUp).map(({ text }) => text);
  return found.map((text) => withoutEchoes(text, echoesOfAccount(instruction.account.reveal())));
}

/** None when the look-up shows the payment itself. */
function unprovenFields(
  instruction: Instruction,
  pricing: Pricing,
  { seen, lookUpFields }: LookUp,
): readonly { readonly field: LookUpField; readonly text: string }[] {
  const { receiver } = seen;
  const { institution, country } = placeNames(instruction, pricing);
  const others: Readonly<Record<LookUpField, readonly string[]>> = {
    amount: amountDifference(instruction, pricing, seen.amount),
    institution: textDifference('institution', institution, seen.institution),
    receiver: isReceiver(instruction, pricing, receiver) ? [] : [receiverText(pricing.wireName, receiver)],
    destination: textDifference('destination', country, seen.destination),
  };
  return LOOK_UP_FIELDS.flatMap((field) => {
    if (isShown(seen, field)) return others[field].map((text) => ({ field, text }));
    const isMissing = TELLING.includes(field) && lookUpFields.includes(field);
    return isMissing ? [{ field, text: `${field}: the service does not show it` }] : [];
  });
}

export function isShown(seen: SeenTransfer, field: LookUpField): boolean {
  return (seen[field] ?? '').trim() !== '';
}

/** The name that was sent, or the holder whom the service had named, as surely as a name check says it. */
function isReceiver({ destinationIso }: Instruction, { wireName, nameCheck }: Pricing, seen = ''): boolean {
  return [wireName, nameCheck.resolved ?? ''].some(
    (name) => name !== '' && (name === seen || compareNames(name, seen, destinationIso).result === 'match'),
  );
}

function textDifference(what: string, asked: string, seen: string | undefined): string[] {
  if (seen === undefined || seen.trim() === '' || foldText(seen) === foldText(asked)) return [];
  return [`${what}: the service shows “${seen}”, asked was “${asked}”`];
}

/** The holder that the service named is not another receiver: a person agreed to that name. */
function receiverDifference({ wireName, nameCheck }: Pricing, seen: string | undefined): string[] {
  if (seen === undefined || seen.trim() === '' || wireName === '') return [];
  const known = [wireName, nameCheck.resolved ?? ''].filter((name) => name !== '');
  const isKnown = known.some((name) => name === seen || compareNames(name, seen).result !== 'no_match');
  return isKnown ? [] : [receiverText(wireName, seen)];
}

function receiverText(asked: string, seen = ''): string {
  return `receiver: the service shows “${seen}”, asked was “${asked}”`;
}
