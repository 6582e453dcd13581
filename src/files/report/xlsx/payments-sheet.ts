/**
 * The sheet Payments: one row per input row, all rows, in file order. It begins with what a bookkeeper looks for; our
 * columns keep their order from month to month, so that formulas of other workbooks keep working. The columns of the file
 * stand behind ours, each cell as the text that it was.
 */
import { lookWord } from '../../../domain/reporting/exceptions.ts';
import { lineCost } from '../../../domain/reporting/payment-costs.ts';
import type { ReportHeader } from '../../../domain/reporting/report.ts';
import type { ReportLine } from '../../../domain/reporting/report-line.ts';
import { lineLabel, type RowLabel } from '../../../domain/reporting/row-label.ts';
import { GROUP_OF, GROUP_WORDS } from '../../../domain/reporting/status-words.ts';
import { printable } from '../../../domain/text/printable.ts';
import { WallClock } from '../../../domain/time-zone.ts';
import { type Column, column } from '../../../views/table-columns.ts';

/** A line as it is shown; its times are those of the clock on the wall. */
export type Payment = Omit<ReportLine, 'account'> & { readonly account: string; readonly label: RowLabel };

const FIRST_COLUMNS: readonly Column<Payment>[] = [
  column.day('Date', ({ sentAt }) => sentAt, { width: 12 }),
  column.text('Reference', ({ reference }) => reference, { width: 16 }),
  column.text('Name', ({ name }) => name, { width: 26 }),
  column.coined('Amount', ({ amount }) => amount, { width: 20 }),
  column.coined('Debit', lineCost, { width: 16 }),
  column.status('Status', ({ label }) => label, { width: 28 }),
];

/** Row numbers repeat in a report over several batches. */
const BATCH_COLUMN: Column<Payment> = column.words('Batch', batchText, { width: 28 });

const ROW_COLUMN: Column<Payment> = column.row('Row', ({ row }) => row, { width: 7 });

const MORE_COLUMNS: readonly Column<Payment>[] = [
  column.text('Currency', ({ amount }) => amount?.currency ?? '', { width: 10 }),
  column.text('Debit currency', ({ texts }) => texts.fee_currency, { width: 15 }),
  column.money('Fee', feeOf, { width: 11 }),
  column.rate('Rate', ({ texts }) => texts.rate, { width: 12 }),
  column.text('Country', ({ country }) => country, { width: 15 }),
  column.text('Institution', ({ institution }) => institution, { width: 22 }),
  column.text('Account', ({ account }) => account, { width: 18 }),
  column.text('Name on account', ({ texts }) => texts.account_name, { width: 24 }),
  column.text('Name check', ({ texts }) => texts.name_check.replace('_', ' '), { width: 13 }),
  column.plain('Counted as', ({ status }) => GROUP_WORDS[GROUP_OF[status]].word, { width: 13 }),
  column.plain('To look at', (line) => lookWord(line) ?? '', { width: 22 }),
  column.words('Reason', ({ texts }) => texts.reason, { width: 90 }),
  column.words('What to do', ({ texts }) => texts.next_step, { width: 90 }),
  column.text('Transfer id', ({ texts }) => texts.transfer_id, { width: 28 }),
  column.text('Service status', ({ texts }) => texts.service_status, { width: 17 }),
  column.row('Attempts', ({ attempts }) => attempts, { width: 10 }),
];

const LAST_COLUMNS: readonly Column<Payment>[] = [
  column.text('Tag', ({ texts }) => texts.tag, { width: 14 }),
  column.text('Replaces', ({ texts }) => texts.replaces, { width: 20 }),
  column.money('Debit when sent', ({ debitAtSend }) => debitAtSend, { width: 15 }),
];

/** In a report over days a row is there for anything that happened in them; its payment may be of other days. */
const DAYS_COLUMN: Column<Payment> = column.text(
  'Sent in these days',
  ({ isOfDays }) => (isOfDays === undefined ? '' : isOfDays ? 'yes' : 'no: other days'),
  { width: 18 },
);

export const PAYMENTS_NAME = 'Payments';

/** A sheet has 16,384 columns. */
const COLUMNS_MAX = 16_300;
const WIDTH_MIN = 12;
const WIDTH_MAX = 30;

export function paymentColumns({ period, batch, timeZone }: ReportHeader): readonly Column<Payment>[] {
  const { zone } = new WallClock(timeZone);
  const [ofBatch, ofDays] = period === undefined ? [[], []] : [[BATCH_COLUMN], [DAYS_COLUMN]];
  const times: readonly Column<Payment>[] = [
    column.time(`Sent (${zone})`, ({ sentAt }) => sentAt, { width: 22 }),
    column.time(`Seen settled (${zone})`, ({ settledAt }) => settledAt, { width: 22 }),
  ];
  const { headers, columns, reading } = batch.file;
  // A column that an answer made stands in no file.
  const answered = new Set(
    (reading?.answers ?? []).flatMap((answer) => (answer.kind === 'set' ? [columns.get(answer.field)] : [])),
  );
  return [
    ...[...FIRST_COLUMNS, ...ofBatch, ROW_COLUMN, ...MORE_COLUMNS, ...times, ...LAST_COLUMNS, ...ofDays],
    ...headers.slice(0, COLUMNS_MAX).map((header, at): Column<Payment> => {
      const width = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, header.length + 10));
      const name = `${answered.has(at) ? 'Answer' : 'File'}: ${printable(header)}`;
      return column.received(name, ({ cells }) => cells[at] ?? '', { width });
    }),
  ];
}

export function batchText({ batch }: Pick<ReportLine, 'batch'>): string {
  return printable(batch?.name ?? '');
}

export function paymentMaker(header: ReportHeader): (line: ReportLine) => Payment {
  const clock = new WallClock(header.timeZone);
  return (line) => {
    // A file without names leaves them to the service.
    const name = line.name === '' ? line.texts.account_name : line.name;
    const [sentAt, settledAt] = [line.sentAt, line.settledAt].map((at) => at && clock.shown(at));
    return { ...line, account: line.account.reveal(), name, label: lineLabel(line), sentAt, settledAt };
  };
}

/** In its currency's form when that loses nothing of what the service wrote. */
function feeOf({ fee, texts }: Payment) {
  const decimals = texts.fee.split('.')[1]?.length ?? 0;
  return fee !== undefined && decimals <= 2 ? fee : texts.fee;
}
