/**
 * The sheets Payments and Exceptions. Payments has one row per input row, all rows, in file order; its columns keep their
 * order from month to month, so that formulas of other workbooks keep working. Exceptions has what a person must look at,
 * the gravest first, with three empty columns to work in.
 */

import type { Exceptions } from '../../../domain/reporting/exceptions.ts';
import { maskedWords } from '../../../domain/reporting/hidden-accounts.ts';
import type { ReportHeader } from '../../../domain/reporting/report.ts';
import type { ReportLine } from '../../../domain/reporting/report-line.ts';
import { lineLabel, type RowLabel } from '../../../domain/reporting/row-label.ts';
import { GROUP_OF, GROUP_WORDS } from '../../../domain/reporting/status-words.ts';
import { countText, printable } from '../../../domain/text/printable.ts';
import { maskOf } from '../../../domain/text/sensitive.ts';
import { type Column, column, columnsInUse } from '../../../views/table-columns.ts';
import { addRows, remarks, TableSheet, widthsOf } from './sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

/** A line as it is shown. */
export type Payment = Omit<ReportLine, 'account'> & { readonly account: string; readonly label: RowLabel };

/** Of both sheets. */
const FIRST_COLUMNS: readonly Column<
  Pick<ReportLine, 'row' | 'reference' | 'name' | 'amount'> & { readonly label: RowLabel }
>[] = [
  column.row('Row', ({ row }) => row, { width: 7 }),
  column.text('Reference', ({ reference }) => reference, { width: 16 }),
  column.text('Name', ({ name }) => name, { width: 24 }),
  column.status('Status', ({ label }) => label, { width: 28 }),
  column.money('Amount', ({ amount }) => amount, { width: 16 }),
  column.text('Currency', ({ amount }) => amount?.currency ?? '', { width: 10 }),
];

const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  ...FIRST_COLUMNS,
  column.plain('Counted as', groupWord, { width: 13 }),
  column.text('Country', ({ country }) => country, { width: 15 }),
  column.text('Institution', ({ institution }) => institution, { width: 22 }),
  column.text('Account', ({ account }) => account, { width: 18 }),
  column.text('Name on account', ({ texts }) => texts.account_name, { width: 24 }),
  column.text('Name check', ({ texts }) => texts.name_check.replace('_', ' '), { width: 13 }),
  column.rate('Rate', ({ texts }) => texts.rate, { width: 12 }),
  column.money('Fee', feeOf, { width: 11 }),
  column.money('Debit', ({ debit }) => debit, { width: 14 }),
  column.text('Debit currency', ({ texts }) => texts.fee_currency, { width: 15 }),
  column.text('Transfer id', ({ texts }) => texts.transfer_id, { width: 26 }),
  column.text('Service status', ({ texts }) => texts.service_status, { width: 17 }),
  column.words('Reason', ({ texts }) => texts.reason, { width: 60 }),
  column.words('What to do', ({ texts }) => texts.next_step, { width: 60 }),
  column.row('Attempts', ({ attempts }) => attempts, { width: 10 }),
  column.time('Sent at (UTC)', ({ sentAt }) => sentAt, { width: 20 }),
  column.time('Settled at (UTC)', ({ settledAt }) => settledAt, { width: 20 }),
  column.text('Tag', ({ texts }) => texts.tag, { width: 14 }),
  column.text('Replaces', ({ texts }) => texts.replaces, { width: 20 }),
  column.money('Debit when sent', ({ debitAtSend }) => debitAtSend, { width: 15 }),
];

/** Row numbers repeat in a report over several batches. */
const BATCH_COLUMN: Column<Pick<ReportLine, 'batch'>> = column.words('Batch', batchText, { width: 28 });

const DAYS_COLUMNS: readonly Column<Payment>[] = [
  ...PAYMENT_COLUMNS.slice(0, 1),
  BATCH_COLUMN,
  ...PAYMENT_COLUMNS.slice(1),
  column.text('Sent in these days', daysText, { width: 18 }),
];

export const PAYMENTS_NAME = 'Payments';

/** A report over days has the batch beside the row, where both stay in sight; otherwise columns keep their order. */
export function paymentsSheet({ period }: Pick<ReportHeader, 'period'>) {
  const columns = period === undefined ? PAYMENT_COLUMNS : DAYS_COLUMNS;
  return { name: PAYMENTS_NAME, columns, widths: widthsOf(columns) };
}

export function batchText({ batch }: Pick<ReportLine, 'batch'>): string {
  return printable(batch?.name ?? '');
}

/** Where columns were swapped, an account stands in the place of a name. */
export function paymentOf(line: ReportLine, fullAccounts: boolean): Payment {
  const account = line.account.reveal();
  // A file without names leaves them to the service.
  const name = line.name === '' ? line.texts.account_name : line.name;
  const label = lineLabel(line);
  if (fullAccounts) return { ...line, account, name, label };
  return {
    ...line,
    label,
    account: account === '' ? '' : maskOf(account),
    name: maskedWords(name),
    country: maskedWords(line.country),
    institution: maskedWords(line.institution),
  };
}

function groupWord({ status }: Payment): string {
  return GROUP_WORDS[GROUP_OF[status]].word;
}

/** In its currency's form when that loses nothing of what the service wrote. */
function feeOf({ fee, texts }: Payment) {
  const decimals = texts.fee.split('.')[1]?.length ?? 0;
  return fee !== undefined && decimals <= 2 ? fee : texts.fee;
}

/** In a report over days a row is there for anything that happened in them; its payment may be of other days. */
function daysText({ isOfDays }: Payment): string {
  return isOfDays === undefined ? '' : isOfDays ? 'yes' : 'no: other days';
}

export const EXCEPTIONS_MAX = 5_000;

/** What is shown of a line, and no more of it. */
export type Exception = Pick<ReportLine, 'row' | 'amount' | 'reference' | 'name' | 'batch' | 'difference'> & {
  readonly label: RowLabel;
  readonly reason: string;
  readonly nextStep: string;
  readonly transferId: string;
  readonly tag: string;
};

export function exceptionOf(line: ReportLine): Exception {
  const { row, amount, reference, name, batch, difference, texts } = line;
  return {
    ...{ row, amount, reference, batch, difference },
    label: lineLabel(line),
    name: maskedWords(name === '' ? texts.account_name : name),
    reason: texts.reason,
    nextStep: texts.next_step,
    transferId: texts.transfer_id,
    tag: texts.tag,
  };
}

const NOTHING = () => '';
const EXCEPTION_COLUMNS: readonly Column<Exception>[] = [
  ...FIRST_COLUMNS.slice(0, 1),
  { ...BATCH_COLUMN, mayGo: true },
  ...FIRST_COLUMNS.slice(1),
  column.words('Reason', ({ reason }) => reason, { width: 60 }),
  column.words('What to do', ({ nextStep }) => nextStep, { width: 60 }),
  column.text('Transfer id', ({ transferId }) => transferId, { width: 26, mayGo: true }),
  column.text('Tag', ({ tag }) => tag, { width: 14, mayGo: true }),
  column.plain('Owner', NOTHING, { width: 14 }),
  column.plain('Due', NOTHING, { width: 12 }),
  column.plain('Note', NOTHING, { width: 24 }),
];

export const EXCEPTIONS_NAME = 'Exceptions';

export function exceptionsSheet(exceptions: Exceptions<Exception>) {
  const kept = exceptions.kept();
  const columns = kept.length === 0 ? FIRST_COLUMNS : columnsInUse(EXCEPTION_COLUMNS, kept);
  return { name: EXCEPTIONS_NAME, listed: kept, columns, widths: widthsOf(columns) };
}

export function writeExceptions(
  sheet: Sheet,
  exceptions: Exceptions<Exception>,
  columns: readonly Column<Exception>[],
): void {
  const table = new TableSheet(sheet, columns);
  for (const exception of exceptions.kept()) table.add(exception);
  table.end('Nothing to look at.');
  const more = exceptions
    .more()
    .map(([word, count]) => `… and ${countText(count)} more “${word}”: filter the sheet Payments by Status.`);
  addRows(sheet, remarks(more));
}
