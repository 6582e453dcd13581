/**
 * The sheet Payments: one row per input row, all rows, in file order. Its columns keep their order from month
 * to month, so that formulas of other workbooks keep working.
 */

import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { GROUP_OF, GROUP_WORDS } from '../../../../domain/reporting/status-words.ts';
import { maskOf } from '../../../../domain/text/sensitive.ts';
import { type Column, column } from '../columns.ts';
import { maskedWords } from '../hidden-accounts.ts';
import { widthsOf } from './sheet.ts';

/** A line as it is shown. */
export type Payment = Omit<ReportLine, 'account'> & { readonly account: string };

const COLUMNS: readonly Column<Payment>[] = [
  column.row('Row', ({ row }) => row, { width: 7 }),
  column.text('Reference', ({ reference }) => reference, { width: 16 }),
  column.text('Name', ({ name }) => name, { width: 24 }),
  column.status('Status', ({ status }) => status, { width: 19 }),
  column.money('Amount', ({ amount }) => amount, { width: 16 }),
  column.text('Currency', ({ amount }) => amount?.currency ?? '', { width: 10 }),
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
  column.plain('Reason', ({ texts }) => texts.reason, { width: 48 }),
  column.plain('What to do', ({ texts }) => texts.next_step, { width: 48 }),
  column.row('Attempts', ({ attempts }) => attempts, { width: 10 }),
  column.time('Sent at (UTC)', ({ sentAt }) => sentAt, { width: 20 }),
  column.time('Settled at (UTC)', ({ settledAt }) => settledAt, { width: 20 }),
  column.text('Tag', ({ texts }) => texts.tag, { width: 14 }),
  column.text('Replaces', ({ texts }) => texts.replaces, { width: 20 }),
  // Row numbers repeat in a report over several batches.
  column.text('Batch', ({ batch }) => batch?.name ?? batch?.id ?? '', { width: 18 }),
  column.money('Debit when sent', ({ debitAtSend }) => debitAtSend, { width: 15 }),
  column.text('Sent in these days', daysText, { width: 18 }),
];

export const PAYMENTS = { name: 'Payments', columns: COLUMNS, widths: widthsOf(COLUMNS) };

/** Where columns were swapped, an account stands in the place of a name. */
export function paymentOf(line: ReportLine, fullAccounts: boolean): Payment {
  const account = line.account.reveal();
  if (fullAccounts) return { ...line, account };
  return {
    ...line,
    account: account === '' ? '' : maskOf(account),
    name: maskedWords(line.name),
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
