/** Rows that a person leaves out because of a word in a column. */
import { wordKey } from './answer.ts';
import { columnCalled } from './column-called.ts';
import type { MakeRowChanges } from './row-change.ts';

export const leaveOut: MakeRowChanges = (headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'leave_out') return [];
    const at = columnCalled(headers, answer.header);
    const words = new Set(answer.words.map(wordKey));
    return at === undefined
      ? []
      : [{ start: () => (row) => (words.has(wordKey(row.cells[at] ?? '')) ? 'said' : row) }];
  });
