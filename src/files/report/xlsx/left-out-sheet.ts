/** The sheet Left out: each line of the file that is no payment, and why. Only where there is one. */
import type { LinesLeftOut } from '../../../domain/rows/lines-left-out.ts';
import { countText } from '../../../domain/text/printable.ts';
import { LEFT_OUT_COLUMNS } from '../../../views/left-out-columns.ts';
import { addRows, remarks, TableSheet, widthsOf } from './sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

export const LEFT_OUT = { name: 'Left out', widths: widthsOf(LEFT_OUT_COLUMNS) };

export function writeLeftOut(sheet: Sheet, { rows, more }: LinesLeftOut): void {
  const table = new TableSheet(sheet, LEFT_OUT_COLUMNS);
  for (const line of rows) table.add(line);
  table.end();
  if (more > 0) addRows(sheet, remarks([`… and ${countText(more)} more.`]));
}
