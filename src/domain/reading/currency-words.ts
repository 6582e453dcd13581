/** Words in the column of the currency that a person said stand for a currency. */
import { wordKey } from './answer.ts';
import { withCell } from './made-cell.ts';
import type { MakeRowChanges } from './row-change.ts';

export const currencyWords: MakeRowChanges = (_, answers) => {
  const meanings = new Map(
    answers.flatMap((answer) =>
      answer.kind === 'value' && answer.field === 'currency'
        ? [[wordKey(answer.written), answer.means] as const]
        : [],
    ),
  );
  if (meanings.size === 0) return [];
  return [
    {
      start: ({ columns }) => {
        const at = columns.get('currency');
        return (row) => {
          const means = at === undefined ? undefined : meanings.get(wordKey(row.cells[at] ?? ''));
          return means === undefined || at === undefined ? row : withCell(row, at, means);
        };
      },
    },
  ];
};
