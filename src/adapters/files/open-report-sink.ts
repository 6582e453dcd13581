/**
 * Opens a report for writing, in the format that its name or the caller says.
 *
 * Errors:  ReportFormatUnknown, ReportUnwritable.
 */
import type { Writable } from 'node:stream';
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
  }
}

export async function openRedoSink(
  { path, format }: Omit<ReportTarget, 'fullAccounts'>,
  stdout?: Writable,
): Promise<RedoSink> {
  const wanted = formatOf(path, format);
  if (wanted === 'json') {
    throw new ReportFormatUnknown('A file of rows to be paid again is a .xlsx or a .csv, not a .json.');
  }
  const { redoCsv, redoWorkbook } = await import('./redo-file.ts');
  const file = await openReportFile(path, stdout);
  return wanted === 'xlsx' ? redoWorkbook(file) : redoCsv(file);
}

/** What was asked for, else what the file name says. */
export function formatOf(path: string, asked: ReportFormat | undefined): ReportFormat {
  if (asked !== undefined) return asked;
  const known = REPORT_FORMATS.find((format) => path.toLowerCase().endsWith(`.${format}`));
  if (known !== undefined) return known;
  throw new ReportFormatUnknown(
    `Cannot tell the format of “${path}”: expected a name that ends in ${REPORT_FORMATS.map((name) => `.${name}`).join(', ')}, or --format ${REPORT_FORMATS.join('|')}.`,
  );
}
