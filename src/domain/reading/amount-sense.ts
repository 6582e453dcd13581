/**
 * What a header says of the numbers below it: that they are to be paid, were paid, or lead to what is paid.
 *
 * A header with a word of another meaning (days, rate, number) is no money. `none` is also what no list knows.
 */
import lists from '../../data/amount-words.json' with { type: 'json' };
import { spacedWords, wordList } from '../text/header-words.ts';

export type AmountSense =
  /** Says that it is what is to be paid: net pay, payable, balance, approved. */
  | 'clear'
  /** Money, and no more: amount, salary, total. */
  | 'plain'
  /** Money with or without tax: gross, incl. VAT. */
  | 'gross'
  /** A part that was paid before, perhaps. */
  | 'paid'
  /** Taken off the pay: tax, loan, pension. */
  | 'deducted'
  /** Where the calculation begins: basic salary, requested, earnings. */
  | 'before'
  /** Added on the way: allowance, overtime, fee. */
  | 'added'
  | 'none';

const HISTORY = wordList(lists.history);
const NEVER = wordList(lists.never);
const BEFORE = wordList(lists.before);
const NET = wordList(lists.net);
const AFTER = wordList(lists.after);
const MONEY = wordList(lists.money);
const STRONG = wordList(lists.strong);
const OTHER = wordList(lists.other);
const ADDED = wordList(lists.added);
const DEDUCTED = wordList(lists.deducted);
const GROSS = wordList(lists.withTax);
const CLEAR = wordList(lists.clear);
const PAID = wordList(lists.paid);
const VAT = wordList(lists.vat);
/** “Less: advance” is what is taken off; “Amount less advance” is what is left. */
const TAKES_OFF = /^ (?:less|minus|moins|menos) /;

/** A tax on sales: beside it a net amount is not what the invoice asks for. */
export const namesSalesTax = (header: string): boolean => VAT.isIn(spacedWords(header));

/** A rate, a number of something, or what is taken off: never what is paid. */
export function isNoMoney(header: string): boolean {
  const words = spacedWords(header);
  const isOther = NEVER.isIn(words) || (OTHER.isIn(words) && !STRONG.isIn(words));
  return isOther || /(?<![\d ])[%‰]|(?<!\d) [%‰]/.test(header) || amountSense(header) === 'deducted';
}

export function amountSense(header: string): AmountSense {
  // “Paid to date” is no date.
  const words = spacedWords(header).replace(/(?<!year) to date /, ' ');
  // “WHT 5%” is a sum; “Share %” is none.
  if (/(?<![\d ])[%‰]|(?<!\d) [%‰]/.test(header) || NEVER.isIn(words) || HISTORY.isIn(words)) return 'none';
  const isAfter = NET.isIn(words) || (AFTER.isIn(words) && !TAKES_OFF.test(words));
  if (BEFORE.isIn(words)) return 'before';
  if (isAfter && MONEY.isIn(words)) return 'clear';
  if (OTHER.isIn(words) && !STRONG.isIn(words)) return 'none';
  if (isAfter) return 'clear';
  if (DEDUCTED.isIn(words)) return 'deducted';
  if (GROSS.isIn(words)) return 'gross';
  if (ADDED.isIn(words)) return 'added';
  if (CLEAR.isIn(words)) return 'clear';
  if (PAID.isIn(words)) return 'paid';
  return MONEY.isIn(words) ? 'plain' : 'none';
}
