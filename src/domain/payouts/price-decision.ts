/**
 * What pricing decides about one planned payout: quoted, held for a person, or not payable as written.
 *
 * Pure: everything that was learnt comes in, one event goes out. A reason that a person released is not asked again.
 */

import { checkDigitDoubt, lengthWithZero } from '../accounts/account-faults.ts';
import { formsToTry, writtenAccountOf } from '../accounts/read-account.ts';
import { debitOf, percentOf } from '../money/decimal.ts';
import { clipped, compareNames, type NameCheck, nameCheckText } from '../names/name-check.ts';
import { whyNotWholeName } from '../names/partial-name.ts';
import { limitReasons } from '../plan/limits.ts';
import { daysMs, type Policy } from '../policy.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import type { Instruction, Quote } from './instruction.ts';
import { placeOf, wordOf } from './instruction-keys.ts';
import type { HoldReason, PaymentPointer, PayoutIn, Pricing, Release } from './payout.ts';
import type { EventOf } from './payout-event.ts';

/** What the service said of the account. */
export type NameAnswer =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface Findings {
  readonly nameAnswer: NameAnswer;
  /** The service's words when it declines to quote this payment. */
  readonly quote: Quote | { readonly declined: string };
  /** Living payments that this one repeats, with whether all of it is the same. */
  readonly repeats: readonly { readonly pointer: PaymentPointer; readonly isSamePayment: boolean }[];
  /** The person answered this once for the same institution, account and two names. */
  readonly isNameReleased: boolean;
  /** The person was paid to another account before, and nobody released that. */
  readonly accountChange?: HoldReason | undefined;
  readonly now: Timestamp;
}

export function decidePrice(
  payout: PayoutIn<'planned'>,
  findings: Findings,
  policy: Policy,
): EventOf<'price' | 'hold' | 'invalidate'> {
  const { instruction, state } = payout;
  const nameCheck = withDigitDoubt(nameCheckOf(instruction, findings.nameAnswer), instruction);
  const isReleased = isNameLetGo(payout, nameCheck, findings);
  const wireName = wireNameOf(instruction, nameCheck, isReleased);
  if (wireName === undefined && nameCheck.result === 'not_found')
    return nameMissing(instruction, findings.now);
  const notes: string[] = [];
  const word = nameWord(instruction, nameCheck, policy);
  const nameText = nameCheckText(nameCheck, instruction.name);
  const reasons = [
    ...nameReasons(nameCheck, nameText, { word, isReleased, hasName: wireName !== undefined }),
    ...zeroLostReasons(instruction, nameCheck),
    ...(findings.accountChange === undefined ? [] : [findings.accountChange]),
    ...repeatReasons(findings, policy, notes),
    ...limitReasons(instruction.amount, policy.limits),
    ...quoteReasons(instruction, findings.quote, policy),
  ].filter((reason) => isNameReason(reason) || isStillAsked(reason, state.releases));
  if (word === 'warn') notes.push(nameText);
  if (word === 'hold' && isReleased) notes.push(`${nameText} (released by a person)`);
  const quote = 'declined' in findings.quote ? undefined : findings.quote;
  const pricing: Pricing = { nameCheck, quote, wireName: wireName ?? '', notes };
  return reasons.length > 0
    ? { kind: 'hold', reasons, pricing, at: findings.now }
    : { kind: 'price', pricing, at: findings.now };
}

/** A newer quote for a payout that waits for approval. If the fee is now too high, a person is asked. */
export function decideRequote(
  payout: PayoutIn<'quoted'>,
  quote: Quote,
  moment: { readonly policy: Policy; readonly now: Timestamp },
): EventOf<'price' | 'hold'> {
  const { state, instruction } = payout;
  const pricing = { ...state.pricing, quote };
  const reasons = quoteReasons(instruction, quote, moment.policy).filter((reason) =>
    isStillAsked(reason, state.releases),
  );
  return reasons.length > 0
    ? { kind: 'hold', reasons, pricing, at: moment.now }
    : { kind: 'price', pricing, at: moment.now };
}

/** Where the name is another or not known, a wrong digit is the likeliest cause. A match says that the account is right. */
function withDigitDoubt(check: NameCheck, instruction: Instruction): NameCheck {
  const doubt = check.result === 'match' ? undefined : checkDigitDoubt(writtenAccountOf(instruction));
  return doubt === undefined ? check : { ...check, reason: `${check.reason}; ${doubt}` };
}

/** The word for what the service answered, with its reason. */
function nameCheckOf(instruction: Instruction, answer: NameAnswer): NameCheck {
  switch (answer.kind) {
    case 'unavailable':
      return { result: 'unavailable', resolved: undefined, reason: answer.reason };
    case 'not_found':
      return { result: 'not_found', resolved: undefined, reason: notFoundReason(instruction) };
    case 'name': {
      const lack = whyNotWholeName(answer.name);
      if (lack === 'none') return noName(answer.name);
      if (instruction.name === undefined) {
        if (lack === 'part') return noName(answer.name);
        return {
          result: 'match',
          resolved: answer.name,
          reason: 'no name in the file; filled in from the account',
        };
      }
      return {
        ...compareNames(instruction.name, answer.name, instruction.destinationIso),
        resolved: answer.name,
      };
    }
  }
}

function notFoundReason(instruction: Instruction): string {
  const forms = formsToTry(instruction);
  return `the service knows no such account${forms === undefined ? '' : `. ${forms}`}`;
}

function noName(answer: string): NameCheck {
  const shown = clipped(answer).trim();
  const reason =
    shown === ''
      ? 'the service gave an empty name'
      : `the service answered “${shown}”, which is no whole name`;
  return { result: 'unavailable', resolved: undefined, reason };
}

function isNameLetGo(payout: PayoutIn<'planned'>, check: NameCheck, findings: Findings): boolean {
  if (findings.isNameReleased) return true;
  // A release is for this pair of names: if the account has another holder later, a person is asked again.
  if (check.resolved !== undefined && payout.instruction.name !== undefined) return false;
  return payout.state.releases.some((release) => release.kinds.includes(nameKind(check)));
}

/** On a match or a release with a resolved name the account's own name goes on the wire, else the file's. */
function wireNameOf(instruction: Instruction, check: NameCheck, isReleased: boolean): string | undefined {
  const { resolved } = check;
  // Hidden letters are not to be sent as somebody's name.
  const isWhole = resolved !== undefined && whyNotWholeName(resolved) === undefined;
  if (isWhole && (check.result === 'match' || isReleased)) return resolved;
  return instruction.name ?? resolved;
}

function nameWord(instruction: Instruction, check: NameCheck, policy: Policy) {
  const word = policy.names[check.result];
  // Without any name there is nothing to warn about and nothing to send: a person has to look.
  return check.result === 'unavailable' && instruction.name === undefined ? 'hold' : word;
}

interface NameVerdict {
  readonly word: 'ok' | 'warn' | 'hold';
  readonly isReleased: boolean;
  readonly hasName: boolean;
}

function nameReasons(check: NameCheck, text: string, verdict: NameVerdict): HoldReason[] {
  if (verdict.word !== 'hold' || (verdict.isReleased && verdict.hasName)) return [];
  return [{ kind: nameKind(check), text }];
}

function nameKind(check: NameCheck): HoldReason['kind'] {
  switch (check.result) {
    case 'close_match':
      return 'name_close_match';
    case 'not_found':
      return 'name_not_found';
    case 'unavailable':
      return 'name_unavailable';
    default:
      return 'name_no_match';
  }
}

function repeatReasons(findings: Findings, policy: Policy, notes: string[]): HoldReason[] {
  const since = findings.now - daysMs(policy.duplicateWindowDays);
  const reasons: HoldReason[] = [];
  for (const { pointer, isSamePayment } of findings.repeats) {
    const place = placeOf(pointer);
    const day = formatTimestamp(pointer.at).slice(0, 10);
    if (pointer.at < since) {
      // Newest first; a salary of many months needs one note.
      if (notes.length > 0) continue;
      notes.push(
        `Paid before on ${day} (${place}), outside the window of ${policy.duplicateWindowDays} days`,
      );
    } else if (isSamePayment) {
      reasons.push({
        kind: 'duplicate_payment',
        text: `Same payment as ${place}, ${wordOf(pointer)} ${day}`,
        pointer,
      });
    } else {
      reasons.push({
        kind: 'reference_paid',
        text: `Another payment has its reference, with another account or amount: ${place}, ${wordOf(pointer)} ${day}`,
        pointer,
      });
    }
  }
  return reasons.slice(0, 3);
}

function quoteReasons(instruction: Instruction, quote: Findings['quote'], policy: Policy): HoldReason[] {
  if ('declined' in quote)
    return [{ kind: 'no_quote', text: `The service gives no quote: ${quote.declined}` }];
  const debit = debitOf(instruction.amount, quote);
  if (debit === undefined) return [];
  const percent = percentOf(quote.fee, debit);
  if (percent <= policy.feePercentMax) return [];
  return [
    {
      kind: 'fee_too_high',
      text: `The fee is ${percent.toFixed(1)} % of what is debited (limit ${policy.feePercentMax} %)`,
    },
  ];
}

/** Whether a name is released was decided with the name; without any name it never is. */
function isNameReason(reason: HoldReason): boolean {
  return reason.kind.startsWith('name_');
}

function isStillAsked(reason: HoldReason, releases: readonly Release[]): boolean {
  return !releases.some((release) => release.kinds.includes(reason.kind));
}

/** Without its leading zero a number is another account; only the name in the file can prove that it is right. */
function zeroLostReasons(instruction: Instruction, check: NameCheck): HoldReason[] {
  const length = lengthWithZero(writtenAccountOf(instruction));
  if (length === undefined || (check.result === 'match' && instruction.name !== undefined)) return [];
  const text = `The account has ${length - 1} digits where ${length} are usual, so its leading 0 may be lost. No name proves that it is right`;
  return [{ kind: 'account_zero_lost', text }];
}

/** Invalid and not held: nothing that a person could release would put a name on the wire. */
function nameMissing(instruction: Instruction, at: Timestamp): EventOf<'invalidate'> {
  const forms = formsToTry(instruction);
  const issue = {
    kind: 'name_missing',
    field: 'name' as const,
    column: undefined,
    columnLetter: undefined,
    seen: '',
    expected: 'the account holder’s name, because the service knows no such account and cannot fill it in',
    suggestion: `Write the name, or correct the account number.${forms === undefined ? '' : ` ${forms}.`}`,
  };
  return { kind: 'invalidate', issues: [issue], at };
}
