/** The sheet Exceptions: what a person has to look at, the gravest first, with three empty columns to work in. */
import type { Exceptions } from '../../../../domain/reporting/exceptions.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Column, column } from '../columns.ts';
import { maskedWords } from '../hidden-accounts.ts';
import { addRows, remarks, TableSheet, widthsOf } from './sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

export const EXCEPTIONS_MAX = 5_000;

/** What is shown of a line, and no more of it. */
export type Exception = Pick<ReportLine, 'row' | 'status' | 'amount' | 'reference' | 'name'> & {
  readonly reason: string;
  readonly nextStep: string;
  readonly transferId: string;
  readonly tag: string;
};

export function exceptionOf({ row, status, amount, reference, name, texts }: ReportLine): Exception {
  return {
    ...{ row, status, amount, reference },
    name: maskedWords(name === '' ? texts.account_name : name),
    reason: texts.reason,
    nextStep: texts.next_step,
    transferId: texts.transfer_id,
    tag: texts.tag,
  };
}

const NOTHING = () => '';
const COLUMNS: readonly Column<Exception>[] = [
  column.row('Row', ({ row }) => row, { width: 7 }),
  column.text('Reference', ({ reference }) => reference, { width: 16 }),
  column.text('Name', ({ name }) => name, { width: 24 }),
  column.status('Status', ({ status }) => status, { width: 19 }),
  column.money('Amount', ({ amount }) => amount, { width: 16 }),
  column.text('Currency', ({ amount }) => amount?.currency ?? '', { width: 10 }),
  column.words('Reason', ({ reason }) => reason, { width: 60 }),
  column.words('What to do', ({ nextStep }) => nextStep, { width: 60 }),
  column.text('Transfer id', ({ transferId }) => transferId, { width: 26 }),
  column.text('Tag', ({ tag }) => tag, { width: 14 }),
  column.plain('Owner', NOTHING, { width: 14 }),
  column.plain('Due', NOTHING, { width: 12 }),
  column.plain('Note', NOTHING, { width: 24 }),
];

export const EXCEPTIONS = { name: 'Exceptions', widths: widthsOf(COLUMNS) };

export function writeExceptions(sheet: Sheet, exceptions: Exceptions<Exception>): void {
  const table = new TableSheet(sheet, COLUMNS);
  for (const exception of exceptions.kept()) table.add(exception);
  table.end('Nothing to look at.');
  const more = exceptions
    .more()
    .map(([word, count]) => `… and ${countText(count)} more “${word}”: filter the sheet Payments by Status.`);
  addRows(sheet, remarks(more)(0));
}
