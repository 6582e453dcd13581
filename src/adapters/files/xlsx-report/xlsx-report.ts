/**
 * The accountant's workbook: Summary, Payments, Exceptions, Control totals. Payments go out row by row; the
 * other sheets follow when everything is counted, and Summary is shown first.
 */
import { printable } from '../../../domain/printable.ts';
import type { ReportHeader, ReportSummary } from '../../../domain/report.ts';
import type { ReportSink } from '../../../ports/report-sink.ts';
import type { ReportFile } from '../write-report-file.ts';
import { CONTROL, writeControlTotals } from './control-sheet.ts';
import { EXCEPTIONS, Exceptions } from './exceptions-sheet.ts';
import { addPayment, beginPayments, PAYMENTS } from './payments-sheet.ts';
import { TAB } from './styles.ts';
import { SUMMARY, writeSummary } from './summary-sheet.ts';
import { newWorkbook, type Sheet, type SheetSpec, type Workbook } from './xlsx-workbook.ts';

interface Begun {
  readonly header: ReportHeader;
  readonly workbook: Workbook;
  readonly payments: Sheet;
  readonly exceptions: Exceptions;
  readonly footer: string;
}

export function xlsxReport(file: ReportFile, options: { readonly fullAccounts: boolean }): ReportSink {
  let begun: Begun | undefined;
  return {
    begin: async (header) => {
      begun = beginWorkbook(file, header);
    },
    write: async (lines) => {
      if (begun === undefined) throw new TypeError('A report is begun before lines are written');
      for (const line of lines) {
        addPayment(begun.payments, line, options.fullAccounts);
        begun.exceptions.add(line);
      }
      await begun.payments.drained();
    },
    end: async (summary) => {
      if (begun === undefined) throw new TypeError('A report is begun before it is ended');
      await endWorkbook(begun, summary);
      await file.commit();
    },
    abort: () => file.abort(),
  };
}

function beginWorkbook(file: ReportFile, header: ReportHeader): Begun {
  const { batch } = header;
  const name = printable(batch.name ?? batch.id);
  const workbook = newWorkbook(file, { title: `Payments of ${name}`, createdAt: batch.createdAt });
  const footer = `${header.environment.toUpperCase()} · ${name}`;
  const payments = workbook.addSheet({
    ...dataSheet(footer, TAB.data),
    name: PAYMENTS.name,
    widths: PAYMENTS.widths,
  });
  beginPayments(payments);
  return { header, workbook, payments, exceptions: new Exceptions(), footer };
}

async function endWorkbook(begun: Begun, summary: ReportSummary): Promise<void> {
  const { workbook, payments, footer } = begun;
  payments.filter(`A1:${PAYMENTS.lastLetter}${payments.rowCount()}`);
  payments.close();
  const exceptions = workbook.addSheet({
    ...dataSheet(footer, TAB.look),
    name: EXCEPTIONS.name,
    widths: EXCEPTIONS.widths,
  });
  begun.exceptions.writeTo(exceptions);
  exceptions.close();
  const control = workbook.addSheet(infoSheet(CONTROL.name, CONTROL.widths, footer));
  writeControlTotals(control, summary.totals);
  control.close();
  const front = workbook.addSheet(infoSheet(SUMMARY.name, SUMMARY.widths, footer));
  writeSummary(front, begun.header, summary);
  front.close();
  await workbook.finish([SUMMARY.name, PAYMENTS.name, EXCEPTIONS.name, CONTROL.name]);
}

/** Header and the first three columns (row, reference, name) stay in sight. */
function dataSheet(footer: string, tabColor: string): Omit<SheetSpec, 'name' | 'widths'> {
  return { frozen: { rows: 1, columns: 3 }, repeatedRow: 1, footer, tabColor };
}

function infoSheet(name: string, widths: readonly number[], footer: string): SheetSpec {
  return { name, widths, frozen: { rows: 1, columns: 0 }, footer, tabColor: TAB.info };
}
