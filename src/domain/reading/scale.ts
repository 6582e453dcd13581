/**
 * Amounts in thousands, as a title or a header says: `12.5` below `Amount ('000)` is 12500.
 *
 * An amount that cannot be told from one a thousand times as large stays one in thousands, which validation refuses.
 */
import { amountParts } from '../money/currency-words.ts';
import { readAmount } from '../money/read-amount.ts';
import type { WrittenRow } from '../rows/row.ts';
import { columnCalled } from './column-called.ts';
import { withCell } from './made-cell.ts';
import type { MakeRowChanges } from './row-change.ts';

export const scale: MakeRowChanges = (headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'scale' || answer.factor === 1) return [];
    const at = columnCalled(headers, answer.header);
    return at === undefined ? [] : [{ start: () => (row) => withThousands(row, at) }];
  });

function withThousands(row: WrittenRow, at: number): WrittenRow {
  const text = (row.cells[at] ?? '').trim();
  const parts = amountParts(text);
  if (parts === undefined) return row;
  const isNumber = row.marks?.some(({ column, kind }) => column === at && kind === 'number') === true;
  const reading = readAmount(parts.number);
  const plain =
    reading.kind === 'one_way'
      ? reading.plain
      : reading.kind === 'three_digits' && isNumber
        ? reading.asDecimal
        : undefined;
  const number = plain === undefined ? `${parts.number}K` : timesThousand(plain);
  return withCell(row, at, parts.before + number + parts.after);
}

/** `12.5` → `12500`; `0.0125` → `12.5` */
export function timesThousand(plain: string): string {
  const [whole = '', decimals = ''] = plain.split('.');
  const moved = decimals.padEnd(3, '0');
  const digits = (whole + moved.slice(0, 3)).replace(/^0+(?=\d)/, '');
  const rest = moved.slice(3).replace(/0+$/, '');
  return rest === '' ? digits : `${digits}.${rest}`;
}
