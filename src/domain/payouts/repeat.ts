/**
 * Repeats: earlier payments that may be the same as a payout. Loose on purpose: a wrong guess asks one question, and does
 * nothing else.
 *
 * Two payments may be the same (a) when they have the same reference, and (b) when destination, account however it is
 * written, and amount are the same, whatever the bank is called, and one of them has no reference or the other's outcome
 * is not known. The ledger finds them; a payment of the same row is never among them (of these at most one lives).
 */

import { callingCodeOf } from '../accounts/phone-number.ts';
import { daysMs, hoursMs, type Policy } from '../policy.ts';
import { STATUS_WORDS } from '../reporting/status-words.ts';
import { digestOf, SEPARATOR } from '../rows/row-key.ts';
import { formatTimestamp } from '../timestamp.ts';
import type { Instruction } from './instruction.ts';
import type { HoldReason, PaymentPointer } from './payout.ts';
import { hasEndedUnpaid, isUnknown, WAITING } from './payout.ts';

export interface Repeat {
  readonly pointer: PaymentPointer;
  /** Account and amount are the same; false: only the reference is. */
  readonly isSamePayment: boolean;
  /** Nothing living, and perhaps made: it was turned away, a statement shows it, or it was paid after all. */
  readonly mayBePaid?: boolean;
  /** In the same batch, or paid while this row waited: it counts whatever its age. */
  readonly isOfItsTime?: boolean;
}

/** Ended payments count as repeats from these times on. Some also count for other reasons. */
export interface RepeatWindow {
  readonly settledSince: number;
  /** A younger “failed” or “returned” of the service is not believed yet: not to pay again, and not to pay a copy. */
  readonly unpaidSince: number;
}

export function repeatWindow(
  now: number,
  { duplicateWindowDays, reissueAfterHours }: Pick<Policy, 'duplicateWindowDays' | 'reissueAfterHours'>,
): RepeatWindow {
  return {
    settledSince: now - daysMs(duplicateWindowDays),
    unpaidSince: now - hoursMs(reissueAfterHours),
  };
}

/** 16 bytes each: SHA-256 cut to its first half. Salted per ledger; without a salt a short folded reference is its own key. */
export interface RepeatKeys {
  /** Over the reference, however it is written; undefined without one. */
  readonly referenceKey: Uint8Array | undefined;
  /** Over the destination's ISO code, loosely folded account, minor units and currency. Without the institution: banks are renamed. */
  readonly paymentKey: Uint8Array;
}

const KEY_BYTES = 16;

/** Uses no id of the service, because the service may renumber its lists after a payment was made. */
export function repeatKeys(instruction: Instruction, salt: string): RepeatKeys {
  const { destinationIso, reference } = instruction;
  const { minor, currency } = instruction.amount;
  const account = looseAccount(instruction.account.reveal(), callingCodeOf(destinationIso));
  return {
    referenceKey: reference === undefined ? undefined : referenceKey(looseReference(reference), salt),
    paymentKey: digestOf([`${salt}payment`, destinationIso, account, minor, currency].join(SEPARATOR)),
  };
}

const SEPARATORS = /[\s\-.()/]+/g;
/** A number behind a calling code has more digits than this. */
const FEWEST_DIGITS = 7;

/**
 * `0244123456`, `244123456`, `233244123456` and `+233 0244 123456` fold to `244123456`. Leading zeros and calling codes go
 * until none is left, so that a number which begins like its calling code folds the same with the code and without it.
 */
function looseAccount(account: string, callingCode: string): string {
  const compact = account.replace(SEPARATORS, '').toUpperCase();
  if (!/^\+?\d*[1-9]\d*$/.test(compact)) return compact;
  let digits = withoutZeros(compact.replace('+', ''));
  while (callingCode !== '' && digits.startsWith(callingCode)) {
    const rest = withoutZeros(digits.slice(callingCode.length));
    if (rest.length < FEWEST_DIGITS) break;
    digits = rest;
  }
  return digits;
}

/** `000123` and `123`, `INV-7`, `inv 7` and `INV–7` are one reference. Of marks alone nothing is left: as written. */
function looseReference(reference: string): string {
  const folded = withoutZeros(
    reference
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ''),
  );
  return folded === '' ? reference.normalize('NFC') : folded;
}

function withoutZeros(text: string): string {
  return text.replace(/^0+/, '');
}

/**
 * A reference of at most 15 bytes is padded with zeros behind its length, which no two references share and
 * which costs no hash; a longer one is hashed behind a first byte that no length has.
 */
export function referenceKey(reference: string, salt: string): Uint8Array {
  if (salt !== '') return digestOf(`${salt}reference${SEPARATOR}${reference}`);
  const size = Buffer.byteLength(reference, 'utf8');
  if (size < KEY_BYTES) {
    // From the pool: a buffer with memory of its own costs more than all the rest.
    const key = Buffer.allocUnsafe(KEY_BYTES).fill(0);
    key[0] = size;
    key.write(reference, 1, 'utf8');
    return key;
  }
  const key = digestOf(`reference${SEPARATOR}${reference}`);
  key[0] = 0xff;
  return key;
}

/** Payments that ended count for a time; any other one that lives counts whatever its age. */
export function countsAsRepeat(
  { pointer, mayBePaid, isOfItsTime }: Repeat,
  { settledSince, unpaidSince }: RepeatWindow,
): boolean {
  if (pointer.status === 'settled') return isOfItsTime === true || pointer.at >= settledSince;
  return !hasEndedUnpaid(pointer.status) || mayBePaid === true || pointer.at > unpaidSince;
}

const SHOWN_MAX = 3;

export function repeatReasons(repeats: readonly Repeat[]): readonly HoldReason[] {
  // A row of this file may have gone out, too: it is named once, as that.
  const named = new Map(repeats.toReversed().map((repeat) => [repeat.pointer.payoutId, repeat]));
  const once = repeats.filter((repeat) => named.get(repeat.pointer.payoutId) === repeat);
  // All are concerns; the words of the first few are enough.
  return once.map((repeat, index) => ({
    concern: {
      kind: 'repeat',
      of: repeat.pointer.payoutId,
      isUnknown: isUnknown(repeat.pointer) || isPerhapsPaid(repeat),
    },
    text: index < SHOWN_MAX ? repeatText(repeat) : `And ${placeOf(repeat.pointer)}`,
    pointer: repeat.pointer,
  }));
}

function isPerhapsPaid({ pointer, mayBePaid }: Repeat): boolean {
  return mayBePaid === true || hasEndedUnpaid(pointer.status);
}

function repeatText(repeat: Repeat): string {
  const { pointer } = repeat;
  const place = placeOf(pointer);
  const stands = isPerhapsPaid(repeat) ? `${wordOf(pointer)}, and perhaps paid already` : standsOf(pointer);
  return repeat.isSamePayment
    ? `May be the same payment as ${place}, ${stands}`
    : `Another payment has its reference, with another account or amount: ${place}, ${stands}`;
}

export function paidBeforeNote({ pointer }: Repeat, windowDays: number): string {
  const day = formatTimestamp(pointer.at).slice(0, 10);
  return `Paid before on ${day} (${placeOf(pointer)}), outside the window of ${windowDays} days`;
}

function standsOf(pointer: PaymentPointer): string {
  const day = formatTimestamp(pointer.at).slice(0, 10);
  return WAITING.includes(pointer.status) ? 'above it in this file' : `${wordOf(pointer)} ${day}`;
}

/** `row 2 of batch redo`. */
export function placeOf({ rowNumber, batchName }: PaymentPointer): string {
  return `row ${rowNumber} of batch ${batchName}`;
}

export function wordOf({ status }: PaymentPointer): string {
  return status === 'approved' ? 'approved' : STATUS_WORDS[status].counted;
}

/** Of an instruction and its replacements at most one is made: why another one waits. `isPaidAfterAll`: `other` was called unpaid first. */
export function sameRowReason(other: PaymentPointer, isPaidAfterAll: boolean): HoldReason {
  const day = formatTimestamp(other.at).slice(0, 10);
  const text = isPaidAfterAll
    ? `This row was paid after all: ${placeOf(other)} was called unpaid first and is ${wordOf(other)} (${day})`
    : `Another payment of this row is ${wordOf(other)} (${day}): ${placeOf(other)}`;
  return { concern: { kind: 'same_row', of: other.payoutId }, text, pointer: other };
}
