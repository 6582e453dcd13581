/**
 * An account that the service does not know may be one that it knows in another usual form: with its leading zero, with the
 * country code, with a + in front of that. The form is named for a person to try, and never sent instead. Its middle is left
 * out, because reasons also stand where accounts are masked.
 */
import { foldAccount, paddedAccount, type WrittenAccount } from './account-number.ts';
import type { Instruction } from './instruction.ts';
import { callingCodeOf, isPhoneNumber } from './phone-number.ts';
import { foldText } from './text-fold.ts';

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

function brief(form: string): string {
  return `${form.slice(0, -8)}…${form.slice(-3)}`;
}
