/**
 * What pricing decides about a payout: quoted, held for a person, or not payable as written. `concernsOf` is the one
 * function that finds concerns: when a row is priced, when its quote is renewed, and when it is approved.
 *
 * Pure: everything that was learnt comes in, one event goes out. A concern that a person released is not asked about again.
 */

import { checkDigitDoubt, lengthWithZero } from '../accounts/account-faults.ts';
import { formsToTry, writtenAccountOf } from '../accounts/read-account.ts';
import { debitOf, feeOf, percentOf } from '../money/decimal.ts';
import { clipped, compareNames, type NameCheck, nameCheckText } from '../names/name-check.ts';
import { whyNotWholeName } from '../names/partial-name.ts';
import { limitReasons } from '../plan/limits.ts';
import type { Policy } from '../policy.ts';
import type { Institution } from '../rows/directory.ts';
import type { Timestamp } from '../timestamp.ts';
import { accountMark, type Concern, isReleased, openReasons, type Release } from './concern.ts';
import type { Instruction, Quote } from './instruction.ts';
import type { HoldReason, PayoutIn, Pricing } from './payout.ts';
import type { EventOf } from './payout-event.ts';
import { countsAsRepeat, paidBeforeNote, type Repeat, repeatReasons, repeatWindow } from './repeat.ts';

/** What the service said of the account. */
export type NameAnswer =
  | { readonly kind: 'name'; readonly name: string }
  /** It gave no name, in its own words. */
  | { readonly kind: 'not_found'; readonly words: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** What the service's lists say about where a payout comes from and goes to. */
export interface Place {
  /** The name of the country that pays. */
  readonly sourceName: string;
  readonly countryName: string;
  /** `unknown`: the service gave no list; undefined: its list does not have the institution. */
  readonly institution: Pick<Institution, 'name' | 'currency'> | 'unknown' | undefined;
}

export interface Findings extends Beside {
  readonly nameAnswer: NameAnswer;
  /** When the service was asked for the name: one answer serves many rows, and grows old meanwhile. */
  readonly nameCheckedAt: Timestamp;
  /** The service's words when it declines to quote this payment. */
  readonly quote: Quote | { readonly declined: string };
}

/** What is not the payout's own: other payments, lists, and what a person said before. */
export interface Beside {
  readonly place: Place;
  /** Payments that come before this one and may be the same. */
  readonly repeats: readonly Repeat[];
  /** The person was paid to another account before. */
  readonly otherAccount?: HoldReason | undefined;
  /** A person released these two names for this account, for whatever payment. */
  readonly isNameRemembered: boolean;
  readonly now: Timestamp;
}

export type Waiting = PayoutIn<'planned'> | PayoutIn<'quoted'>;

export function decidePrice(
  payout: PayoutIn<'planned'>,
  findings: Findings,
  policy: Policy,
): EventOf<'price' | 'hold' | 'invalidate'> {
  const { instruction } = payout;
  const { nameAnswer, nameCheckedAt, quote, now } = findings;
  const nameCheck = checkName(instruction, nameAnswer);
  if (nameAnswer.kind === 'not_found' && instruction.name === undefined)
    return nameMissing(instruction, nameAnswer.words, now);
  const learnt = { nameCheck, nameCheckedAt, quote: 'declined' in quote ? undefined : quote };
  const event = decideAs(payout, learnt, findings, policy);
  return 'declined' in quote ? withWords(event, quote.declined) : event;
}

type Learnt = Pick<Pricing, 'nameCheck' | 'nameCheckedAt' | 'quote'>;

/** What follows from a name, a quote and a place, for a payout that was priced before as well. */
export function decideAs(
  payout: Waiting,
  learnt: Learnt,
  beside: Beside,
  policy: Policy,
): EventOf<'price' | 'hold'> {
  const { instruction, state } = payout;
  const { nameCheck, nameCheckedAt, quote } = learnt;
  const { place, now } = beside;
  const { sourceName, countryName, institution: listed } = place;
  const institutionName =
    listed === undefined || listed === 'unknown' ? instruction.institutionName : listed.name;
  const releases = releasesWith(state, instruction, learnt, beside);
  const isLetGo = isReleased(nameConcern(instruction, learnt.nameCheck), releases);
  const known = { sourceName, countryName, institutionName, nameCheck, nameCheckedAt, quote };
  const pricing: Pricing = {
    ...known,
    wireName: wireNameOf(instruction, learnt.nameCheck, isLetGo) ?? '',
    notes: notesOf(instruction, known, beside, { policy, isLetGo }),
  };
  const reasons = openReasons(concernsOf({ instruction, pricing }, beside, policy), releases);
  return reasons.length > 0
    ? { kind: 'hold', reasons, pricing, at: now }
    : { kind: 'price', pricing, at: now };
}

/** With what the service said when it declined to quote. */
function withWords<Decided extends EventOf<'price' | 'hold'>>(event: Decided, declined: string): Decided {
  if (event.kind !== 'hold') return event;
  const reasons = event.reasons.map((reason) =>
    reason.concern.kind === 'no_quote' ? { ...reason, text: `${reason.text}: ${declined}` } : reason,
  );
  return { ...event, reasons };
}

/** Every concern about a payout with this pricing, released or not. */
export function concernsOf(
  { instruction, pricing }: { readonly instruction: Instruction; readonly pricing: Pricing },
  beside: Beside,
  policy: Policy,
): readonly HoldReason[] {
  const { nameCheck, quote } = pricing;
  return [
    ...nameReasons(instruction, pricing, policy),
    ...zeroLostReasons(instruction, nameCheck),
    ...(beside.otherAccount === undefined ? [] : [beside.otherAccount]),
    ...repeatReasons(
      beside.repeats.filter((repeat) => countsAsRepeat(repeat, repeatWindow(beside.now, policy))),
    ),
    ...limitReasons(instruction.amount, policy.limits),
    ...institutionReasons(instruction, beside.place),
    ...quoteReasons(instruction, quote, policy),
  ];
}

/** The concerns of a payout that waits for approval that nobody released. */
export function openConcerns(
  payout: PayoutIn<'quoted'>,
  beside: Beside,
  policy: Policy,
): readonly HoldReason[] {
  const { instruction, state } = payout;
  const releases = releasesWith(state, instruction, state.pricing, beside);
  return openReasons(concernsOf({ instruction, pricing: state.pricing }, beside, policy), releases);
}

/** A remembered name counts like a release of this payout. */
function releasesWith(
  { releases }: Waiting['state'],
  instruction: Instruction,
  { nameCheck }: Pick<Pricing, 'nameCheck'>,
  { isNameRemembered }: Beside,
): readonly Pick<Release, 'saw'>[] {
  return isNameRemembered ? [...releases, { saw: [nameConcern(instruction, nameCheck)] }] : releases;
}

interface Noting {
  readonly policy: Policy;
  /** A person released the two names. */
  readonly isLetGo: boolean;
}

function notesOf(
  instruction: Instruction,
  known: Pick<Pricing, 'nameCheck' | 'sourceName' | 'countryName' | 'institutionName'>,
  beside: Beside,
  { policy, isLetGo }: Noting,
): readonly string[] {
  const notes: string[] = [];
  const { nameCheck, sourceName, countryName, institutionName } = known;
  const word = nameWord(instruction, nameCheck, policy);
  const text = nameCheckText(nameCheck, instruction.name);
  if (word === 'warn') notes.push(text);
  if (word === 'hold' && isLetGo) notes.push(`${text} (released by a person)`);
  notes.push(...renamedNotes('source country', sourceName, instruction.sourceName));
  notes.push(...renamedNotes('country', countryName, instruction.destinationName));
  notes.push(...renamedNotes('institution', institutionName, instruction.institutionName));
  const window = repeatWindow(beside.now, policy);
  const old = beside.repeats.find(
    (repeat) => repeat.pointer.status === 'settled' && !countsAsRepeat(repeat, window),
  );
  // Newest first; a salary of many months needs one note.
  if (old !== undefined) notes.push(paidBeforeNote(old, policy.duplicateWindowDays));
  return notes;
}

/** Without a name of now, nothing is known of a newer one. */
function renamedNotes(what: string, now: string, read: string): readonly string[] {
  if (now === '' || now === read) return [];
  return [`The service calls the ${what} “${now}” now; the file was read with “${read}”`];
}

/** Where the name is another or not known, a wrong digit is the likeliest cause. A match says that the account is right. */
export function checkName(instruction: Instruction, answer: NameAnswer): NameCheck {
  const check = nameCheckOf(instruction, answer);
  const doubt = check.result === 'match' ? undefined : checkDigitDoubt(writtenAccountOf(instruction));
  return doubt === undefined ? check : { ...check, reason: `${check.reason}; ${doubt}` };
}

function nameCheckOf(instruction: Instruction, answer: NameAnswer): NameCheck {
  switch (answer.kind) {
    case 'unavailable':
      return { result: 'unavailable', resolved: undefined, reason: answer.reason };
    case 'not_found':
      return { result: 'not_found', resolved: undefined, reason: notFoundReason(instruction, answer.words) };
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

function notFoundReason(instruction: Instruction, words: string): string {
  const forms = formsToTry(instruction);
  return `the service gives no name for this account: ${words}${forms === undefined ? '' : `. ${forms}`}`;
}

function noName(answer: string): NameCheck {
  const shown = clipped(answer).trim();
  const reason =
    shown === ''
      ? 'the service gave an empty name'
      : `the service answered “${shown}”, which is no whole name`;
  return { result: 'unavailable', resolved: undefined, reason };
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

function nameReasons(
  instruction: Instruction,
  { nameCheck }: Pricing,
  policy: Policy,
): readonly HoldReason[] {
  if (nameWord(instruction, nameCheck, policy) !== 'hold') return [];
  const text = nameCheckText(nameCheck, instruction.name);
  return [{ concern: nameConcern(instruction, nameCheck), text }];
}

function nameConcern(instruction: Instruction, { resolved }: NameCheck): Concern {
  const { institutionId, name } = instruction;
  const account = accountMark(instruction, instruction.account.reveal());
  return { kind: 'name', institutionId, account, written: name ?? '', holder: resolved ?? '' };
}

export function institutionReasons(
  { institutionId, institutionName, amount }: Instruction,
  { institution }: Place,
): readonly HoldReason[] {
  if (institution === 'unknown' || institution?.currency === amount.currency) return [];
  const { name, currency } = institution ?? { name: '', currency: '' };
  const text =
    institution === undefined
      ? `The service no longer lists ${institutionName}`
      : `${name} is paid in ${currency} now; the row is in ${amount.currency}`;
  return [{ concern: { kind: 'institution', institutionId, name, currency }, text }];
}

function quoteReasons(
  instruction: Instruction,
  quote: Quote | undefined,
  policy: Policy,
): readonly HoldReason[] {
  if (quote === undefined) return [{ concern: { kind: 'no_quote' }, text: 'The service gives no quote' }];
  const { amount } = instruction;
  const [debit, fee] = [debitOf(amount, quote), feeOf(quote)];
  if (debit === undefined || fee === undefined) return [];
  const percent = percentOf(quote.fee, debit);
  if (percent <= policy.feePercentMax) return [];
  const text = `The fee is ${percent.toFixed(1)} % of what is debited (limit ${policy.feePercentMax} %)`;
  const { minor: feeMinor, currency } = fee;
  return [{ concern: { kind: 'fee', minor: amount.minor, feeMinor, currency }, text }];
}

/** Without its leading zero a number is another account; only the name in the file can prove that it is right. */
function zeroLostReasons(instruction: Instruction, check: NameCheck): readonly HoldReason[] {
  const length = lengthWithZero(writtenAccountOf(instruction));
  if (length === undefined || (check.result === 'match' && instruction.name !== undefined)) return [];
  const text = `The account has ${length - 1} digits where ${length} are usual, so its leading 0 may be lost. No name proves that it is right`;
  const account = accountMark(instruction, instruction.account.reveal());
  return [{ concern: { kind: 'zero_lost', account }, text }];
}

/** Invalid and not held: nothing that a person could release would put a name on the wire. */
function nameMissing(instruction: Instruction, words: string, at: Timestamp): EventOf<'invalidate'> {
  const forms = formsToTry(instruction);
  const issue = {
    kind: 'name_missing',
    field: 'name' as const,
    column: undefined,
    columnLetter: undefined,
    seen: '',
    expected: `the account holder’s name, because the service gives none for this account: ${words}`,
    suggestion: `Write the name, or correct the account number.${forms === undefined ? '' : ` ${forms}.`}`,
  };
  return { kind: 'invalidate', issues: [issue], at };
}
