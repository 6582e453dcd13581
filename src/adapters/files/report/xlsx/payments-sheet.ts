/**
 * The sheet Payments: one row per input row, all rows, in file order. Its columns keep their order from month
 * to month, so that formulas of other workbooks keep working.
 */
import { GROUP_OF, GROUP_WORDS } from '../../../../domain/reporting/control-totals.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { statusLabel } from '../../../../domain/reporting/status-words.ts';
import { maskOf } from '../../../../domain/text/sensitive.ts';
import {
  columnLetter,
  decimalCell,
  headerCells,
  lineCell,
  moneyCell,
  overNumbers,
  textCell,
  timeCell,
} from './cells.ts';
import { maskedWords } from './masked-text.ts';
import { groupRules } from './rules.ts';
import { PLAIN_STYLE, ROW_STYLE, statusStyle } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

interface Column {
  readonly name: string;
  readonly width: number;
  readonly cell: (line: ReportLine, fullAccounts: boolean) => Cell;
}

/** These stand over numbers. */
const NUMBERS: ReadonlySet<string> = new Set([
  'Row',
  'Amount',
  'Rate',
  'Fee',
  'Debit',
  'Attempts',
  'Debit when sent',
]);

const COLUMNS = [
  { name: 'Row', width: 7, cell: (line) => ({ value: line.row, style: ROW_STYLE }) },
  { name: 'Reference', width: 16, cell: (line) => textCell(line.reference) },
  { name: 'Name', width: 24, cell: (line, whole) => wordsOf(line.name, whole) },
  {
    name: 'Status',
    width: 19,
    cell: (line) => ({ value: statusLabel(line.status), style: statusStyle(line.status) }),
  },
  { name: 'Amount', width: 16, cell: (line) => moneyCell(line.amount) },
  { name: 'Currency', width: 10, cell: (line) => textCell(line.amount?.currency ?? '') },
  {
    name: 'Counted as',
    width: 13,
    cell: (line) => ({ value: GROUP_WORDS[GROUP_OF[line.status]].word, style: PLAIN_STYLE }),
  },
  { name: 'Country', width: 15, cell: (line, whole) => wordsOf(line.country, whole) },
  { name: 'Institution', width: 22, cell: (line, whole) => wordsOf(line.institution, whole) },
  { name: 'Account', width: 18, cell: (line, fullAccounts) => textCell(accountText(line, fullAccounts)) },
  { name: 'Name on account', width: 24, cell: (line) => textCell(line.texts.account_name) },
  { name: 'Name check', width: 13, cell: (line) => textCell(line.texts.name_check.replace('_', ' ')) },
  { name: 'Rate', width: 12, cell: (line) => decimalCell(line.texts.rate) },
  { name: 'Fee', width: 11, cell: feeCell },
  { name: 'Debit', width: 14, cell: (line) => moneyCell(line.debit) },
  { name: 'Debit currency', width: 15, cell: (line) => textCell(line.texts.fee_currency) },
  { name: 'Transfer id', width: 26, cell: (line) => textCell(line.texts.transfer_id) },
  { name: 'Service status', width: 17, cell: (line) => textCell(line.texts.service_status) },
  { name: 'Reason', width: 48, cell: (line) => lineCell(line.texts.reason) },
  { name: 'What to do', width: 48, cell: (line) => lineCell(line.texts.next_step) },
  { name: 'Attempts', width: 10, cell: (line) => ({ value: line.attempts, style: ROW_STYLE }) },
  { name: 'Sent at (UTC)', width: 20, cell: (line) => timeCell(line.sentAt) },
  { name: 'Settled at (UTC)', width: 20, cell: (line) => timeCell(line.settledAt) },
  { name: 'Tag', width: 14, cell: (line) => textCell(line.texts.tag) },
  { name: 'Replaces', width: 20, cell: (line) => textCell(line.texts.replaces) },
  { name: 'Batch', width: 18, cell: (line) => textCell(batchText(line)) },
  { name: 'Debit when sent', width: 15, cell: (line) => moneyCell(line.debitAtSend) },
  { name: 'Sent in these days', width: 18, cell: daysCell },
] as const satisfies readonly Column[];

export const PAYMENTS = {
  name: 'Payments',
  widths: COLUMNS.map((column) => column.width),
  lastLetter: columnLetter(COLUMNS.length),
  letters: {
    row: 'A',
    status: 'D',
    amount: 'E',
    currency: 'F',
    group: 'G',
    country: 'H',
    debit: 'O',
    source: 'P',
    sentAt: 'V',
    debitAtSend: 'AA',
  },
} as const;

export function beginPayments(sheet: Sheet): void {
  sheet.addRow(headerCells(COLUMNS.map(({ name }) => (NUMBERS.has(name) ? overNumbers(name) : name))));
}

export function addPayment(sheet: Sheet, line: ReportLine, fullAccounts: boolean): void {
  sheet.addRow(COLUMNS.map((column: Column) => column.cell(line, fullAccounts)));
}

/** The last row is known when all are written. */
export function endPayments(sheet: Sheet): void {
  const lastRow = sheet.rowCount();
  sheet.filter(`A1:${PAYMENTS.lastLetter}${lastRow}`);
  if (lastRow > 1)
    sheet.rule(`A2:${PAYMENTS.lastLetter}${lastRow}`, groupRules(`$${PAYMENTS.letters.group}2`));
}

/** Of one column, from the first payment to the last. */
export function paymentsRange(letter: string, lastRow: number): string {
  return `${PAYMENTS.name}!$${letter}$2:$${letter}$${Math.max(2, lastRow)}`;
}

export function accountText(line: ReportLine, fullAccounts: boolean): string {
  const account = line.account.reveal();
  return fullAccounts || account === '' ? account : maskOf(account);
}

/** Row numbers repeat in a report over several batches. */
export function batchText({ batch }: ReportLine): string {
  return batch === undefined ? '' : (batch.name ?? batch.id);
}

/** Where columns were swapped, an account stands in the place of a name. */
function wordsOf(text: string, fullAccounts: boolean): Cell {
  return textCell(fullAccounts ? text : maskedWords(text));
}

/** In its currency's form when that loses nothing of what the service wrote. */
function feeCell(line: ReportLine): Cell {
  const decimals = line.texts.fee.split('.')[1]?.length ?? 0;
  return line.fee !== undefined && decimals <= 2 ? moneyCell(line.fee) : decimalCell(line.texts.fee);
}

/** In a report over days a row is there for anything that happened in them; its payment may be of other days. */
function daysCell({ isOfDays }: ReportLine): Cell {
  return textCell(isOfDays === undefined ? '' : isOfDays ? 'yes' : 'no: other days');
}
