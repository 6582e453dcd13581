/** An empty cell that means the text above it: `Kenya` written once for all rows of Kenya. */
import type { WrittenRow } from '../rows/row.ts';
import type { MakeRowChanges } from './row-change.ts';

export const fillDown: MakeRowChanges = (_headers, answers) => {
  const fields = answers.flatMap((answer) => (answer.kind === 'fill_down' ? answer.fields : []));
  if (fields.length === 0) return [];
  return [
    {
      start({ columns }) {
        const account = columns.get('account') ?? -1;
        const filled = fields.flatMap((field) => columns.get(field) ?? []);
        const above = new Map<number, string>();
        return (row) => {
          for (const at of filled) if (textAt(row, at) !== '') above.set(at, row.cells[at] ?? '');
          // A total, a heading and a signature have no account, and stay what they are.
          return textAt(row, account) === '' ? row : withTexts(row, filled, above);
        };
      },
    },
  ];
};

/** Cells that were merged with the one above them are cells of their own then. */
function withTexts(
  row: WrittenRow,
  filled: readonly number[],
  above: ReadonlyMap<number, string>,
): WrittenRow {
  const isMerged =
    row.marks?.some(({ column, kind }) => kind === 'merged' && filled.includes(column)) === true;
  const isEmpty = filled.some((at) => textAt(row, at) === '');
  if (!isMerged && !isEmpty) return row;
  const cells = [...row.cells];
  for (const at of filled) if (textAt(row, at) === '') cells[at] = above.get(at) ?? '';
  const { rowNumber } = row;
  const marks = (row.marks ?? []).filter(({ column, kind }) => kind !== 'merged' || !filled.includes(column));
  return marks.length === 0 ? { rowNumber, cells } : { rowNumber, cells, marks };
}

function textAt({ cells }: WrittenRow, at: number): string {
  return (cells[at] ?? '').trim();
}
