/** A field that several columns make together, in the order that a person gave: bank, branch, number and key of an account. */
import { addedHeader } from './added-header.ts';
import { cellsAt, withMadeCell } from './made-cell.ts';
import type { MakeRowChanges } from './row-change.ts';

export const joinColumns: MakeRowChanges = (headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'map' || answer.headers.length < 2) return [];
    const from = cellsAt(headers, answer.headers);
    if (from === undefined) return [];
    const { field } = answer;
    // Words stay apart; a number in parts is one number, and one whose first or last part is missing is none.
    const mark = field === 'account' || field === 'phone' ? '' : ' ';
    return [
      {
        adds: { header: addedHeader(headers, field), field, from },
        start: () => (row) => {
          const parts = from.map((at) => (row.cells[at] ?? '').trim());
          const isWhole = mark !== '' || parts.every((part) => part !== '');
          const text = parts.filter((part) => part !== '').join(mark);
          return withMadeCell(row, isWhole ? text : '', from, (kind) => kind !== 'number');
        },
      },
    ];
  });
