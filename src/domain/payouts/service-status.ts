/**
 * What a status word of the service means for a payout that it has. Only Finished is shown by the service;
 * the failure and return words are configuration, and every other word is pending, shown verbatim.
 *
 * A word that says paid counts by the transfer's id. A word that makes a payment payable again counts only if the
 * look-up shows the payment itself: its amount, institution and receiver. An id may have been given twice.
 * A failure needs two equal answers some time apart: a temporary word must not make a payment payable again.
 */

import { debitOf, isEqualDecimal, isWithinPercent } from '../money/decimal.ts';
import { formatDecimal, formatMoney } from '../money/money.ts';
import { compareNames } from '../names/name-check.ts';
import type { Policy } from '../policy.ts';
import { LOOK_UP_FIELDS, type LookUpField } from '../settings.ts';
import { foldText } from '../text/fold.ts';
import { echoesOfAccount, withoutEchoes } from '../text/sensitive.ts';
import { plusMs, type Timestamp } from '../timestamp.ts';
import type { Instruction, TransferId } from './instruction.ts';
import { type Payout, type PayoutIn, type Pricing, placeNames } from './payout.ts';
import type { PayoutEvent } from './payout-event.ts';

interface PollAnswer {
  /** Verbatim, with control characters escaped. */
  readonly status: string;
  readonly discrepancies: readonly string[];
  /** Why a word that makes the payment payable again does not count; empty when it does. See `unprovenBy`. */
  readonly unproven: readonly string[];
  /** A second name of the transfer that was not known before. */
  readonly otherId?: TransferId;
  readonly at: Timestamp;
}

/** What tells the service's words apart. */
export type Words = Pick<Policy, 'failedWords' | 'returnedWords' | 'failConfirmMs'>;

/** The event for the answer; undefined when nothing changed. */
export function eventOfPoll(
  payout: PayoutIn<'accepted' | 'settled' | 'failed' | 'returned'>,
  answer: PollAnswer,
  words: Words,
): PayoutEvent | undefined {
  const { state } = payout;
  const { at, discrepancies, otherId, unproven } = answer;
  const other = otherId === undefined ? {} : { otherId };
  const facts = { serviceStatus: answer.status, discrepancies, ...other, at };
  const word = meaningOf(answer.status, words);
  if (state.status === 'failed' || state.status === 'returned') {
    const isSent =
      state.status === 'returned' || (state.basis !== 'refused' && state.transferId !== undefined);
    return word === 'finished' && isSent ? { kind: 'settle', ...facts } : undefined;
  }
  if (word === 'returned' && unproven.length === 0) return { kind: 'return', ...facts };
  // A settled payment stays settled unless it came back: a word of an earlier stage proves nothing.
  if (state.status === 'settled') return undefined;
  if (word === 'finished') return { kind: 'settle', ...facts };
  if (word !== 'pending') return afterUnpaidWord(state, { facts, unproven }, words);
  const isNews =
    state.serviceStatus !== answer.status ||
    state.suspicion !== undefined ||
    otherId !== undefined ||
    state.discrepancies.join() !== discrepancies.join();
  return isNews ? { kind: 'progress', ...facts } : undefined;
}

export function meaningOf(status: string, words: Words): 'finished' | 'failed' | 'returned' | 'pending' {
  const folded = status.trim().toLowerCase();
  if (folded === 'finished') return 'finished';
  if (words.failedWords.some((word) => word.toLowerCase() === folded)) return 'failed';
  if (words.returnedWords.some((word) => word.toLowerCase() === folded)) return 'returned';
  return 'pending';
}

type Facts = {
  serviceStatus: string;
  discrepancies: readonly string[];
  otherId?: TransferId;
  at: Timestamp;
};
type Accepted = Extract<Payout['state'], { status: 'accepted' }>;

function afterUnpaidWord(
  { suspicion, discrepancies }: Accepted,
  { facts, unproven }: { readonly facts: Facts; readonly unproven: readonly string[] },
  { failConfirmMs }: Words,
): PayoutEvent | undefined {
  const isSame =
    suspicion?.word.toLowerCase() === facts.serviceStatus.toLowerCase() &&
    (suspicion.unproven ?? []).join() === unproven.join() &&
    discrepancies.join() === facts.discrepancies.join();
  if (suspicion === undefined || !isSame)
    return { kind: 'suspect', ...facts, ...(unproven.length === 0 ? {} : { unproven }) };
  if (unproven.length > 0) return undefined;
  return facts.at - suspicion.firstAt >= failConfirmMs ? { kind: 'fail', ...facts } : undefined;
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
 * Where the service's account of a transfer differs from what was asked. A difference is a line in the
 * report, never a stop: the money has moved, and the interface does not show in which currency the amount
 * of a transaction is counted.
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
    ...receiverDifference(pricing.wireName, seen.receiver),
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

/**
 * Whether this is somebody else's transaction: amount, receiver and institution are all shown, and none is what was
 * asked. It then proves no first transfer. What is not shown does not count as different.
 */
export function isAnotherPayment(instruction: Instruction, pricing: Pricing, seen: SeenTransfer): boolean {
  // One after the other: the first that agrees, mostly the amount, spares comparing names.
  return [
    () => amountDifference(instruction, pricing, seen.amount),
    () => textDifference('institution', placeNames(instruction, pricing).institution, seen.institution),
    () => receiverDifference(pricing.wireName, seen.receiver),
  ].every((differences) => differences().length > 0);
}

function amountDifference(instruction: Instruction, pricing: Pricing, seen: string | undefined): string[] {
  if (seen === undefined) return [];
  const asked = formatDecimal(instruction.amount);
  const isEqual = isEqualDecimal(seen, asked);
  if (isEqual === undefined) return [`amount: the service shows “${seen}”`];
  if (isEqual) return [];
  const debit = pricing.quote === undefined ? undefined : debitOf(instruction.amount, pricing.quote);
  if (debit !== undefined && isWithinPercent(seen, formatDecimal(debit), 1)) return [];
  const debited = debit === undefined ? '' : ` or ${formatMoney(debit)} debited`;
  return [`amount: the service shows ${seen}, asked was ${formatMoney(instruction.amount)}${debited}`];
}

function textDifference(what: string, asked: string, seen: string | undefined): string[] {
  if (seen === undefined || seen.trim() === '' || foldText(seen) === foldText(asked)) return [];
  return [`${what}: the service shows “${seen}”, asked was “${asked}”`];
}

function receiverDifference(asked: string, seen: string | undefined): string[] {
  if (seen === undefined || seen.trim() === '' || asked === '' || seen === asked) return [];
  if (compareNames(asked, seen).result !== 'no_match') return [];
  return [receiverText(asked, seen)];
}

function receiverText(asked: string, seen = ''): string {
  return `receiver: the service shows “${seen}”, asked was “${asked}”`;
}
