/** The table of lines of a file that are no payments, the same in the workbook and on the page: why each stays out. */
import { type LineLeftOut, whyLeftOut } from '../domain/rows/lines-left-out.ts';
import { type Column, column } from './table-columns.ts';

export const LEFT_OUT_COLUMNS: readonly Column<LineLeftOut>[] = [
  column.row('Row', ({ row }) => row, { width: 7 }),
  column.plain('Name', ({ name = '' }) => name, { width: 30 }),
  column.text('Amount as written', ({ amount = '' }) => amount, { width: 20 }),
  column.plain('Why it is left out', ({ why }) => whyLeftOut(why), { width: 44 }),
  column.plain('The row says', ({ says = '' }) => says, { width: 40 }),
  column.text('Whose answer', ({ by = '' }) => by, { width: 18 }),
];
