/** The table of decisions, the same in the workbook and on the page: who decided what, when, why, and of which rows. */
import { type BatchDecision, decisionRows } from '../domain/batches/decisions.ts';
import { WallClock } from '../domain/time-zone.ts';
import { type Column, column } from './table-columns.ts';

export type DecisionLine = Pick<BatchDecision, 'at' | 'what' | 'by' | 'why'> & {
  readonly rows: string;
  /** It names a batch; what was decided about it follows. */
  readonly isBatch?: boolean;
};

export const DECISION_COLUMNS: readonly Column<DecisionLine>[] = [
  column.time('When', ({ at }) => at, { width: 21 }),
  // The name of a batch may be 100 characters long.
  column.words('What', ({ what }) => what, { width: 30, isBold: ({ isBatch }) => isBatch === true }),
  column.words('Rows', ({ rows }) => rows, { width: 30 }),
  column.text('Who', ({ by }) => (by === '' ? 'payfile' : by), { width: 18 }),
  column.words('Why', ({ why }) => why, { width: 90 }),
];

export function decisionLine({ at, what, rows, by, why }: BatchDecision, clock = UTC): DecisionLine {
  return { at: clock.shown(at), what, by, why, rows: decisionRows(rows) };
}

const UTC = new WallClock();
