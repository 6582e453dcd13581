/**
 * Warnings on a row that can be paid, for the person who checks the plan: what the sheet may have done to it.
 */
import { accountNotes, type WrittenAccount } from './account-number.ts';
import { isDateLike } from './look-alike.ts';
import type { RowCells } from './row-cells.ts';
import type { Field } from './row-issue.ts';

const NONE: readonly never[] = [];
const NOTED: readonly Field[] = ['account', 'amount', 'phone', 'reference'];

/** What a note speaks about: each of ours begins with it. */
export function fieldOfNote(note: string): Field | undefined {
  return NOTED.find((field) => note.startsWith(`the ${field} `));
}

export function rowNotes(cells: RowCells, account: WrittenAccount): readonly string[] {
  const ofAccount = accountNotes(account);
  const { reference } = cells.texts;
  const looksLikeDate = reference !== '' && isDateLike(reference);
  if (!cells.hasMarks && !looksLikeDate) return ofAccount;
  const notes = [...ofAccount];
  if (cells.isMarked('account', 'formula')) notes.push('the account comes from a formula');
  if (cells.isMarked('amount', 'formula')) notes.push('the amount comes from a formula');
  if (cells.texts.phone !== '' && cells.isMarked('phone', 'number'))
    notes.push('the phone is stored as a number; a leading zero or + may be lost');
  if (looksLikeDate || cells.isMarked('reference', 'date'))
    notes.push(`the reference ${reference} is a date, into which spreadsheets turn texts such as 5-12`);
  return notes.length === 0 ? NONE : notes;
}
