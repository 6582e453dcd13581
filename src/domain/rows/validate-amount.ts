/**
 * The amount cell → money, or the one issue that says why not.
 */
import { significant } from '../accounts/same-number.ts';
import {
  type AmountStyle,
  createAmountReader,
  StyleNotes,
  type StyleRead,
  threeDigitsText,
} from '../money/amount-style.ts';
import { type CurrencyCode, decimalsOf } from '../money/currency.ts';
import { currenciesNamed, isWordFor, type MarkedAmount, markedAmount } from '../money/currency-words.ts';
import { COUNTED_MINOR_MOST, formatMoney, type Money, parseDecimal } from '../money/money.ts';
import { type AmountFault, type DecimalMark, readAmount } from '../money/read-amount.ts';
import { inLatinDigits, letterForDigit, WRITE_LATIN } from '../text/likeness.ts';
import type { IssueText } from './issue-writer.ts';
import type { RowCells } from './row.ts';

export interface WrittenAmount {
  readonly rowNumber: number;
  /** Outer space removed. */
  readonly text: string;
  /** A spreadsheet number: always read with a point, and no proof of the file's style. */
  readonly isNumber: boolean;
  /** What the number format of the cell leaves out, or puts around it; undefined for nothing. */
  readonly shown?: 'scaled' | 'rounded' | undefined;
  readonly words?: string | undefined;
  /** undefined when the institution is not known; then only the way it is written is checked. */
  readonly currency: CurrencyCode | undefined;
}

export type CheckedAmount =
  | { readonly kind: 'money'; readonly money: Money | undefined; readonly plain: string }
  | { readonly kind: 'issue'; readonly issue: IssueText };

const SUCH_AS = 'an amount such as 1250.00';
/** As accounting formats show nothing. */
const ONLY_DASHES = /^[-\u2010-\u2015\u2212]+$/;
const FILL_IN = 'Write the amount, or take the row out.';

export type AmountValidator = ReturnType<typeof createAmountValidator>;

export function createAmountValidator(style: AmountStyle) {
  const reader = createAmountReader(style);
  const notes = new StyleNotes();
  return {
    verdict: reader.verdict,
    /** How the amounts were read, after the last of them. */
    styleRead: (): StyleRead => notes.finish(reader.style()),
    check: (written: WrittenAmount): CheckedAmount => {
      const { text, isNumber, currency, rowNumber } = written;
      if (text === '') return issue(text, 'amount_missing', SUCH_AS, FILL_IN);
      if (ONLY_DASHES.test(text)) return issue(text, 'amount_missing', `${SUCH_AS}; a dash is none`, FILL_IN);
      const decimals = currency === undefined ? undefined : decimalsOf(currency);
      const marked = isNumber ? undefined : markedAmount(text);
      const other = marked && currency && otherMark(text, marked, currency);
      if (other !== undefined) return other;
      const number = marked?.number ?? text;
      const choice = isNumber ? asNumber(text) : reader.read(number, decimals);
      if (choice.kind === 'read') {
        notes.see(rowNumber, text, choice.plain, isNumber);
        return toMoney(written, choice.plain);
      }
      if (choice.kind === 'wrong')
        return issue(text, choice.fault, ...faultText(number, choice.fault, currency));
      if (choice.kind === 'other_style') {
        return issue(text, 'amount_other_style', ...otherStyleText(choice.expected, style));
      }
      return issue(text, 'amount_ambiguous', ...threeDigitsText(choice.reading, choice.style, currency));
    },
  };
}

/** Whoever only removes the sign of another currency would pay as many cedis as dollars were meant. */
function otherMark(text: string, { marks }: MarkedAmount, currency: CurrencyCode): CheckedAmount | undefined {
  const mark = marks.find((each) => !isWordFor(each, currency));
  if (mark === undefined) return undefined;
  const meant = currenciesNamed(mark) ?? [];
  if (meant.includes(currency))
    return issue(
      text,
      'amount_with_currency',
      `an amount in ${currency}; “${mark}” may stand for another currency (${listed(meant)})`,
      `If ${currency} is meant, write ${currency} in place of “${mark}”.`,
    );
  return issue(
    text,
    'amount_other_currency',
    `an amount in ${currency}, the currency of the institution; “${mark}” stands for another one (${listed(meant)})`,
    `Find out how much is meant in ${currency}. Do not just take the sign away.`,
  );
}

const CURRENCIES_NAMED = 3;

function listed(codes: readonly CurrencyCode[]): string {
  return codes.slice(0, CURRENCIES_NAMED).join(', ') + (codes.length > CURRENCIES_NAMED ? ' …' : '');
}

/** No flag helps where the file has amounts of both kinds: one kind would be read wrong. */
function otherStyleText(expected: DecimalMark, { kind }: AmountStyle): readonly [string, string] {
  const like = expected === 'point' ? '1,250.00' : '1.250,00';
  return kind === 'declared'
    ? [`a decimal ${expected}, as you said, such as ${like}`, 'Correct the amount, or what you said of it.']
    : [
        `a decimal ${expected} as elsewhere in the file, such as ${like}`,
        'Write all amounts of the file in one way, best as numbers of the spreadsheet.',
      ];
}

function asNumber(text: string) {
  const reading = readAmount(text);
  if (reading.kind === 'three_digits') return { kind: 'read', plain: reading.asDecimal } as const;
  return reading.kind === 'one_way' ? ({ kind: 'read', plain: reading.plain } as const) : reading;
}

function toMoney(written: WrittenAmount, plain: string): CheckedAmount {
  const { text, currency } = written;
  if (/^[0.]+$/.test(plain)) return issue(text, 'amount_zero', 'an amount above zero', FILL_IN);
  // Reported even when the currency is not known, because a fix file does not keep the number format.
  if (currency === undefined)
    return shownOtherwise(written, currency) ?? { kind: 'money', money: undefined, plain };
  const money = parseDecimal(plain, currency);
  if (money === undefined) return tooPrecise(written, currency);
  if (money.minor > COUNTED_MINOR_MOST) {
    const most = formatMoney({ minor: COUNTED_MINOR_MOST, currency });
    return issue(text, 'amount_too_large', `at most ${most}`, FAULTS.amount_too_large[1]);
  }
  return shownOtherwise(written, currency) ?? { kind: 'money', money, plain };
}

function tooPrecise({ text, isNumber }: WrittenAmount, currency: CurrencyCode): CheckedAmount {
  const decimals = decimalsOf(currency);
  const expected =
    decimals === 0
      ? `a whole amount: ${currency} has no decimals`
      : `at most ${decimals} decimals in ${currency}`;
  const rounding = `Round it in the sheet, e.g. =ROUND(…, ${decimals}); amounts are never rounded here.`;
  return issue(
    text,
    'amount_too_precise',
    expected,
    isNumber ? rounding : 'Write the exact amount; amounts are never rounded here.',
  );
}

/** The cell shows another amount than it holds, and a person may have agreed to the one that they saw. */
function shownOtherwise(
  { text, shown, words }: WrittenAmount,
  currency: CurrencyCode | undefined,
): CheckedAmount | undefined {
  if (shown !== undefined) {
    const left =
      shown === 'scaled' ? 'leaves out thousands or digits, or shows others' : 'leaves out decimals';
    const decimals = currency === undefined ? 'all their' : decimalsOf(currency);
    return issue(
      text,
      'amount_shown_otherwise',
      `an amount that the cell shows whole; its number format ${left}`,
      `Show the column as numbers with ${decimals} decimals, or round the amounts, and check them again.`,
    );
  }
  if (words === undefined || currency === undefined) return undefined;
  const meant = currenciesNamed(words);
  if (meant === undefined || meant.includes(currency)) return undefined;
  return issue(
    text,
    'amount_other_currency',
    `an amount in ${currency}, the currency of the institution; the cell shows it with ${words}`,
    `Write the amount in ${currency}. If it is in ${currency} already, change the number format of the column.`,
  );
}

function faultText(
  text: string,
  fault: AmountFault,
  currency: CurrencyCode | undefined,
): readonly [expected: string, suggestion?: string] {
  if (fault === 'amount_not_a_number' && text.endsWith('+')) return SIGN_BEHIND;
  const [expected, suggestion = ''] = FAULTS[fault];
  if (fault === 'amount_with_currency' && currency !== undefined)
    return [`${SUCH_AS}, in ${currency}`, `Write the amount in ${currency}, without words.`];
  const latin = fault === 'amount_other_digits' ? inLatinDigits(text) : undefined;
  if (latin !== undefined) return [`${expected}; these read ${latin.replaceAll("'", '')}`, WRITE_LATIN];
  const found = fault === 'amount_look_alike' ? letterForDigit(text) : undefined;
  if (found === undefined) return FAULTS[fault];
  return [
    `digits only; the cell has the letter ${found.letter}, perhaps for the digit ${found.digit}`,
    suggestion,
  ];
}

/** Some systems write a sign behind a debit or a credit. */
const SIGN_BEHIND = [
  'an amount without a sign behind it, such as 1250.00',
  'Find out what the sign means where the amount comes from. If it is to be paid, write the amount alone.',
] as const;

const FAULTS: Readonly<Record<AmountFault, readonly [expected: string, suggestion?: string]>> = {
  amount_negative: ['an amount above zero', 'Take out rows that are refunds or corrections.'],
  amount_too_large: [
    'at most 15 digits before the decimals',
    'Check that this is not an account or a phone number.',
  ],
  amount_scientific: [
    'all digits of the amount; some of them may be lost here',
    'Format the column as a number and enter the amount again from its source.',
  ],
  amount_shortened: [
    'all digits of the amount; the letter or word behind the number may mean thousands or millions',
    'Write the amount with all its digits.',
  ],
  amount_with_currency: [SUCH_AS, 'Write the amount in the currency of the institution, without words.'],
  amount_other_digits: ['digits 0 to 9', 'Type the amount again with ordinary digits.'],
  amount_leading_zero: [
    'an amount without leading zeros',
    'Check that this is not an account or a phone number. If it is the amount, write it without the zeros.',
  ],
  amount_grouping: [
    'thousands in groups of three, such as 1,250.00',
    'Write the amount without thousands marks.',
  ],
  amount_unfinished: [
    'digits after the decimal mark, or no mark at the end',
    'Write all digits of the amount: some of them may be missing.',
  ],
  amount_percent: [SUCH_AS, 'Write the amount itself, not a share of another one.'],
  amount_formula: [
    SUCH_AS,
    'The formula stands there as text: let the sheet calculate it, or write the amount.',
  ],
  amount_date: [
    `${SUCH_AS}; this is a date, into which spreadsheets turn some numbers`,
    'Format the column as a number and enter the amount again.',
  ],
  amount_look_alike: [
    'digits only; the cell has a letter that looks like a digit',
    'Check the amount and type it again.',
  ],
  amount_not_a_number: [SUCH_AS, 'Write the amount alone, in digits.'],
};

function issue(seen: string, kind: string, expected: string, suggestion?: string): CheckedAmount {
  return { kind: 'issue', issue: { kind, field: 'amount', seen, expected, suggestion } };
}

/** A shorter account may be as high as an amount by chance. */
const LEAST_DIGITS = 6;

/** The account or the phone of the row stands in the place of its amount. `account`: as it is read. */
export function amountIsNumber(
  { amount, phone }: Pick<RowCells['texts'], 'amount' | 'phone'>,
  account = '',
): IssueText | undefined {
  if (amount.length < LEAST_DIGITS) return undefined;
  const digits = significant(amount.replace(/[.,]0{1,2}\s*$/, ''));
  const isIt = (text: string) => digits.length >= LEAST_DIGITS && significant(text) === digits;
  const is = isIt(account) ? 'account' : isIt(phone) ? 'phone' : undefined;
  if (is === undefined) return undefined;
  return {
    ...{ kind: 'amount_is_account', field: 'amount', seen: amount },
    expected: `an amount; this is the ${is} number of the row`,
    suggestion: 'Check that the columns are not mixed up, and write the amount.',
  };
}
