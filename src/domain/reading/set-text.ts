/** One text for a field of every row, in a column of its own behind those of the file. */

import { addedHeader } from './added-header.ts';
import type { MakeRowChanges } from './row-change.ts';

export const setText: MakeRowChanges = (headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'set') return [];
    const { field, text } = answer;
    return [
      {
        adds: { header: addedHeader(headers, field), field, from: [] },
        start: () => (row) => ({ ...row, cells: [...row.cells, text] }),
      },
    ];
  });
