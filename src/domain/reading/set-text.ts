/** One text for a field of every payment, in a column of its own behind those of the file. */

import type { FileColumns } from '../rows/column-names.ts';
import type { WrittenRow } from '../rows/row.ts';
import { addedHeader } from './added-header.ts';
import { withMadeCell } from './made-cell.ts';
import type { MakeRowChanges } from './row-change.ts';

export const setText: MakeRowChanges = (headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'set') return [];
    const { field, text } = answer;
    return [
      {
        adds: { header: addedHeader(headers, field), field, from: [] },
        start: (file) => (row) => withMadeCell(row, mayPay(row, file) ? text : '', []),
      },
    ];
  });

/** A heading, a total and a signature stay without the text: with it they would seem to be payments. */
function mayPay({ cells }: WrittenRow, { columns, madeFrom }: FileColumns): boolean {
  const isFilled = (field: 'account' | 'institution' | 'name') => {
    const at = columns.get(field) ?? -1;
    // An account that lacks a part is one all the same.
    return [at, ...(madeFrom?.get(at) ?? [])].some((each) => (cells[each] ?? '').trim() !== '');
  };
  return isFilled('account') || (isFilled('institution') && (isFilled('name') || !columns.has('name')));
}
