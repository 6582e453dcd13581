/**
 * Reads account, name and reference from a cell.
 *
 * Spaces of any kind are removed from an account, and from a number the marks that people write between its digits. In a name
 * each run of spaces becomes one ordinary space, in a reference each space does. Both are read in NFC: an accent is one character with its letter.
 * Invisible characters (INVISIBLE in validate-cells.ts) are never removed: they are an issue for a person to look at.
 */

import type { Instruction } from '../payouts/instruction.ts';
import { foldText } from '../text/fold.ts';
import { isDateLike } from '../text/likeness.ts';
import { brief, foldAccount, paddedAccount, type WrittenAccount } from './account-faults.ts';
import { type AccountPlace, accountForm } from './account-form.ts';
import { callingCodeOf, isPhoneNumber } from './phone-number.ts';

const SPACE = /\p{Zs}/gu;
const SPACES = /\p{Zs}+/gu;
const ODD_SPACE = /[^\S ]| {2}/;

const NOWHERE: AccountPlace = { iso: undefined, institution: undefined };
const PLAIN = /^[0-9A-Za-z+]*$/;
const MARKED_NUMBER = /^(?:\+?\(?|\(\+)\d[\d.()\p{Pd}]*\d$/u;

/** Digits with marks between them, but no date, and no single point that may be a decimal mark. */
function isMarkedNumber(text: string): boolean {
  return MARKED_NUMBER.test(text) && !/^[+\d]*\.\d+$/.test(text) && !isDateLike(text);
}

/** `0712-345-678` → `0712345678` where accounts are known to be digits. */
export function readAccount(written: string, place: AccountPlace = NOWHERE): string {
  if (PLAIN.test(written)) return written;
  const text = /[^!-~]/.test(written) ? written.replace(SPACES, '') : written;
  const isNumber = accountForm(place) !== 'unknown' && isMarkedNumber(text);
  return isNumber ? text.replace(/[^\d+]/g, '') : text;
}

export function readName(written: string): string {
  const composed = /[^ -~]/.test(written) ? written.normalize('NFC') : written;
  return ODD_SPACE.test(composed) ? composed.replace(SPACES, ' ') : composed;
}

/** In NFC, and with ordinary spaces: two references that look the same are the same. */
export function readReference(written: string): string {
  return /[^ -~]/.test(written) ? written.normalize('NFC').replace(SPACE, ' ') : written;
}

/**
 * An account that the service does not know may be one that it knows in another usual form: with its leading zero, with the
 * country code, with a + in front of that. The form is named for a person to try, and never sent instead. Its middle is left
 * out, because reasons also stand where accounts are masked.
 */

/** `Try it with the country code 254 (2547…678), or with + in front (+2547…678)`; undefined where no other form is usual. */
export function formsToTry(instruction: Instruction): string | undefined {
  const account = writtenAccountOf(instruction);
  const { text, iso = '' } = account;
  const callingCode = callingCodeOf(iso);
  const number = internationalOf(text, callingCode, iso);
  const padded = paddedAccount(account);
  const home =
    number === undefined ? padded : (padded ?? homeForm(number.slice(callingCode.length), callingCode));
  const forms = [
    home === undefined || home === text
      ? undefined
      : `${home.startsWith('0') ? 'with its leading 0' : 'without the country code'} (${brief(home)})`,
    number === undefined || number === text
      ? undefined
      : `with the country code ${callingCode} (${brief(number)})`,
    number === undefined || `+${number}` === text
      ? undefined
      : `with + and the country code (${brief(`+${number}`)})`,
  ].filter((form) => form !== undefined);
  return forms.length === 0 ? undefined : `Try it ${forms.join(', or ')}`;
}

/** As it was read; whether its cell held a number is not kept. */
export function writtenAccountOf({ account, destinationIso, institutionName }: Instruction): WrittenAccount {
  return {
    text: account.reveal(),
    isNumber: false,
    iso: destinationIso,
    institution: foldText(institutionName),
  };
}

function internationalOf(text: string, callingCode: string, iso: string): string | undefined {
  if (callingCode === '' || !/^\+?\d{6,15}$/.test(text)) return undefined;
  const folded = foldAccount(text, callingCode);
  return [folded, `${callingCode}${folded}`, `${callingCode}${text}`].find(
    (number) => number.startsWith(callingCode) && isPhoneNumber(`+${number}`, iso),
  );
}

/** As it is dialled at home, in countries with a trunk zero and in those without. */
function homeForm(subscriber: string, callingCode: string): string {
  const withZero = `0${subscriber}`;
  return foldAccount(withZero, callingCode) === `${callingCode}${subscriber}` &&
    foldAccount(subscriber, callingCode) === subscriber
    ? withZero
    : subscriber;
}
