/** The table of decisions, the same in the workbook and on the page: who decided what, when, why, and of which rows. */
import type { BatchDecision } from '../../../domain/batches/decisions.ts';
import { countText } from '../../../domain/text/printable.ts';
import type { Column } from './columns.ts';

const ROWS_NAMED = 50;

export type DecisionLine = Pick<BatchDecision, 'at' | 'what' | 'by' | 'why'> & {
  readonly rows: string;
  /** It names a batch; what was decided about it follows. */
  readonly isBatch?: boolean;
};

export const DECISION_COLUMNS: readonly Column<DecisionLine>[] = [
  { header: 'When (UTC)', width: 21, style: 'time', value: ({ at }) => at },
  {
    header: 'What',
    width: 26,
    style: 'plain',
    value: ({ what }) => what,
    isBold: ({ isBatch }) => isBatch === true,
  },
  { header: 'Rows', width: 30, style: 'words', value: ({ rows }) => rows },
  { header: 'Who', width: 18, style: 'text', value: ({ by }) => (by === '' ? 'payfile' : by) },
  { header: 'Why', width: 90, style: 'words', value: ({ why }) => why },
];

export function decisionLine({ at, what, rows, by, why }: BatchDecision): DecisionLine {
  const named = rows.slice(0, ROWS_NAMED).join(', ');
  const left = rows.length - ROWS_NAMED;
  const text = left > 0 ? `${named} … and ${countText(left)} more` : named || 'whole batch';
  return { at, what, by, why, rows: text };
}
