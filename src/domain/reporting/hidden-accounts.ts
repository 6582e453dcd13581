/**
 * Account numbers that are not to be seen whole: in their own column, where a row or an answer of the service repeats
 * them, where columns were swapped and one stands in the place of a name or an amount, and in columns of the user's own.
 */
import type { BatchFile } from '../batches/batch.ts';
import { type Field, isOfWords } from '../rows/row.ts';
import { maskedWords, maskOf, Sensitive } from '../text/sensitive.ts';
import type { ReportLine } from './report-line.ts';

/** Shorter texts stand in a row by chance. */
const ACCOUNT_MIN = 6;
/** A phone number has at least so many digits behind the zero or the country code. */
const SIGNIFICANT_MIN = 7;
/** Nor are shorter ones looked for in words. */
const WORD_MIN = 5;
/** An amount is not written so; an account or a phone is. */
const LEADING_ZERO = /^\s*0\d{6,}\s*$/;
/** `12500000.50` in a column of the user's own. */
const WITH_DECIMALS = /^\s*\d+[.,]\d{1,2}\s*$/;

/** The row as it was read, each cell with its accounts masked. */
function maskedCells(
  { cells, account }: Pick<ReportLine, 'cells' | 'account'>,
  fields: ReadonlyMap<number, Field>,
): readonly string[] {
  const digits = bare(account.reveal());
  const number = significant(account.reveal());
  return cells.map((cell, at) => {
    if (cell === '') return cell;
    const field = fields.get(at);
    const repeats = digits.length >= ACCOUNT_MIN && bare(cell).includes(digits);
    if (field === 'account' || repeats) return maskOf(cell.trim());
    if (field === 'amount') return LEADING_ZERO.test(cell) ? maskOf(cell.trim()) : cell;
    if (isSameNumber(significant(cell), number)) return maskOf(cell.trim());
    // A part of an account in a column of its own, and a second account.
    if (field === undefined && isPartOf(digits, cell)) return maskOf(cell.trim());
    const mayHold = field === undefined ? !WITH_DECIMALS.test(cell) : isOfWords(field);
    return mayHold ? maskedWords(cell) : cell;
  });
}

function isPartOf(account: string, cell: string): boolean {
  const part = bare(cell);
  return part.length >= ACCOUNT_MIN && account.includes(part);
}

/** `0244123456` and `+233 24 412 3456` are one wallet: only the zero or the country code differs. Both as `significant`. */
function isSameNumber(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < SIGNIFICANT_MIN) return false;
  return one.endsWith(other) || other.endsWith(one);
}

/** The digits, without zeros in front. */
function significant(text: string): string {
  return text.replace(/\D/g, '').replace(/^0+/, '');
}

function bare(text: string): string {
  return text.replace(/[\s.\-/]/g, '').toUpperCase();
}

/** A text in which the row's own account number is masked: a reason may quote it, and a reference may be it. */
export function withoutAccount(text: string, { account }: Pick<ReportLine, 'account'>): string {
  const whole = account.reveal().trim();
  return whole.length < WORD_MIN ? text : text.replaceAll(whole, maskOf(whole));
}

/** The same in all words of a line, and in its account. Ids, amounts and the commands to type stay as they are. */
function lineWithoutAccount(line: ReportLine): ReportLine {
  const account = line.account.reveal();
  const hidden = (text: string) => withoutAccount(text, line);
  // Where columns were swapped, an account stands in the place of a name.
  const named = (text: string) => maskedWords(hidden(text));
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
  return { ...lineWithoutAccount(line), cells: maskedCells(line, fields) };
}
