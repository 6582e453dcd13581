/**
 * The accountant's workbook. Payments go out row by row; what the other sheets need is counted or packed away
 * meanwhile, and they follow when all rows are known. Summary is shown first, Read me last.
 */
import { withParts } from '../../../domain/reporting/control-totals.ts';
import { debitChecks } from '../../../domain/reporting/debit-checks.ts';
import { DebitTotals } from '../../../domain/reporting/debits.ts';
import { Exceptions } from '../../../domain/reporting/exceptions.ts';
import { journalChecks } from '../../../domain/reporting/journal-checks.ts';
import type { ReportHeader, ReportSummary } from '../../../domain/reporting/report.ts';
import type { ReportLine } from '../../../domain/reporting/report-line.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { ReportSink } from '../../../ports/outputs.ts';
import { bookEntries } from '../book-entries.ts';
import type { ReportFile } from '../report-file.ts';
import { CONTROL, writeControlTotals } from './control-sheet.ts';
import { Corridors } from './corridors.ts';
import { DECISIONS, writeDecisions } from './decisions-sheet.ts';
import { Input, inputName } from './input-sheet.ts';
import { ACCOUNTS, JOURNAL, Journal, writeAccounts } from './journal-sheet.ts';
import {
  EXCEPTIONS_MAX,
  EXCEPTIONS_NAME,
  type Exception,
  exceptionOf,
  exceptionsSheet,
  PAYMENTS_NAME,
  type Payment,
  paymentOf,
  paymentsSheet,
  writeExceptions,
} from './payments-sheet.ts';
import { READ_ME, writeReadMe } from './read-me-sheet.ts';
import { dataSheet, infoSheet, TableSheet } from './sheet.ts';
import { groupRules } from './styles.ts';
import { SUMMARY, writeSummary } from './summary-sheet.ts';
import { newWorkbook, type Sheet, type SheetSpec, type Workbook } from './xlsx-workbook.ts';

const orderOf = ({ batch: { file } }: Pick<ReportHeader, 'batch'>) => [
  SUMMARY.name,
  EXCEPTIONS_NAME,
  PAYMENTS_NAME,
  ...[JOURNAL, ACCOUNTS, DECISIONS].map(({ name }) => name),
  inputName(file),
  CONTROL.name,
  READ_ME.name,
];

interface Begun {
  readonly header: ReportHeader;
  readonly fullAccounts: boolean;
  readonly workbook: Workbook;
  readonly payments: {
    readonly sheet: Sheet;
    readonly table: TableSheet<Payment>;
  };
  readonly exceptions: Exceptions<Exception>;
  readonly corridors: Corridors;
  readonly debits: DebitTotals;
  readonly journal: Journal;
  readonly input: Input;
  readonly footers: readonly string[];
}

export function xlsxReport(file: ReportFile, options: { readonly fullAccounts: boolean }): ReportSink {
  let begun: Begun | undefined;
  return {
    begin: async (header) => {
      begun = beginWorkbook(file, header, options.fullAccounts);
    },
    write: async (lines) => {
      if (begun === undefined) throw new TypeError('A report is begun before lines are written');
      await addLines(begun, lines);
    },
    end: async (summary) => {
      if (begun === undefined) throw new TypeError('A report is begun before it is ended');
      await endWorkbook(begun, summary);
      await file.commit();
    },
    abort: () => file.abort(),
  };
}

function beginWorkbook(file: ReportFile, header: ReportHeader, fullAccounts: boolean): Begun {
  const { batch } = header;
  const name = printable(batch.name);
  const workbook = newWorkbook(file, { title: `Payments of ${name}`, createdAt: batch.createdAt });
  const footers = [name, `batch ${batch.id}`].map((what) => `${header.environment.toUpperCase()} · ${what}`);
  const payments = paymentsSheet(header);
  const sheet = workbook.addSheet({
    ...dataSheet(payments, 'data', header.period === undefined ? 3 : 4),
    footers,
  });
  return {
    header,
    fullAccounts,
    workbook,
    footers,
    payments: { sheet, table: new TableSheet(sheet, payments.columns) },
    exceptions: new Exceptions(EXCEPTIONS_MAX),
    corridors: new Corridors(),
    debits: new DebitTotals(),
    journal: new Journal(),
    input: new Input(batch.file, fullAccounts),
  };
}

async function addLines(begun: Begun, lines: readonly ReportLine[]): Promise<void> {
  for (const line of lines) {
    begun.payments.table.add(paymentOf(line, begun.fullAccounts));
    begun.exceptions.add(line, () => exceptionOf(line));
    begun.corridors.add(line);
    begun.debits.add(line);
    begun.input.add(line);
  }
  await Promise.all([begun.payments.sheet.drained(), begun.input.packed()]);
}

async function endWorkbook(begun: Begun, told: ReportSummary): Promise<void> {
  const { header, payments, exceptions, corridors, journal, input } = begun;
  const ledger = await told.debits?.();
  const debits = ledger === undefined ? undefined : debitChecks(ledger, begun.debits.finish());
  const total = await bookEntries(told, header.period, async (page) => {
    for (const entry of page) journal.add(entry);
    await journal.packed();
  });
  payments.table.end(undefined, (letter) => groupRules(`$${letter('Counted as')}2`));
  payments.sheet.close();
  const look = exceptionsSheet(exceptions);
  await write(begun, dataSheet(look, 'look', 3), (sheet) => writeExceptions(sheet, exceptions, look.columns));
  await write(begun, dataSheet(JOURNAL, 'data', 2), (sheet) => journal.writeTo(sheet, nothingBooked(header)));
  const sums = journal.sums.perCurrency();
  const checks = told.sent === undefined ? undefined : journalChecks(told.totals, sums, total);
  const parts = [...(debits?.parts ?? []), ...(checks?.parts ?? [])];
  const summary = { ...told, totals: withParts(told.totals, parts) };
  const { ofOtherDays } = total;
  const facts = { checks, period: header.period, ofOtherDays };
  await write(begun, infoSheet(CONTROL), (sheet) =>
    writeControlTotals(sheet, { totals: summary.totals, shares: summary.shares, debits, ...facts }),
  );
  await write(begun, infoSheet(ACCOUNTS), writeAccounts);
  await write(begun, dataSheet(DECISIONS, 'info', 0), (sheet) => writeDecisions(sheet, summary));
  const received = { name: inputName(header.batch.file), widths: input.widths };
  await write(begun, dataSheet(received, 'info', 1), (sheet) => input.writeTo(sheet));
  await write(begun, infoSheet(READ_ME), (sheet) => writeReadMe(sheet, orderOf(header), header));
  await write(begun, infoSheet(SUMMARY), (sheet) =>
    writeSummary(sheet, header, summary, {
      ...{ total, sums, look: exceptions.sums(), listed: look.listed },
      corridors: corridors.rows(),
    }),
  );
  await begun.workbook.finish(orderOf(header));
}

function nothingBooked({ period }: ReportHeader): string {
  const when = period === undefined ? '' : ' on these days';
  return `Nothing was sent${when}, so there is nothing to book.`;
}

async function write(
  { workbook, footers }: Begun,
  spec: SheetSpec,
  fill: (sheet: Sheet) => void | Promise<void>,
): Promise<void> {
  const sheet = workbook.addSheet({ ...spec, footers });
  await fill(sheet);
  sheet.close();
}
