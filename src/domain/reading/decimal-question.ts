/** Which mark is the decimal mark, where no amount of the file shows it. */
import type { StyleRead } from '../money/amount-style.ts';
import { readAmount } from '../money/read-amount.ts';
import type { RowIssues } from '../rows/row.ts';
import { said } from '../text/message.ts';
import { printable, rowsText } from '../text/printable.ts';
import type { Question } from './question.ts';

export function askDecimal(style: StyleRead | undefined, rows: readonly RowIssues[]): readonly Question[] {
  const odd = rows.flatMap(({ issues }) => issues.filter(({ kind }) => kind === 'amount_ambiguous'));
  const readings = odd.map(({ seen }) => ({ seen: printable(seen), ...readAmount(seen) }));
  const [first, ...others] = readings.flatMap((read) => (read.kind === 'three_digits' ? [read] : []));
  if (style?.basis !== 'unproven' || first?.asThousands === undefined) return [];
  const { seen, mark, asThousands, asDecimal } = first;
  if (others.some((other) => other.mark !== mark)) return [];
  const meansThousands = { kind: 'decimal', mark: mark === 'point' ? 'comma' : 'point' } as const;
  return [
    {
      code: 'decimal_mark',
      text: said`In ${rowsText(readings.length)} the amount has a ${mark} before three digits, such as “${seen}”. Is that ${asThousands}, or ${asDecimal}?`,
      headers: odd.flatMap(({ column }) => column ?? []).slice(0, 1),
      isOffer: true,
      isGuess: true,
      choices: [
        { label: said`“${seen}” is ${asThousands}, and so in all amounts`, answers: [meansThousands] },
        { label: said`It is another amount: write these amounts without the ${mark}`, answers: [] },
      ],
    },
  ];
}
