/** What the questions share: which columns they look at, and how a column is shown. */

import { isSameHeader, PASSED_OVER } from '../../rows/column-names.ts';
import type { Field } from '../../rows/row.ts';
import { type Message, said as text } from '../../text/message.ts';
import type { Answer } from '../answer.ts';
import type { Look, SeenColumn } from '../look.ts';
import type { Choice } from '../question.ts';
import { named, shownColumn } from '../shown-column.ts';

/** Columns with a header and with text in some row, that nobody said to ignore, now or before rows were written out again. */
export function openColumns(look: Look, said: readonly Answer[]): readonly SeenColumn[] {
  return look.columns.filter(
    (column) =>
      column.header !== '' &&
      column.filled > 0 &&
      !column.isIgnored &&
      !column.header.endsWith(PASSED_OVER) &&
      !isAbout(said, 'ignore', column),
  );
}

export function isAbout(
  said: readonly Answer[],
  kind: 'ignore' | 'pay_anyway' | 'leave_out' | 'scale',
  { header, name }: SeenColumn,
): boolean {
  return said.some(
    (answer) => answer.kind === kind && (answer.header === name || isSameHeader(answer.header, header)),
  );
}

export const isIn = (field: Field, ...columns: readonly SeenColumn[]): Answer => ({
  ...{ kind: 'map', field },
  headers: columns.map(({ name }) => name),
});

export const usedFor = (columns: readonly SeenColumn[], field: Field): SeenColumn | undefined =>
  columns.find((column) => column.field === field);

/** Most cells are numbers. */
export const holdsNumbers = ({ numbers, filled }: SeenColumn): boolean =>
  numbers > 0 && numbers * 2 >= filled;

/** `“Net Pay” (62849.25; 49400.00)`: two values as written. Those of accounts are masked. */
export const shown = (column: SeenColumn, isAccount = false): string =>
  shownColumn(column, isAccount ? 'account' : undefined);

export const quoted = (written: string): string => named(written.trim());

/** `A`, `A and B`, `A, B and C`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export const choice = (label: string | Message, ...answers: readonly Answer[]): Choice => ({
  label: typeof label === 'string' ? text`${label}` : label,
  answers,
});
