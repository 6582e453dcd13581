/** What the questions share: which columns they look at, and how a column is shown. */

import { isSameHeader } from '../../rows/column-names.ts';
import type { Field } from '../../rows/row.ts';
import { type Message, said as text } from '../../text/message.ts';
import { cutText, printable } from '../../text/printable.ts';
import { maskOf } from '../../text/sensitive.ts';
import type { Answer } from '../answer.ts';
import type { Look, SeenColumn } from '../look.ts';
import type { Choice } from '../question.ts';

const LONGEST = 40;
/** “5010 Salaries” is no account that has to be masked. */
const MANY_DIGITS = /(?:\p{Nd}\W?){5}/u;

/** Columns with a header and with text in some row, that nobody said to ignore. */
export function openColumns(look: Look, said: readonly Answer[]): readonly SeenColumn[] {
  return look.columns.filter(
    ({ header, filled }) => header !== '' && filled > 0 && !isAbout(said, 'ignore', header),
  );
}

export function isAbout(
  said: readonly Answer[],
  kind: 'ignore' | 'pay_anyway' | 'leave_out' | 'scale',
  header: string,
): boolean {
  return said.some((answer) => answer.kind === kind && isSameHeader(answer.header, header));
}

export const usedFor = (columns: readonly SeenColumn[], field: Field): SeenColumn | undefined =>
  columns.find((column) => column.field === field);

/** Most cells are numbers. */
export const holdsNumbers = ({ numbers, filled }: SeenColumn): boolean =>
  numbers > 0 && numbers * 2 >= filled;

/** `“Net Pay” (62849.25, 49400.00)`: two values as written. Those of accounts are masked. */
export function shown({ header, examples }: SeenColumn, isAccount = false): string {
  const values = examples
    .slice(0, 2)
    .map((each) => (isAccount && MANY_DIGITS.test(each) ? maskOf(each.trim()) : shownText(each)));
  return `${quoted(header)}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
}

export const quoted = (written: string): string => `“${shownText(written)}”`;

const shownText = (written: string): string => cutText(printable(written).trim(), LONGEST);

/** `A`, `A and B`, `A, B and C`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export const choice = (label: string | Message, ...answers: readonly Answer[]): Choice => ({
  label: typeof label === 'string' ? text`${label}` : label,
  answers,
});
