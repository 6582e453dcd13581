/** The sheet Exceptions: what a person has to look at, the gravest first, with three empty columns to work in. */
import type { Exceptions } from '../../../../domain/reporting/exceptions.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { countText } from '../../../../domain/text/printable.ts';
import type { Column } from '../columns.ts';
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
  { header: 'Row', width: 7, style: 'row', value: ({ row }) => row },
  { header: 'Reference', width: 16, style: 'text', value: ({ reference }) => reference },
  { header: 'Name', width: 24, style: 'text', value: ({ name }) => name },
  { header: 'Status', width: 19, style: 'status', value: ({ status }) => status },
  { header: 'Amount', width: 16, style: 'money', value: ({ amount }) => amount },
  {
    header: 'Currency',
    width: 10,
    style: 'text',
    value: ({ amount }) => amount?.currency ?? '',
  },
  { header: 'Reason', width: 60, style: 'words', value: ({ reason }) => reason },
  { header: 'What to do', width: 60, style: 'words', value: ({ nextStep }) => nextStep },
  {
    header: 'Transfer id',
    width: 26,
    style: 'text',
    value: ({ transferId }) => transferId,
  },
  { header: 'Tag', width: 14, style: 'text', value: ({ tag }) => tag },
  { header: 'Owner', width: 14, style: 'plain', value: NOTHING },
  { header: 'Due', width: 12, style: 'plain', value: NOTHING },
  { header: 'Note', width: 24, style: 'plain', value: NOTHING },
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
