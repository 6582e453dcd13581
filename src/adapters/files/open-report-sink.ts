/**
 * Opens a report for writing, in the format that its name or the caller says. `guard` says which files may be written.
 *
 * Errors:  ReportFormatUnknown, ReportUnwritable.
 */
import type { Writable } from 'node:stream';
import { formatOfName, REPORT_ENDINGS } from '../../domain/report-format.ts';
import type { FixSink } from '../../ports/fix-sink.ts';
import {
  type OutputGuard,
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

export async function openReportSink(
  target: ReportTarget,
  stdout?: Writable,
  guard?: OutputGuard,
): Promise<ReportSink> {
  const { path, fullAccounts } = target;
  const format = formatOf(path, target.format);
  const open = () => openReportFile(path, stdout, undefined, async (place) => guard?.check(place, format));
  switch (format) {
    case 'csv':
      return csvReport(await open());
    case 'json':
      return jsonReport(await open());
    case 'xlsx': {
      // exceljs takes a fifth of a second to load; only those who want a workbook wait for it.
      const { xlsxReport } = await import('./xlsx-report/xlsx-report.ts');
      return xlsxReport(await open(), { fullAccounts });
    }
    case 'html': {
      const { htmlReport } = await import('./html-report/html-report.ts');
      return htmlReport(await open(), { fullAccounts });
    }
    case 'pain002': {
      const { pain002Report } = await import('./pain002-report.ts');
      return pain002Report(await open());
    }
  }
}

export async function openRedoSink(
  { path, format }: Omit<ReportTarget, 'fullAccounts'>,
  stdout?: Writable,
  guard?: OutputGuard,
): Promise<RedoSink> {
  const wanted = formatOf(path, format);
  if (wanted !== 'xlsx' && wanted !== 'csv') {
    throw new ReportFormatUnknown(`A file of rows to be paid again is a .xlsx or a .csv, not a .${wanted}.`);
  }
  const { redoCsv, redoWorkbook } = await import('./redo-file.ts');
  const file = await openReportFile(path, stdout, undefined, async (place) => guard?.check(place, 'redo'));
  return wanted === 'xlsx' ? redoWorkbook(file) : redoCsv(file);
}

export async function openFixSink(path: string, guard?: OutputGuard): Promise<FixSink> {
  const { fixWorkbook } = await import('./fix-workbook.ts');
  const written = { what: 'fix file', advice: 'name another place: --fix-file FILE' };
  return fixWorkbook(
    await openReportFile(path, undefined, written, async (place) => guard?.check(place, 'fix')),
  );
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
