/** Rows for people who get nothing this time. An empty amount is none: it may have been forgotten. */
import { type MakeRowChanges, saidBy } from './row-change.ts';

export const skipZero: MakeRowChanges = (_headers, answers) =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'skip_zero') return [];
    const out = { why: 'zero', ...saidBy(answer) } as const;
    return [
      {
        start({ columns }) {
          const at = columns.get('amount') ?? -1;
          return (row) => (isZero(row.cells[at] ?? '') ? out : row);
        },
      },
    ];
  });

/** `0`, `0.00`, `KES 0`, and a dash alone, as accounting formats write zero. */
export function isZero(cell: string): boolean {
  const text = cell.trim();
  if (/^\p{Pd}+$|^\u2212+$/u.test(text)) return true;
  return /^(?:[\p{Sc}\p{L}.]{1,5}\s*)?[0\u0660\u06f0][0\u0660\u06f0\s.,'\u066b\u066c]*(?:\/[=-])?\s*(?:[\p{Sc}\p{L}.]{1,5})?$/u.test(
    text,
  );
}
