/**
 * The accountant's workbook. Payments go out row by row; what the other sheets need is counted or packed away
 * meanwhile, and they follow when all rows are known. Summary is shown first, Read me last.
 */
import { type BookedTotal, BookedTotals, bookingsOf, whenOf } from '../../../../domain/reporting/booking.ts';
import { DebitTotals, debitReport, withParts } from '../../../../domain/reporting/debits.ts';
import type { ReportHeader, ReportSummary } from '../../../../domain/reporting/report.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { printable } from '../../../../domain/text/printable.ts';
import type { ReportSink } from '../../../../ports/outputs.ts';
import type { ReportFile } from '../report-file.ts';
import { ACCOUNTS, writeAccounts } from './accounts-sheet.ts';
import { CONTROL, writeControlTotals } from './control-sheet.ts';
import { DECISIONS, writeDecisions, writeDecisionsOf } from './decisions-sheet.ts';
import { EXCEPTIONS, Exceptions } from './exceptions-sheet.ts';
import { FEES, Fees } from './fees-sheet.ts';
import { INPUT, Input } from './input-sheet.ts';
import { journalParts } from './journal-checks.ts';
import { JOURNAL, Journal } from './journal-sheet.ts';
import { addPayment, beginPayments, endPayments, PAYMENTS } from './payments-sheet.ts';
import { READ_ME, writeReadMe } from './read-me-sheet.ts';
import { TAB } from './styles.ts';
import { SUMMARY, writeSummary } from './summary-sheet.ts';
import { newWorkbook, type Sheet, type SheetSpec, type Workbook } from './xlsx-workbook.ts';

const ORDER = [SUMMARY, PAYMENTS, EXCEPTIONS, FEES, CONTROL, JOURNAL, ACCOUNTS, DECISIONS, INPUT, READ_ME];

interface Begun {
  readonly header: ReportHeader;
  readonly fullAccounts: boolean;
  readonly workbook: Workbook;
  readonly payments: Sheet;
  readonly exceptions: Exceptions;
  readonly fees: Fees;
  readonly debits: DebitTotals;
  readonly journal: Journal;
  readonly input: Input;
  readonly footer: string;
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
  const name = printable(batch.name ?? batch.id);
  const workbook = newWorkbook(file, { title: `Payments of ${name}`, createdAt: batch.createdAt });
  const footer = `${header.environment.toUpperCase()} · ${name}`;
  const payments = workbook.addSheet(dataSheet(PAYMENTS, footer, { tabColor: TAB.data, columns: 3 }));
  beginPayments(payments);
  return {
    header,
    fullAccounts,
    workbook,
    payments,
    exceptions: new Exceptions(),
    fees: new Fees(),
    debits: new DebitTotals(),
    journal: new Journal(),
    input: new Input(batch.file, fullAccounts),
    footer,
  };
}

async function addLines(begun: Begun, lines: readonly ReportLine[]): Promise<void> {
  for (const line of lines) {
    addPayment(begun.payments, line, begun.fullAccounts);
    begun.exceptions.add(line);
    begun.fees.add(line);
    begun.debits.add(line);
    begun.input.add(line);
  }
  await Promise.all([begun.payments.drained(), begun.input.packed()]);
}

async function endWorkbook(begun: Begun, told: ReportSummary): Promise<void> {
  const { workbook, payments, footer, header, journal } = begun;
  const ledger = await told.debits?.();
  const debits = ledger === undefined ? undefined : debitReport(ledger, begun.debits.finish());
  const booked = await bookAll(begun, told.sent);
  endPayments(payments);
  payments.close();
  const paymentsLastRow = payments.rowCount();
  await write(workbook, dataSheet(EXCEPTIONS, footer, { tabColor: TAB.look, columns: 3 }), (sheet) =>
    begun.exceptions.writeTo(sheet),
  );
  await write(workbook, dataSheet(FEES, footer, { tabColor: TAB.data, columns: 3 }), (sheet) =>
    begun.fees.writeTo(sheet, paymentsLastRow),
  );
  const lines = dataSheet(JOURNAL, footer, { tabColor: TAB.data, columns: 2 });
  const lastRow = await write(workbook, lines, (sheet) => journal.writeTo(sheet, nothingBooked(header)));
  const sums = journal.sums();
  const isBooked = told.sent !== undefined;
  const facts = { sums, booked, isBooked, lastRow, paymentsLastRow, period: header.period };
  const parts = journalParts(told.totals, facts);
  const summary = { ...told, totals: withParts(told.totals, [...(debits?.parts ?? []), ...parts]) };
  await write(workbook, infoSheet(CONTROL, footer), (sheet) =>
    writeControlTotals(sheet, summary.totals, { ...facts, debits }),
  );
  await write(workbook, infoSheet(ACCOUNTS, footer), writeAccounts);
  await write(workbook, dataSheet(DECISIONS, footer, { tabColor: TAB.info, columns: 0 }), async (sheet) =>
    summary.batches === undefined
      ? writeDecisions(sheet, await summary.decisions?.())
      : writeDecisionsOf(sheet, summary.batches()),
  );
  const { input } = begun;
  const received = { name: INPUT.name, widths: input.widths() };
  await write(workbook, dataSheet(received, footer, { tabColor: TAB.info, columns: 1 }), (sheet) =>
    input.writeTo(sheet),
  );
  await write(workbook, infoSheet(READ_ME, footer), writeReadMe);
  await write(workbook, infoSheet(SUMMARY, footer), (sheet) =>
    writeSummary(sheet, header, { ...summary, booked, sums }),
  );
  await workbook.finish(ORDER.map(({ name }) => name));
}

/** Puts into the Journal what is dated in the days of the report, and counts all of it. */
async function bookAll({ journal, header }: Begun, sent: ReportSummary['sent']): Promise<BookedTotal> {
  const { period } = header;
  const totals = new BookedTotals(period);
  for await (const page of sent?.() ?? []) {
    for (const each of page) {
      const bookings = bookingsOf(each);
      totals.add(each, bookings);
      for (const booking of bookings) if (whenOf(booking, period) === 'in_days') journal.add(each, booking);
    }
    await journal.packed();
  }
  return totals.finish();
}

function nothingBooked({ period }: ReportHeader): string {
  const when = period === undefined ? '' : ' on these days';
  return `Nothing was sent${when}, so there is nothing to book.`;
}

/** Gives the number of its last row. */
async function write(
  workbook: Workbook,
  spec: SheetSpec,
  fill: (sheet: Sheet) => void | Promise<void>,
): Promise<number> {
  const sheet = workbook.addSheet(spec);
  await fill(sheet);
  sheet.close();
  return sheet.rowCount();
}

interface Shape {
  readonly name: string;
  readonly widths: readonly number[];
}

/** Characters that stay readable side by side on a page of A4, lying. */
const PAGE_WIDTH = 210;
const LETTERS = ['A', 'B', 'C'];

/** Its header and first columns stay in sight, on the screen and on every page. */
function dataSheet(
  { name, widths }: Shape,
  footer: string,
  { tabColor, columns }: { readonly tabColor: string; readonly columns: number },
): SheetSpec {
  const sum = (some: readonly number[]) => some.reduce((all, width) => all + width, 0);
  const repeated = sum(widths.slice(0, columns));
  const pagesWide = Math.max(1, Math.ceil((sum(widths) - repeated) / (PAGE_WIDTH - repeated)));
  const letter = LETTERS[columns - 1];
  const repeatedColumns = pagesWide > 1 && letter !== undefined ? { repeatedColumns: `A:${letter}` } : {};
  const frozen = { rows: 1, columns };
  return { name, widths, frozen, repeatedRow: 1, pagesWide, ...repeatedColumns, footer, tabColor };
}

function infoSheet({ name, widths }: Shape, footer: string): SheetSpec {
  return { name, widths, frozen: { rows: 1, columns: 0 }, footer, tabColor: TAB.info };
}
