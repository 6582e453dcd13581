/**
 * Account numbers that are not to be seen whole: in their own column, where a row or an answer of the service repeats
 * them, where columns were swapped and one stands in the place of a name or an amount, and in columns of the user's own.
 */
import { isSameNumber, significant } from '../accounts/same-number.ts';
import type { BatchFile } from '../batches/batch.ts';
import { type Field, isOfWords } from '../rows/row.ts';
import { maskedWords, maskOf, Sensitive } from '../text/sensitive.ts';
import type { ReportLine } from './report-line.ts';

/** Shorter texts stand in a row by chance. */
const ACCOUNT_MIN = 6;
/** Nor are shorter ones looked for in words. */
const WORD_MIN = 5;
/** An amount is not written so; an account or a phone is. */
const LEADING_ZERO = /^\s*0\d{6,}\s*$/;
/** `12500000.50` in a column of the user's own. */
const WITH_DECIMALS = /^\s*\d+[.,]\d{1,2}\s*$/;

/** `20261127`. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
/** Digits of an account or a phone as short as a day, without its calling code and with it. */
const SHORT_AS_DAY = new Set([8, 11]);

type Whose = Pick<ReportLine, 'account'>;

/** Masks the accounts of one row, cell by cell. `field`: what the column is used for; undefined: nothing. */
export function cellMask({ account }: Whose): (cell: string, field?: Field) => string {
  const digits = bare(account.reveal());
  const number = significant(account.reveal());
  const isDay = (long: string) => !SHORT_AS_DAY.has(digits.length) && DAY.test(long);
  return (cell, field) => {
    if (cell === '') return cell;
    const repeats = digits.length >= ACCOUNT_MIN && bare(cell).includes(digits);
    if (field === 'account' || repeats) return maskOf(cell.trim());
    if (field === 'amount') return LEADING_ZERO.test(cell) ? maskOf(cell.trim()) : cell;
    if (isSameNumber(significant(cell), number)) return maskOf(cell.trim());
    // A part of an account in a column of its own, and a second account.
    if (field === undefined && isPartOf(digits, cell)) return maskOf(cell.trim());
    if (field === undefined) return WITH_DECIMALS.test(cell) ? cell : maskedWords(cell, isDay);
    return isOfWords(field) ? maskedWords(cell) : cell;
  };
}

function isPartOf(account: string, cell: string): boolean {
  const part = bare(cell);
  return part.length >= ACCOUNT_MIN && account.includes(part);
}

function bare(text: string): string {
  return text.replace(/[\s.\-/]/g, '').toUpperCase();
}

/** A text in which the row's own account number is masked: a reason may quote it, and a reference may be it. */
export function withoutAccount(text: string, { account }: Whose): string {
  const whole = account.reveal().trim();
  return whole.length < WORD_MIN ? text : text.replaceAll(whole, maskOf(whole));
}

/** The same for a name or a place: where columns were swapped, an account stands there. */
export function maskedName(name: string, whose: Whose): string {
  return maskedWords(withoutAccount(name, whose));
}

/** The same in all words of a line, and in its account. Ids, amounts and the commands to type stay as they are. */
function lineWithoutAccount(line: ReportLine): ReportLine {
  const account = line.account.reveal();
  const hidden = (text: string) => withoutAccount(text, line);
  const named = (text: string) => maskedName(text, line);
  const { texts } = line;
  return {
    ...line,
    account: new Sensitive(account === '' ? '' : maskOf(account)),
    reference: hidden(line.reference),
    name: named(line.name),
    institution: named(line.institution),
    country: named(line.country),
    texts: {
      ...texts,
      reason: hidden(texts.reason),
      service_status: hidden(texts.service_status),
      account_name: named(texts.account_name),
    },
  };
}

/** A line as it may be shown to anybody: no whole account in its words, nor in the row as it was read. */
export function maskedLine(line: ReportLine, { columns }: Pick<BatchFile, 'columns'>): ReportLine {
  const fields = new Map([...columns].map(([field, at]) => [at, field]));
  const masked = cellMask(line);
  return { ...lineWithoutAccount(line), cells: line.cells.map((cell, at) => masked(cell, fields.get(at))) };
}
