/** Says which columns are not used: people easily believe that a column was recognised when it was not, above all names. */

import { ownColumns } from '../reporting/report-columns.ts';
import type { Field } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import { cutText, printable } from '../text/printable.ts';
import { maskedWords } from '../text/sensitive.ts';
import type { Look, SeenColumn } from './look.ts';
import { named } from './shown-column.ts';

const MOST_NAMED = 12;
const MOST_WORDS_SHOWN = 6;
const LONGEST = 40;

/** `Not used: Net, Remarks 2, Status (Paid 3, Open 9)`. `used`: also columns that are a part of a field. */
export function unusedNotes({ columns }: Look, used: ReadonlyMap<number, Field>): readonly string[] {
  const own = new Set(ownColumns(columns.map(({ header }) => header)));
  const unused = columns.filter(
    ({ field, header, at }) => field === undefined && !used.has(at) && header !== '' && own.has(at),
  );
  const first = unused.slice(0, MOST_NAMED).map(shown);
  const more = unused.length > MOST_NAMED ? ' …' : '';
  return [
    ...(unused.length === 0 ? [] : [`Not used: ${first.join(', ')}${more}`]),
    ...(columns.some(({ field }) => field === 'name')
      ? []
      : ['no column for the name, so names cannot be compared']),
  ];
}

/** `Read from: amount “Net Pay”, account “Account No.”`, where a header is not called as the field is. */
export function usedNotes({ columns }: Look, used: ReadonlyMap<number, Field>): readonly string[] {
  const fields = SHOWN_FIELDS.flatMap((of) => {
    const all = columns.filter(({ at }) => used.get(at) === of);
    // A column that an answer made stands beside those that it was made from.
    const own = all.filter(({ header }) => foldText(header) !== of);
    const headers = (own.length > 0 ? own : all).map(({ header }) => named(header));
    return headers.length === 0 ? [] : [{ text: `${of} ${headers.join(' and ')}`, isOther: own.length > 0 }];
  });
  if (!fields.some(({ isOther }) => isOther)) return [];
  return [`Read from: ${fields.map(({ text }) => text).join(', ')}`];
}

const SHOWN_FIELDS: readonly Field[] = ['amount', 'account', 'institution', 'name'];

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
