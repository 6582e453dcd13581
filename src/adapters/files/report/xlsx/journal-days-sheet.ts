/**
 * The sheet Journal by day: the amounts of the sheet Journal, summed by day, account and currency, for books that want no
 * line per payment. Debits and credits of a day stand in lines of their own.
 */
import { type DaySum, dayNote, type Side } from '../../../../domain/reporting/journal.ts';
import { ACCOUNT_USES } from '../../../../domain/reporting/journal-checks.ts';
import { type Column, column } from '../../../../views/table-columns.ts';
import { accountOf } from './journal-sheet.ts';
import { TableSheet, widthsOf } from './sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

const account = (what: 'code' | 'name') => ({
  value: ({ role }: DaySum) => accountOf(role, what).text,
  formula: ({ role }: DaySum) => accountOf(role, what).cell,
});
const amountOf = (wanted: Side) => (sum: DaySum) => (sum.side === wanted ? sum.money : undefined);

const COLUMNS: readonly Column<DaySum>[] = [
  column.day('Date (UTC)', ({ day }) => day, { width: 12 }),
  { header: 'Account code', width: 14, style: 'plain', ...account('code') },
  { header: 'Account name', width: 34, style: 'plain', ...account('name') },
  column.money('Debit', amountOf('debit'), { width: 18 }),
  column.money('Credit', amountOf('credit'), { width: 18 }),
  column.text('Currency', ({ money }) => money.currency, { width: 10 }),
  column.count('Entries', ({ entries }) => entries, { width: 10 }),
  column.plain('Used for', ({ role }) => ACCOUNT_USES[role], { width: 26 }),
  column.plain('Note', dayNote, { width: 30 }),
];

export const JOURNAL_DAYS = { name: 'Journal by day', columns: COLUMNS, widths: widthsOf(COLUMNS) };

export function writeJournalDays(sheet: Sheet, days: readonly DaySum[], nothing: string): void {
  const hasNotes = days.some((sum) => dayNote(sum) !== '');
  const table = new TableSheet(sheet, hasNotes ? COLUMNS : COLUMNS.slice(0, -1));
  for (const sum of days) table.add(sum);
  table.end(nothing);
}
