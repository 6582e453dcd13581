/**
 * Account numbers: damage that spreadsheets do to them, and one folded text for one account.
 *
 * Nothing here rewrites an account (read-account.ts takes away spaces and marks). A form to try is named without its middle
 * digits, because reasons are also shown where accounts are masked.
 */
import {
  hasOtherAlphabet,
  inLatinDigits,
  isDateLike,
  letterForDigit,
  OTHER_DIGITS,
  WRITE_LATIN,
} from '../text/likeness.ts';
import {
  type AccountPlace,
  accountForm,
  hasNubanCheckDigit,
  isCalledBank,
  knownLength,
  NUBAN_DIGITS,
  nubanCode,
} from './account-form.ts';
import { hasRibKey, isUemoaRib, UEMOA_LENGTH } from './rib.ts';

export interface WrittenAccount extends AccountPlace {
  /** As it would be sent. */
  readonly text: string;
  /** The cell held a number, not text. */
  readonly isNumber: boolean;
}

const LONGEST = 64;
/** No account has so many spaces, and the expressions that look for words in it are slow. */
const LONGEST_WITH_SPACES = 3 * LONGEST;
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E\+\d+$|^\d[.,]\d+E\d+$/i;
const EXACT_DIGITS = 15;
const MOST_ZEROS_LOST = 3;
const AS_TEXT = 'Format the column as text and enter the account again from its source.';

/** What is wrong with the account as a whole; undefined when nothing is. */
export function accountFault(account: WrittenAccount): AccountFault | undefined {
  const { text, isNumber } = account;
  if (text.length > LONGEST) return tooLong();
  if (SCIENTIFIC.test(text)) {
    return fault('account_scientific', 'all digits of the account; the spreadsheet has lost some', AS_TEXT);
  }
  if (isNumber && isSignedOrBroken(text)) {
    return fault('account_not_whole', 'an account number without decimals or sign', AS_TEXT);
  }
  const strange = accountTextFault(account);
  if (strange) return strange;
  if (isNumber && text.replace(/\D/g, '').length > EXACT_DIGITS) {
    return fault('account_digits_lost', 'text: a spreadsheet number keeps only 15 digits', AS_TEXT);
  }
  return lengthFault(account);
}

function tooLong(): AccountFault {
  return fault('account_too_long', `at most ${LONGEST} characters`, AS_TEXT);
}

/** A minus or a decimal point. Marks between digits come from the number format and do no harm. */
function isSignedOrBroken(text: string): boolean {
  return !/^\+?[\d\-() /.]+$/.test(text) || text.startsWith('-') || /^\d*\.\d+$/.test(text);
}

function lengthFault(account: WrittenAccount): AccountFault | undefined {
  const { text, isNumber } = account;
  if (isUemoaRib(text, account.iso) && text.length !== UEMOA_LENGTH) return partOfRib(text.length);
  if (!/^\d+$/.test(text)) return undefined;
  const code = nubanCode(account);
  // Text that is too short may be right for a wallet, but never for a bank whose account numbers have one length.
  const length = isNumber ? knownLength(account) : code === undefined ? undefined : NUBAN_DIGITS;
  if (length === undefined || text.length === length || (code === undefined && text.length > length))
    return undefined;
  const missing = length - text.length;
  if (missing < 0 || missing > MOST_ZEROS_LOST)
    return fault(
      'account_wrong_length',
      `${length} digits, and the cell has ${text.length}`,
      'Take the account from its source again.',
    );
  const padded = paddedAccount(account);
  const isProven = code !== undefined && padded !== undefined && hasNubanCheckDigit(padded, code);
  const proof = isProven ? ' With it, the check digit is right for this institution.' : '';
  return fault(
    'account_zero_lost',
    `${length} digits; ${isNumber ? 'as a number the cell cannot keep leading zeros' : 'a spreadsheet may have dropped leading zeros'}`,
    `Format the column as text and write the account with its leading ${'0'.repeat(missing)}, if that is the account.${proof}`,
  );
}

function partOfRib(length: number): AccountFault {
  return fault(
    'account_wrong_length',
    `${UEMOA_LENGTH} characters, as a RIB has: 5 of the bank, 5 of the branch, 12 of the number and 2 of the key; it has ${length}`,
    'Format the columns of the account as text and enter them again from their source. A spreadsheet takes zeros away from the front.',
  );
}

/** The account with the zeros that it seems to have lost: a guess, used to ask about and never to pay. */
export function paddedAccount(account: WrittenAccount): string | undefined {
  const length = knownLength(account);
  const { text } = account;
  if (length === undefined || !/^\d+$/.test(text)) return undefined;
  const missing = length - text.length;
  return missing > 0 && missing <= MOST_ZEROS_LOST ? text.padStart(length, '0') : undefined;
}

/** Warnings for the person who checks the plan. */
export function accountNotes(account: WrittenAccount): readonly string[] {
  const { text, isNumber } = account;
  const notes: string[] = [];
  if (isNumber) notes.push('the account is stored as a number; leading zeros may be lost');
  if (/^\d{16,}$/.test(text) && /^0+$/.test(text.slice(EXACT_DIGITS))) {
    notes.push('the account ends in zeros after its 15th digit, as spreadsheets leave long numbers');
  }
  const length = isNumber ? undefined : lengthWithZero(account);
  if (length !== undefined)
    notes.push(`the account has ${length - 1} digits where ${length} are usual; a leading zero may be lost`);
  const doubt = checkDigitDoubt(account);
  if (doubt !== undefined) notes.push(doubt);
  return notes;
}

/** Why the account may be mistyped: its last digit is made of the others and of the institution. */
export function checkDigitDoubt(account: WrittenAccount): string | undefined {
  if (hasRibKey(account.text, account.iso) === false)
    return 'the key of the account is not the one that its bank, branch and number give; one character may be wrong';
  const code = nubanCode(account);
  const isMade = code !== undefined && account.text.length === NUBAN_DIGITS && /^\d+$/.test(account.text);
  return !isMade || hasNubanCheckDigit(account.text, code)
    ? undefined
    : 'the check digit of the account is not the one that this institution would give; one digit may be wrong';
}

/** Digits that are usual here, where the account has one less: it may have lost its leading zero. */
export function lengthWithZero(account: WrittenAccount): number | undefined {
  const { text } = account;
  const length = knownLength(account);
  return length !== undefined && /^\d+$/.test(text) && text.length === length - 1 ? length : undefined;
}

// Countries that dial without a leading 0: calling code → digits of a number at home.
const WITHOUT_TRUNK_ZERO: ReadonlyMap<string, number> = new Map([
  ['221', 9],
  ['223', 8],
  ['224', 9],
  ['226', 8],
  ['227', 8],
  ['228', 8],
  ['237', 9],
  ['220', 7],
  ['216', 8],
  ['244', 9],
  ['258', 9],
]);
const SEPARATORS = /[\s\-.()/]+/g;

/**
 * `0712 345678`, `254712345678`, `00254712345678` and `+254712345678` fold to `254712345678`. A number that
 * only lacks its leading 0 is treated as different: putting the zero back is a change that a revision must see.
 */
export function foldAccount(account: string, callingCode: string): string {
  const compact = account.replace(SEPARATORS, '').toUpperCase();
  if (callingCode === '' || !/^\+?\d{7,17}$/.test(compact)) return compact;
  const international = compact.startsWith('+')
    ? compact.slice(1)
    : compact.startsWith(`00${callingCode}`)
      ? compact.slice(2)
      : undefined;
  const digits = international ?? compact;
  if (digits.startsWith(callingCode) && isSubscriber(digits.slice(callingCode.length))) {
    return callingCode + withoutZero(digits.slice(callingCode.length));
  }
  if (international !== undefined) return compact;
  if (/^0[1-9]/.test(digits) && isSubscriber(digits)) return callingCode + digits.slice(1);
  return WITHOUT_TRUNK_ZERO.get(callingCode) === digits.length ? callingCode + digits : compact;
}

function isSubscriber(digits: string): boolean {
  return digits.length >= 7 && digits.length <= 11;
}

function withoutZero(digits: string): string {
  return digits.startsWith('0') ? digits.slice(1) : digits;
}

/**
 * What an account may be written with: the letters A to Z, digits and a few marks. Everything else is what a spreadsheet, an
 * export or another alphabet left in the cell, and would be sent as part of the account. Spaces are removed before.
 */

interface AccountFault {
  readonly kind: string;
  readonly expected: string;
  readonly suggestion: string | undefined;
}

// The shape of nearly every account: it needs no further look.
const PLAIN = /^\+?\d*[1-9]\d*$|^[A-Z]{2}\d{10,32}$/;
/** Where nothing is known of the institution, a text without digits may be a user name. */
const PLACEHOLDER =
  /^(?:n\.?[/.]?a\.?|none|nil|null|tb[acdns]|pending|unknown|missing|cash|che(?:que|ck)|esp[eè]ces|n[ée]ant|x+|[-+?.*_#]+)$|^(?:no|not|sans|sem|to)(?:phone|mobile|number|account|wallet|code|provided|available|given|known|be|num|compte|conta|t[ée]l)/i;
const ONLY_ZEROS = /^\+?0+$/;
/** One digit again and again, or zeros behind a calling code. */
const DUMMY = /^\+?(\d)\1{5,}$|^\+\d{1,3}0{6,}$/;
const USUAL_NUMBER = /^\+?(?=\d*[1-9])\d{7,15}$/;
const ALLOWED = /^[0-9A-Za-z+][0-9A-Za-z+.,\-/@_*()#]*$/;
const DECIMAL = /^[+-]?\d+[.,]\d+$/;
const MARKED = /^(?:[A-Z]{2}\d[\dA-Z]*|\d[\dA-Z]*)(?:[-.,][\dA-Z]+)+$/;
const FROM_SOURCE = 'Format the column as text and enter the account again from its source.';
const ALONE = 'Write the account alone, in a column formatted as text.';

function accountTextFault(account: WrittenAccount): AccountFault | undefined {
  const { text, institution } = account;
  if (USUAL_NUMBER.test(text) && !DUMMY.test(text)) return undefined;
  const form = accountForm(account);
  if (
    isPlaceholder(text) ||
    (!/[\p{Nd}@]/u.test(text) && (form !== 'unknown' || isCalledBank(institution ?? '')))
  )
    return fault(
      'account_placeholder',
      'an account; this stands for a missing one',
      'Ask the beneficiary for the account, or take the row out.',
    );
  if (form !== 'unknown' && !ONLY_DIGITS.test(text)) return notDigits(text);
  if (form === 'phone' && !PHONE_LENGTH.test(text)) {
    const digits = text.replace('+', '').length;
    return fault('account_wrong_length', `a mobile number; the cell has ${digits} digits`, FROM_SOURCE);
  }
  if (PLAIN.test(text)) return undefined;
  if (DECIMAL.test(text)) return notWhole();
  return dateFault(text) ?? lookAlike(text) ?? twoNumbers(text) ?? strangeCharacter(text) ?? marked(text);
}

/** Letters and marks as between words do not count: `NO_PHONE`, `to be confirmed`. */
function isPlaceholder(text: string): boolean {
  if (/\d/.test(text)) return ONLY_ZEROS.test(text.replace(/[-.()/]/g, '')) || DUMMY.test(text);
  return PLACEHOLDER.test(text) || PLACEHOLDER.test(text.replace(/[^\p{L}/]/gu, ''));
}

const ONLY_DIGITS = /^\+?\d+$/;
const PHONE_LENGTH = /^\+?\d{7,15}$/;

function notDigits(text: string): AccountFault {
  const known = DECIMAL.test(text)
    ? notWhole()
    : (dateFault(text) ?? lookAlike(text) ?? twoNumbers(text) ?? strangeCharacter(text));
  return (
    known ?? fault('account_characters', 'digits alone, as all accounts of this institution have', ALONE)
  );
}

function notWhole(): AccountFault {
  return fault('account_not_whole', 'an account number without decimals or sign', FROM_SOURCE);
}

/** Banks differ in whether marks belong to the number, and a wrong guess may pay another account. */
function marked(text: string): AccountFault | undefined {
  return MARKED.test(text)
    ? fault(
        'account_marks',
        'an account number without hyphens, points or commas; nobody can tell whether this institution counts them',
        `Write it without them (${brief(text.replace(/[-.,]/g, ''))}).`,
      )
    : undefined;
}

/** The first and the last digits, for messages. */
export function brief(form: string): string {
  return `${form.slice(0, -8)}…${form.slice(-3)}`;
}

/** Two numbers in one cell. Accounts with a mark between shorter parts are real. */
function twoNumbers(written: string): AccountFault | undefined {
  return /\d{9,}\s*[/,;&|]\s*\+?\d{9,}|\d{8,}[\s\p{Pd}]+\+?\d{8,}/u.test(written)
    ? moreThanOne('two numbers')
    : undefined;
}

// An account has letters at its front and in groups (`SN 01`, `GB29 NWBK`), but no words.
const LABEL =
  /^(?:(?:acc(?:oun)?t|acc|iban|rib|tel|phone|mob(?:ile)?|num(?:ber|[ée]ro)?|n[or]|compte|cpte?|conta|till|paybill|wallet|momo)\b\s*(?:no\b|n[°º])?[\s.:#-]+|(?:a\s?\/\s?c|n[°º])[\s.:#-]*)(?=\S*\d)/iu;
const IN_BRACKETS = /\([^()]*\p{L}/u;
const WORD = /(?:^(?![A-Z]{2}\p{Zs})|\p{Zs})(?=[.'-]*\p{L}[\p{L}.'-]*\p{L})([\p{L}.'-]+)(?=$|\p{Zs})/u;
const IBAN_LIKE = /^[A-Z]{2}\p{Zs}?\d{2}/u;
const IBAN_LETTERS = /\p{Zs}[A-Z]{3,4}(?=\p{Zs})/gu;

/**
 * What stands beside the account, looked for in the text as written: without its spaces `0712345678 or bank` looks like an
 * account.
 */
export function writtenFault(written: string): AccountFault | undefined {
  if (PLAIN.test(written)) return undefined;
  if (written.length > LONGEST_WITH_SPACES) return tooLong();
  const date = dateFault(written);
  if (date !== undefined || !/\d/.test(written)) return date;
  const label = LABEL.exec(written)?.[0];
  if (label !== undefined) return moreThanOne(`“${label.trim()}”`);
  if (IN_BRACKETS.test(written)) return moreThanOne('letters in brackets');
  const word = WORD.exec(IBAN_LIKE.test(written) ? written.replace(IBAN_LETTERS, '') : written)?.[1];
  if (word !== undefined) return moreThanOne(`the word “${word}”`);
  if (/^(?:\+|00)[^(]*\(0\)/.test(written)) return moreThanOne('a 0 in brackets, which is not dialled');
  return (
    twoNumbers(written) ??
    (/\p{Zs}[/,]|[/,]\p{Zs}/u.test(written) ? moreThanOne('more than one value') : undefined)
  );
}

function moreThanOne(what: string): AccountFault {
  return fault(
    'account_more_than_one',
    `one account and nothing else; the cell has ${what} in it`,
    'Write the one account that is to be paid.',
  );
}

function dateFault(text: string): AccountFault | undefined {
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
    ALONE,
  );
}

/** A mark that cannot be seen by itself is named by its number. */
function markName(mark: string): string {
  if (mark === "'") return 'an apostrophe';
  if (!/[\p{M}\p{C}\p{Z}\p{DI}]/u.test(mark)) return `the character ${mark}`;
  const code = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `the character U+${code}, which is hard to see,`;
}

function lookAlike(text: string): AccountFault | undefined {
  const kind = 'account_look_alike';
  const again = 'Delete the cell and type the account again by hand.';
  if (OTHER_DIGITS.test(text))
    return fault(kind, 'ordinary digits, 0 to 9', inLatinDigits(text) === undefined ? again : WRITE_LATIN);
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
