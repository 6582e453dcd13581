/** Says which columns are not used: people easily believe that a column was recognised when it was not, above all names. */

import { ownColumns } from '../reporting/report-columns.ts';
import { type FileColumns, nameColumnsOf } from '../rows/column-names.ts';
import type { Field } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import { cutText, printable } from '../text/printable.ts';
import { maskedWords } from '../text/sensitive.ts';
import type { Look, SeenColumn } from './look.ts';
import { named } from './shown-column.ts';

const MOST_NAMED = 12;
const MOST_WORDS_SHOWN = 6;
const LONGEST = 40;

/** `Not used for the payment, kept for the report: Net, Remarks 2, Status (Paid 3, Open 9)`. `used`: also columns that are a part of a field. */
export function unusedNotes({ columns }: Look, used: ReadonlyMap<number, Field>): readonly string[] {
  const own = new Set(ownColumns(columns.map(({ header }) => header)));
  const unused = columns.filter(
    ({ field, header, at }) => field === undefined && !used.has(at) && header !== '' && own.has(at),
  );
  const first = unused.slice(0, MOST_NAMED).map(shown);
  const more = unused.length > MOST_NAMED ? ' …' : '';
  return [
    ...(unused.length === 0
      ? []
      : [`Not used for the payment, kept for the report: ${first.join(', ')}${more}`]),
    ...(columns.some(({ field }) => field === 'name')
      ? []
      : ['no column for the name, so names cannot be compared']),
  ];
}

/** `Read from: amount “Net Pay”, account “Account No.”`, where a header is not called as the field is. */
export function usedNotes(file: FileColumns): readonly string[] {
  const fields = SHOWN_FIELDS.flatMap((of) => {
    const called = columnsOf(of, file).map((at) => file.headers[at] ?? '');
    if (called.length === 0) return [];
    const text = `${SHOWN_AS.get(of) ?? of} ${called.map(named).join(' and ')}`;
    return [{ text, isOther: called.some((header) => foldText(header) !== of) }];
  });
  if (!fields.some(({ isOther }) => isOther)) return [];
  return [`Read from: ${fields.map(({ text }) => text).join(', ')}`];
}

/** A column that an answer made is called by those that it was made from. */
function columnsOf(field: Field, file: FileColumns): readonly number[] {
  const at = file.columns.get(field);
  if (at === undefined) return field === 'name' ? nameColumnsOf(file) : [];
  const from = file.madeFrom?.get(at) ?? [];
  return from.length > 0 ? from : [at];
}

const SHOWN_FIELDS: readonly Field[] = ['amount', 'account', 'institution', 'name', 'note'];
const SHOWN_AS: ReadonlyMap<Field, string> = new Map([['note', 'note to the beneficiary']]);

/** With the words of a column that repeats a few. */
function shown({ header, words = new Map(), filled }: SeenColumn): string {
  const name = cutText(printable(maskedWords(header)), LONGEST);
  const isFew = words.size > 0 && words.size <= MOST_WORDS_SHOWN && words.size < filled;
  if (!isFew || ![...words.keys()].every((word) => /\p{L}/u.test(word))) return name;
  const counts = [...words].map(
    ([word, count]) => `${cutText(printable(maskedWords(word)), LONGEST)} ${count}`,
  );
  return `${name} (${counts.join(', ')})`;
}
