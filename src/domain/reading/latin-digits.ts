/** Numbers in the digits of other scripts, where they have one reading: `٣٬٤٠٠` is 3400. Names and texts stay as they are. */
import type { Field } from '../rows/row.ts';
import { inLatinDigits } from '../text/likeness.ts';
import { withCell } from './made-cell.ts';
import type { MakeRowChanges } from './row-change.ts';

const NUMBERS: readonly Field[] = ['account', 'amount', 'phone', 'country', 'institution'];

export const latinDigits: MakeRowChanges = (_headers, answers) =>
  answers.some(({ kind }) => kind === 'latin_digits')
    ? [
        {
          start({ columns }) {
            const numbers = NUMBERS.flatMap((field) => columns.get(field) ?? []);
            return (row) => {
              let read = row;
              for (const at of numbers) {
                const latin = inLatinDigits(row.cells[at] ?? '');
                if (latin !== undefined) read = withCell(read, at, latin);
              }
              return read;
            };
          },
        },
      ]
    : [];
