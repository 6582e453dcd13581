/**
 * Opens a report for writing, in the format that its name or the caller says.
 *
 * Errors:  ReportFormatUnknown, ReportUnwritable.
 */
import type { Writable } from 'node:stream';
import { formatOfName, REPORT_ENDINGS } from '../../domain/report-format.ts';
import type { FixSink } from '../../ports/fix-sink.ts';
import {
  REPORT_FORMATS,
  type RedoSink,
  type ReportFormat,
  ReportFormatUnknown,
  type ReportSink,
  type ReportTarget,
} from '../../ports/report-sink.ts';
import { csvReport } from './csv-report.ts';
import { jsonReport } from './json-report.ts';
import { openReportFile } from './write-report-file.ts';

export async function openReportSink(target: ReportTarget, stdout?: Writable): Promise<ReportSink> {
  const { path, fullAccounts } = target;
  switch (formatOf(path, target.format)) {
    case 'csv':
      return csvReport(await openReportFile(path, stdout));
    case 'json':
      return jsonReport(await openReportFile(path, stdout));
    case 'xlsx': {
      // exceljs takes a fifth of a second to load; only those who want a workbook wait for it.
      const { xlsxReport } = await import('./xlsx-report/xlsx-report.ts');
      return xlsxReport(await openReportFile(path, stdout), { fullAccounts });
    }
    case 'html': {
      const { htmlReport } = await import('./html-report/html-report.ts');
      return htmlReport(await openReportFile(path, stdout), { fullAccounts });
    }
    case 'pain002': {
      const { pain002Report } = await import('./pain002-report.ts');
      return pain002Report(await openReportFile(path, stdout));
    }
  }
}

export async function openRedoSink(
  { path, format }: Omit<ReportTarget, 'fullAccounts'>,
  stdout?: Writable,
): Promise<RedoSink> {
  const wanted = formatOf(path, format);
  if (wanted !== 'xlsx' && wanted !== 'csv') {
    throw new ReportFormatUnknown(`A file of rows to be paid again is a .xlsx or a .csv, not a .${wanted}.`);
  }
  const { redoCsv, redoWorkbook } = await import('./redo-file.ts');
  const file = await openReportFile(path, stdout);
  return wanted === 'xlsx' ? redoWorkbook(file) : redoCsv(file);
}

export async function openFixSink(path: string): Promise<FixSink> {
  const { fixWorkbook } = await import('./fix-workbook.ts');
  const written = { what: 'fix file', advice: 'name another place: --fix-file FILE' };
  return fixWorkbook(await openReportFile(path, undefined, written));
}

/** What was asked for, else what the file name says. */
export function formatOf(path: string, asked: ReportFormat | undefined): ReportFormat {
  if (asked !== undefined) return asked;
  const known = formatOfName(path);
  if (known !== undefined) return known;
  throw new ReportFormatUnknown(
    `Cannot tell the format of “${path}”: expected a name that ends in ${REPORT_ENDINGS}, or --format ${REPORT_FORMATS.join('|')}.`,
  );
}
