/**
 * What of the rows that can be paid is not used as it is written, said once for the whole file: spaces and marks in
 * accounts, marks of a currency beside amounts, phones that are none.
 */
import { signsBeside } from '../money/currency-words.ts';
import type { Instruction } from '../payouts/instruction.ts';
import { rowsText } from '../text/printable.ts';
import type { FileColumns } from './column-names.ts';
import type { Field, WrittenRow } from './row.ts';

const ROWS_NAMED = 5;
const MARKS_NAMED = 5;

export type WrittenNotes = ReturnType<typeof createWrittenNotes>;

export function createWrittenNotes({ columns }: Pick<FileColumns, 'columns'>) {
  const spaced = createRowList();
  const marked = createRowList();
  const amounts = createRowList();
  const phones = createRowList();
  const marks = new Set<string>();
  const textOf = ({ cells }: WrittenRow, field: Field) => (cells[columns.get(field) ?? -1] ?? '').trim();
  return {
    /** Call for every row that can be paid. */
    look(row: WrittenRow, { account, amount, phone }: Instruction): void {
      const { rowNumber } = row;
      const number = textOf(row, 'account');
      const sent = account.reveal();
      if (number !== sent) (number.replace(/\p{Zs}+/gu, '') === sent ? spaced : marked).add(rowNumber);
      const own = signsBeside(textOf(row, 'amount'), amount.currency);
      if (own.length > 0) amounts.add(rowNumber);
      for (const mark of own) if (marks.size < MARKS_NAMED) marks.add(mark);
      if (phone === undefined && textOf(row, 'phone') !== '') phones.add(rowNumber);
    },
    notes(): readonly string[] {
      const signs = [...marks].map((mark) => `“${mark}”`).join(', ');
      return [
        ...spaced.note((rows) => `Accounts are written with spaces in ${rows}. They are used without them.`),
        ...marked.note(
          (rows) =>
            `Accounts are written with hyphens or other marks in ${rows}. They are used without them.`,
        ),
        ...amounts.note((rows) => `${signs} beside the amount means the row's own currency, in ${rows}.`),
        ...phones.note((rows) => `The phone is left out in ${rows}: it is no phone number of the country.`),
      ];
    },
  };
}

/** Numbers of rows, of which only the first are kept. */
function createRowList() {
  const first: number[] = [];
  let count = 0;
  return {
    add(rowNumber: number): void {
      count += 1;
      if (first.length < ROWS_NAMED) first.push(rowNumber);
    },
    /** `row 2`; `7 rows (2, 3, 4, 5, 6, …)` */
    note(say: (rows: string) => string): readonly string[] {
      if (count === 0) return [];
      const more = count > first.length ? ', …' : '';
      return [say(count === 1 ? `row ${first[0]}` : `${rowsText(count)} (${first.join(', ')}${more})`)];
    },
  };
}
