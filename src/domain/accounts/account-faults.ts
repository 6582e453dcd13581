/**
 * Account numbers: damage that spreadsheets do to them, and one folded text for one account.
 *
 * An account is sent as written except for its spaces (read-account.ts). Nothing here rewrites it. A form to try is named
 * without its middle digits, because reasons are also shown where accounts are masked.
 */
import { hasOtherAlphabet, isDateLike, letterForDigit } from '../text/likeness.ts';

export interface WrittenAccount {
  /** Without spaces. */
  readonly text: string;
  /** The cell held a number, not text. */
  readonly isNumber: boolean;
  readonly iso: string | undefined;
  /** Folded institution name; undefined when it is not known. */
  readonly institution: string | undefined;
}

const LONGEST = 64;
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E\+\d+$|^\d[.,]\d+E\d+$/i;
const EXACT_DIGITS = 15;
const MOST_ZEROS_LOST = 3;
const AS_TEXT = 'Format the column as text and enter the account again from its source.';

/** What is wrong with the account as a whole; undefined when nothing is. */
export function accountFault(account: WrittenAccount): AccountFault | undefined {
  const { text, isNumber } = account;
  if (text.length > LONGEST) return fault('account_too_long', `at most ${LONGEST} characters`, AS_TEXT);
  if (SCIENTIFIC.test(text)) {
    return fault('account_scientific', 'all digits of the account; the spreadsheet has lost some', AS_TEXT);
  }
  if (isNumber && isSignedOrBroken(text)) {
    return fault('account_not_whole', 'an account number without decimals or sign', AS_TEXT);
  }
  const strange = accountTextFault(text);
  if (strange) return strange;
  if (isNumber && text.replace(/\D/g, '').length > EXACT_DIGITS) {
    return fault('account_digits_lost', 'text: a spreadsheet number keeps only 15 digits', AS_TEXT);
  }
  return lengthFault(account);
}

/** A minus or a decimal point. Marks between digits come from the number format and do no harm. */
function isSignedOrBroken(text: string): boolean {
  return !/^\+?[\d\-() /.]+$/.test(text) || text.startsWith('-') || /^\d*\.\d+$/.test(text);
}

function lengthFault(account: WrittenAccount): AccountFault | undefined {
  const { text, isNumber } = account;
  if (!/^\d+$/.test(text)) return undefined;
  const code = nubanCodeOf(account);
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
  const code = nubanCodeOf(account);
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

function nubanCodeOf({ iso, institution }: WrittenAccount): string | undefined {
  return iso === 'NG' && institution !== undefined ? nubanCode(institution) : undefined;
}

// Ten digits: NUBAN for every Nigerian institution; 0 and nine digits for wallets of these countries.
const TEN_DIGIT_WALLETS = new Set(['GH', 'KE', 'UG', 'TZ', 'RW', 'ZM', 'MW']);
const WALLET = /mobilemoney|momo|mpesa|tigo|airtel|telecel|vodafonecash|tnm|halopesa|zamtel|mtn/;

function knownLength({ iso, institution }: WrittenAccount): number | undefined {
  if (iso === 'NG') return institution !== undefined && WALLET_NUMBER_NG.test(institution) ? undefined : 10;
  if (iso === undefined || institution === undefined || !TEN_DIGIT_WALLETS.has(iso)) return undefined;
  return WALLET.test(institution) ? 10 : undefined;
}

const WALLET_NUMBER_NG = /momo|mtn|airtel/;

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
const PLACEHOLDER = /^(?:n\/?a|none|nil|null|tb[acd]|pending|unknown|missing|x+|-+|\++|\?+|\.+|0+)$/i;
const ALLOWED = /^[0-9A-Za-z+][0-9A-Za-z+.,\-/@_*()#]*$/;
const DECIMAL = /^[+-]?\d+[.,]\d+$/;
const FROM_SOURCE = 'Format the column as text and enter the account again from its source.';

function accountTextFault(text: string): AccountFault | undefined {
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

/**
 * Nigerian account numbers (NUBAN): ten digits, the last of which proves the others and the bank together.
 *
 * Source:  Central Bank of Nigeria, Nigeria Uniform Bank Account Number standard (2011) and its bank codes.
 */

// Folded names, without `plc`, `nigeria` and `limited` behind them.
const CODES: ReadonlyMap<string, string> = new Map([
  ['accessbank', '044'],
  ['citibank', '023'],
  ['ecobank', '050'],
  ['fidelitybank', '070'],
  ['firstbankof', '011'],
  ['firstbank', '011'],
  ['firstcitymonumentbank', '214'],
  ['fcmb', '214'],
  ['guarantytrustbank', '058'],
  ['gtbank', '058'],
  ['gtb', '058'],
  ['jaizbank', '301'],
  ['keystonebank', '082'],
  ['polarisbank', '076'],
  ['stanbicibtcbank', '221'],
  ['standardcharteredbank', '068'],
  ['sterlingbank', '232'],
  ['unionbankof', '032'],
  ['unionbank', '032'],
  ['unitedbankforafrica', '033'],
  ['uba', '033'],
  ['unitybank', '215'],
  ['wemabank', '035'],
  ['zenithbank', '057'],
]);

const NUBAN_DIGITS = 10;

/** Of a folded institution name; undefined for banks that are not in the table, and for mobile money. */
export function nubanCode(institution: string): string | undefined {
  return CODES.get(institution.replace(/(?:plc|nigeria|limited|ltd)+$/, ''));
}

const WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

/** Whether the last of the ten digits is the one that the bank's code and the other nine give. */
export function hasNubanCheckDigit(account: string, code: string): boolean {
  if (!/^\d{10}$/.test(account)) return false;
  const digits = [...code, ...account.slice(0, 9)];
  const sum = WEIGHTS.reduce(
    (total, weight, at) => total + weight * Number.parseInt(digits[at] ?? '0', 10),
    0,
  );
  return String((10 - (sum % 10)) % 10) === account.slice(9);
}
