/**
 * The sheet Payments: one row per input row, all rows, in file order. Its columns keep their order from month
 * to month, so that formulas of other workbooks keep working.
 */

import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { GROUP_OF, GROUP_WORDS } from '../../../../domain/reporting/status-words.ts';
import { maskOf } from '../../../../domain/text/sensitive.ts';
import type { Column } from '../columns.ts';
import { maskedWords } from '../hidden-accounts.ts';
import { widthsOf } from './sheet.ts';

/** A line as it is shown. */
export type Payment = Omit<ReportLine, 'account'> & { readonly account: string };

const COLUMNS: readonly Column<Payment>[] = [
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
  { header: 'Counted as', width: 13, style: 'plain', value: groupWord },
  { header: 'Country', width: 15, style: 'text', value: ({ country }) => country },
  {
    header: 'Institution',
    width: 22,
    style: 'text',
    value: ({ institution }) => institution,
  },
  { header: 'Account', width: 18, style: 'text', value: ({ account }) => account },
  {
    header: 'Name on account',
    width: 24,
    style: 'text',
    value: ({ texts }) => texts.account_name,
  },
  {
    header: 'Name check',
    width: 13,
    style: 'text',
    value: ({ texts }) => texts.name_check.replace('_', ' '),
  },
  { header: 'Rate', width: 12, style: 'rate', value: ({ texts }) => texts.rate },
  { header: 'Fee', width: 11, style: 'money', value: feeOf },
  { header: 'Debit', width: 14, style: 'money', value: ({ debit }) => debit },
  {
    header: 'Debit currency',
    width: 15,
    style: 'text',
    value: ({ texts }) => texts.fee_currency,
  },
  {
    header: 'Transfer id',
    width: 26,
    style: 'text',
    value: ({ texts }) => texts.transfer_id,
  },
  {
    header: 'Service status',
    width: 17,
    style: 'text',
    value: ({ texts }) => texts.service_status,
  },
  { header: 'Reason', width: 48, style: 'plain', value: ({ texts }) => texts.reason },
  { header: 'What to do', width: 48, style: 'plain', value: ({ texts }) => texts.next_step },
  { header: 'Attempts', width: 10, style: 'row', value: ({ attempts }) => attempts },
  { header: 'Sent at (UTC)', width: 20, style: 'time', value: ({ sentAt }) => sentAt },
  {
    header: 'Settled at (UTC)',
    width: 20,
    style: 'time',
    value: ({ settledAt }) => settledAt,
  },
  { header: 'Tag', width: 14, style: 'text', value: ({ texts }) => texts.tag },
  { header: 'Replaces', width: 20, style: 'text', value: ({ texts }) => texts.replaces },
  // Row numbers repeat in a report over several batches.
  {
    header: 'Batch',
    width: 18,
    style: 'text',
    value: ({ batch }) => batch?.name ?? batch?.id ?? '',
  },
  {
    header: 'Debit when sent',
    width: 15,
    style: 'money',
    value: ({ debitAtSend }) => debitAtSend,
  },
  { header: 'Sent in these days', width: 18, style: 'text', value: daysText },
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
