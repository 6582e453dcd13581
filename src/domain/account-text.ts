/**
 * What an account may be written with: the letters A to Z, digits and a few marks. Everything else is what a spreadsheet, an
 * export or another alphabet left in the cell, and would go on the wire as part of the account. Spaces have left before.
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
const ALLOWED = /^[0-9A-Za-z+][0-9A-Za-z+.,\-/@_*()#]*$/;
const DECIMAL = /^[+-]?\d+[.,]\d+$/;
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
  if (DECIMAL.test(text)) {
    return fault('account_not_whole', 'an account number without decimals or sign', FROM_SOURCE);
  }
  return dateFault(text) ?? lookAlike(text) ?? twoNumbers(text) ?? strangeCharacter(text);
}

/** Two telephone numbers in one cell; accounts with a mark between shorter parts are real. */
function twoNumbers(text: string): AccountFault | undefined {
  return /^\+?\d{9,}[/,]\+?\d{9,}$/.test(text) ? moreThanOne('two numbers') : undefined;
}

/** Looked for in the text with its spaces: without them `0712345678 or bank` looks like an account. */
export function wordFault(written: string): AccountFault | undefined {
  const word = /(?:^|\p{Zs})([A-Za-z]*[a-z][A-Za-z]*)(?=$|\p{Zs})/u.exec(written)?.[1] ?? '';
  if (word.length > 1 && /\d/.test(written)) return moreThanOne(`the word “${word}”`);
  return /\p{Zs}[/,]|[/,]\p{Zs}/u.test(written) ? moreThanOne('more than one value') : undefined;
}

function moreThanOne(what: string): AccountFault {
  return fault(
    'account_more_than_one',
    `one account and nothing else; the cell has ${what} in it`,
    'Write the one account that is to be paid.',
  );
}

/** Looked for in the text with its spaces, too: without them `5 May 2026` is no date any more. */
export function dateFault(text: string): AccountFault | undefined {
  if (!isDateLike(text)) return undefined;
  return fault(
    'account_date',
    'an account; this is a date, into which spreadsheets turn some texts',
    FROM_SOURCE,
  );
}

function strangeCharacter(text: string): AccountFault | undefined {
  if (ALLOWED.test(text)) return undefined;
  const mark = /[^0-9A-Za-z+.,\-/@_*()#]/u.exec(text)?.[0];
  return fault(
    'account_characters',
    mark === undefined
      ? `a letter, a digit or + at the beginning; the cell begins with ${markName(text[0] ?? '')}`
      : `letters A to Z, digits and + . , - / @ _ * ( ) #; the cell has ${markName(mark)} in it`,
    'Write the account alone, in a column formatted as text.',
  );
}

/** A mark that cannot be seen by itself is told by its number. */
function markName(mark: string): string {
  if (mark === "'") return 'an apostrophe';
  if (!/[\p{M}\p{C}\p{Z}\p{DI}]/u.test(mark)) return `the character ${mark}`;
  const code = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `the character U+${code}, which is hard to see,`;
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
