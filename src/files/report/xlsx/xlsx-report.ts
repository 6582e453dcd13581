/**
 * The accountant's workbook of four sheets. Payments go out row by row; what the other sheets need is counted or packed away
 * meanwhile, and they follow when all rows are known. Summary is shown first.
 */
import { isOpenDifference } from '../../../domain/payouts/difference.ts';
import { Exceptions } from '../../../domain/reporting/exceptions.ts';
import { JournalAccounts } from '../../../domain/reporting/journal-accounts.ts';
import type { ReportHeader, ReportSummary } from '../../../domain/reporting/report.ts';
import type { ReportLine } from '../../../domain/reporting/report-line.ts';
import { printable } from '../../../domain/text/printable.ts';
import { WallClock } from '../../../domain/time-zone.ts';
import { ReportChecks } from '../report-checks.ts';
import type { BeginReport } from '../report-sink.ts';
import { Corridors } from './corridors.ts';
import { ACCOUNTS, JOURNAL_NAME, Journal, journalSheet, writeAccounts } from './journal-sheet.ts';
import { LEFT_OUT, writeLeftOut } from './left-out-sheet.ts';
import { OPEN_ITEMS, OPEN_NAME, writeOpenItems } from './open-items-sheet.ts';
import { batchText, PAYMENTS_NAME, type Payment, paymentColumns, paymentMaker } from './payments-sheet.ts';
import { dataSheet, infoSheet, TableSheet, widthsOf } from './sheet.ts';
import { groupRules } from './styles.ts';
import { DIFFERENCES_SHOWN, type Differing, SUMMARY, writeSummary } from './summary-sheet.ts';
import { newWorkbook, type Sheet, type SheetSpec, type Workbook } from './xlsx-workbook.ts';

const ORDER = [SUMMARY.name, PAYMENTS_NAME, LEFT_OUT.name, OPEN_NAME, JOURNAL_NAME, ACCOUNTS.name];

/** Date, reference and name. */
const FROZEN_COLUMNS = 3;

interface Begun {
  readonly header: ReportHeader;
  readonly workbook: Workbook;
  readonly footers: readonly string[];
  readonly sheet: Sheet;
  readonly table: TableSheet<Payment>;
  readonly make: (line: ReportLine) => Payment;
  readonly look: Exceptions<undefined>;
  readonly differing: Differing[];
  readonly corridors: Corridors;
  readonly checks: ReportChecks;
}

export const xlsxReport: BeginReport = (header, file) => {
  const { batch } = header;
  const name = printable(batch.name);
  const workbook = newWorkbook(file, { title: `Payments of ${name}`, createdAt: batch.createdAt });
  const footers = [name, `batch ${batch.id}`].map((what) => `${header.environment.toUpperCase()} · ${what}`);
  const columns = paymentColumns(header);
  const shape = { name: PAYMENTS_NAME, widths: widthsOf(columns) };
  const sheet = workbook.addSheet({ ...dataSheet(shape, 'data', FROZEN_COLUMNS), footers });
  const begun: Begun = {
    ...{ header, workbook, footers, sheet },
    table: new TableSheet(sheet, columns),
    make: paymentMaker(header),
    look: new Exceptions(0),
    differing: [],
    corridors: new Corridors(),
    checks: new ReportChecks(),
  };
  return {
    write: async (lines) => {
      for (const line of lines) addLine(begun, line);
      await sheet.drained();
    },
    end: (summary) => endWorkbook(begun, summary),
  };
};

function addLine({ table, make, look, differing, corridors, checks }: Begun, line: ReportLine): void {
  table.add(make(line));
  look.add(line, () => undefined);
  corridors.add(line);
  checks.add(line);
  if (!isOpenDifference(line.difference) || differing.length === DIFFERENCES_SHOWN) return;
  differing.push({ row: line.row, batch: batchText(line), reason: line.texts.reason });
}

async function endWorkbook(begun: Begun, told: ReportSummary): Promise<void> {
  const { header, workbook, table, sheet, look, differing, corridors } = begun;
  const { period } = header;
  const accounts = new JournalAccounts(header.accounts);
  const journal = new Journal(accounts);
  const clock = new WallClock(header.timeZone);
  const { totals, booked, total, debits, ...checked } = await begun.checks.finish(
    told,
    { period, clock },
    async (page) => {
      for (const entry of page) journal.add(entry);
      await journal.packed();
    },
  );
  table.end(undefined, (letter) => groupRules(`$${letter('Counted as')}2`));
  sheet.close();
  const { linesLeftOut } = header;
  const hasLeftOut = linesLeftOut !== undefined && linesLeftOut.rows.length > 0;
  if (hasLeftOut) await write(begun, dataSheet(LEFT_OUT, 'data', 2), (to) => writeLeftOut(to, linesLeftOut));
  const lines = journalSheet(header.keptColumns);
  await write(begun, dataSheet(lines, 'data', 2), (to) => journal.writeTo(to, lines, nothingBooked(header)));
  const { openItems } = told;
  if (openItems !== undefined)
    await write(begun, dataSheet(OPEN_ITEMS, 'data', 2), (to) => writeOpenItems(to, openItems, clock));
  await write(begun, infoSheet(ACCOUNTS), (to) => writeAccounts(to, accounts));
  const { shares } = told;
  const checks = { totals, debits, shares, checks: checked.journal, period, ofOtherDays: total.ofOtherDays };
  const others = { look: look.sums(), differing, booked, corridors: corridors.rows(), checks };
  await write(begun, infoSheet(SUMMARY), (to) => writeSummary(to, header, { ...told, totals }, others));
  const absent = [...(hasLeftOut ? [] : [LEFT_OUT.name]), ...(openItems === undefined ? [OPEN_NAME] : [])];
  await workbook.finish(ORDER.filter((name) => !absent.includes(name)));
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
