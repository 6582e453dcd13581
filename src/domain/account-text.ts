/**
 * What an account may be written with: letters, digits and a few marks. Everything else is what a spreadsheet, an
 * export or another alphabet left in the cell, and would go on the wire as part of the account.
 */
import { hasOtherAlphabet, isDateLike, letterForDigit } from './look-alike.ts';

export interface AccountFault {
  readonly kind: string;
  readonly expected: string;
  readonly suggestion: string | undefined;
}

// The shape of nearly every account: it needs no further look.
const PLAIN = /^\+?\d*[1-9]\d*$|^[A-Z]{2}\d{10,32}$/;
const PLACEHOLDER = /^(?:n\/?a|none|nil|null|tb[acd]|pending|unknown|missing|x+|-+|\++|\?+|\.+|0+)$/i;
const ALLOWED = /^[\p{L}\p{N}+][\p{L}\p{M}\p{N} .,\-/+@_*()#]*$/u;
const FROM_SOURCE = 'Format the column as text and enter the account again from its source.';

export function accountTextFault(text: string): AccountFault | undefined {
  if (PLAIN.test(text)) return undefined;
  if (PLACEHOLDER.test(text)) {
    return fault(
      'account_placeholder',
      'an account; this stands for a missing one',
      'Ask the beneficiary for the account.',
    );
  }
  if (isDateLike(text)) {
    return fault(
      'account_date',
      'an account; this is a date, into which spreadsheets turn some texts',
      FROM_SOURCE,
    );
  }
  if (/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/.test(text)) {
    return fault(
      'unusual_space',
      'ordinary spaces or none; the cell has a space of another kind, which looks the same',
      'Delete the cell and type the account again by hand.',
    );
  }
  return strangeCharacter(text) ?? lookAlike(text);
}

function strangeCharacter(text: string): AccountFault | undefined {
  if (ALLOWED.test(text)) return undefined;
  const mark = /[^\p{L}\p{M}\p{N} .,\-/+@_*()#]/u.exec(text)?.[0] ?? text[0] ?? '';
  const name = mark === "'" ? 'an apostrophe' : `the character ${mark}`;
  return fault(
    'account_characters',
    `letters and digits; the cell has ${name} in it`,
    'Write the account alone, in a column formatted as text.',
  );
}

function lookAlike(text: string): AccountFault | undefined {
  const kind = 'account_look_alike';
  const again = 'Delete the cell and type the account again by hand.';
  if (/[^\P{Nd}0-9]/u.test(text)) return fault(kind, 'ordinary digits, 0 to 9', again);
  if (hasOtherAlphabet(text)) {
    return fault(
      kind,
      'Latin letters; the cell has a letter of another alphabet, which may look the same',
      again,
    );
  }
  const found = letterForDigit(text);
  if (found === undefined || (text.match(/\d/g) ?? []).length < 6) return undefined;
  return fault(
    kind,
    `digits; the cell has the letter ${found.letter}, perhaps for the digit ${found.digit}`,
    'Check the account against its source and type it again.',
  );
}

export function fault(kind: string, expected: string, suggestion?: string): AccountFault {
  return { kind, expected, suggestion };
}
