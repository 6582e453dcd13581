/** A column in a question: its header with two example values, so that a person knows it again. */
import { columnLetters } from '../rows/column-names.ts';
import type { Field } from '../rows/row.ts';
import { cutText, printable } from '../text/printable.ts';
import { maskedWords, maskOf } from '../text/sensitive.ts';
import type { SeenColumn } from './look.ts';

const EXAMPLES = 2;
const LONGEST = 40;
/** “5010 Salaries” is no account that has to be masked. */
const MANY_DIGITS = /(?:\p{Nd}\W?){5}/u;

/** `F “Net Pay” (1,200.00; 900.00)`. `meant`: the field that it may hold; accounts are masked. */
export function shownColumn(
  { at, header, examples, field }: SeenColumn,
  meant: Field | undefined = field,
): string {
  const mask = (text: string) =>
    meant === 'account' && MANY_DIGITS.test(text) ? maskOf(text) : maskedWords(text);
  const shown = examples.slice(0, EXAMPLES).map((text) => cutText(printable(mask(text)), LONGEST));
  const letters = columnLetters(at);
  const place = header === letters ? letters : `${letters} ${named(header)}`;
  return `${place} (${shown.length === 0 ? 'empty' : shown.join('; ')})`;
}

/** A header or what stands in a cell, where an account number is masked: a payment may be taken for the header. */
export const named = (text: string) => `“${cutText(printable(maskedWords(text)), LONGEST)}”`;
