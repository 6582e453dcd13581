/** The table of decisions, the same in the workbook and on the page: who decided what, when, why, and of which rows. */
import type { BatchDecision } from '../domain/batches/decisions.ts';
import { countText } from '../domain/text/printable.ts';
import { type Column, column } from './table-columns.ts';

const ROWS_NAMED = 50;

export type DecisionLine = Pick<BatchDecision, 'at' | 'what' | 'by' | 'why'> & {
  readonly rows: string;
  /** It names a batch; what was decided about it follows. */
  readonly isBatch?: boolean;
};

export const DECISION_COLUMNS: readonly Column<DecisionLine>[] = [
  column.time('When (UTC)', ({ at }) => at, { width: 21 }),
  // The name of a batch may be 100 characters long.
  column.words('What', ({ what }) => what, { width: 30, isBold: ({ isBatch }) => isBatch === true }),
  column.words('Rows', ({ rows }) => rows, { width: 30 }),
  column.text('Who', ({ by }) => (by === '' ? 'payfile' : by), { width: 18 }),
  column.words('Why', ({ why }) => why, { width: 90 }),
];

export function decisionLine({ at, what, rows, by, why }: BatchDecision): DecisionLine {
  const named = rows.slice(0, ROWS_NAMED).join(', ');
  const left = rows.length - ROWS_NAMED;
  const text = left > 0 ? `${named} … and ${countText(left)} more` : named || 'whole batch';
  return { at, what, by, why, rows: text };
}
