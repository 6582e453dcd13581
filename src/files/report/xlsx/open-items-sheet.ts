/**
 * The sheet Open items of a report over days: each payment whose money is on its way, whose outcome is not known, or of
 * which a part is not shown, at the end of the days. They add up to the closing balances on the sheet Summary.
 */
import type { OpenItem, OpenItems } from '../../../domain/reporting/accounts-over-days.ts';
import { STATUS_WORDS } from '../../../domain/reporting/status-words.ts';
import { countText } from '../../../domain/text/printable.ts';
import type { WallClock } from '../../../domain/time-zone.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { addRows, remarks, TableSheet, widthsOf } from './sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

export const OPEN_NAME = 'Open items';

const COLUMNS: readonly Column<OpenItem>[] = [
  column.day('Since', ({ since }) => since, { width: 12 }),
  column.text('Reference', ({ reference }) => reference, { width: 17 }),
  column.plain('Name', ({ name }) => name, { width: 26 }),
  column.plain('State then', ({ status }) => STATUS_WORDS[status].word, { width: 16 }),
  column.money('On its way', ({ money }) => money, { width: 15 }),
  column.money('In suspense', ({ money, inSuspense: minor }) => ({ ...money, minor }), { width: 15 }),
  column.text('Currency', ({ money }) => money.currency, { width: 10 }),
  column.row('Row', ({ row }) => row, { width: 7 }),
  column.words('Batch', ({ batch }) => batch, { width: 30 }),
  column.text('Tag', ({ tag }) => tag, { width: 14 }),
];

export const OPEN_ITEMS = { name: OPEN_NAME, widths: widthsOf(COLUMNS) };

export function writeOpenItems(sheet: Sheet, { listed, sums }: OpenItems, clock: WallClock): void {
  const table = new TableSheet(sheet, COLUMNS);
  for (const item of listed) table.add({ ...item, since: clock.shown(item.since) });
  table.end('Nothing is open.');
  const left = sums.reduce((all, { count }) => all + count, 0) - listed.length;
  if (left > 0) addRows(sheet, remarks([`… and ${countText(left)} more, in the sums.`]));
}
