/**
 * Opens a report for writing, in the format that its name or the caller says. `guard` says which files may be written.
 *
 * Errors:  ReportFormatUnknown, ReportUnwritable.
 */

import { randomBytes } from 'node:crypto';
import { access, constants, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { maskedLine } from '../../domain/reporting/hidden-accounts.ts';
import { formatOfName, REPORT_ENDINGS, showsAccounts } from '../../domain/reporting/report.ts';
import { input, message, said } from '../../domain/text/message.ts';
import {
  type FixSink,
  type OutputGuard,
  REPORT_FORMATS,
  type RedoSink,
  type ReportFormat,
  ReportFormatUnknown,
  type ReportSink,
  type ReportTarget,
} from '../../ports/outputs.ts';
import { csvReport } from './csv-report.ts';
import { journalByDay, journalReport } from './journal-report.ts';
import { jsonReport } from './json-report.ts';
import { openReportFile, unwritable } from './report-file.ts';
import { type BeginReport, sinkOf } from './report-sink.ts';

export async function openReportSink(
  target: ReportTarget,
  stdout?: Writable,
  guard?: OutputGuard,
): Promise<ReportSink> {
  const format = formatOf(target.path, target.format);
  const form = await formOf(format, target);
  const begin =
    MASKED.has(format) && !showsAccounts(target.path, { ...target, format }) ? masked(form) : form;
  const mayWrite = async (place: string) => guard?.check(place, format, target.isReplaced);
  const file = await openReportFile(target.path, { stdout, mayWrite });
  return sinkOf(file, begin);
}

/** Loaded when it is wanted: exceljs alone takes a fifth of a second. */
async function formOf(
  format: ReportFormat,
  { journalProfile }: Pick<ReportTarget, 'journalProfile'>,
): Promise<BeginReport> {
  switch (format) {
    case 'csv':
      return csvReport;
    case 'json':
      return jsonReport;
    case 'xlsx':
      return (await import('./xlsx/xlsx-report.ts')).xlsxReport;
    case 'html':
      return (await import('./html-report.ts')).htmlReport;
    case 'pain002':
      return (await import('./pain002-report.ts')).pain002Report;
    case 'journal':
      return journalReport(journalProfile);
    case 'journal-by-day':
      return journalByDay;
  }
}

/** Formats with whole lines. The others leave account numbers out. */
const MASKED: ReadonlySet<ReportFormat> = new Set(['csv', 'json', 'xlsx', 'html']);

function masked(begin: BeginReport): BeginReport {
  return async (header, file) => {
    const { write, end } = await begin(header, file);
    return { end, write: (lines) => write(lines.map((line) => maskedLine(line, header.batch.file))) };
  };
}

export async function openRedoSink(
  { path, format, isReplaced }: Omit<ReportTarget, 'fullAccounts'>,
  stdout?: Writable,
  guard?: OutputGuard,
): Promise<RedoSink> {
  const wanted = formatOf(path, format);
  if (wanted !== 'xlsx' && wanted !== 'csv') {
    throw new ReportFormatUnknown(`A file of rows to be paid again is a .xlsx or a .csv, not a .${wanted}.`);
  }
  const { redoCsv, redoWorkbook } = await import('./redo-file.ts');
  const mayWrite = async (place: string) => guard?.check(place, 'redo', isReplaced);
  const file = await openReportFile(path, { stdout, mayWrite });
  return sinkOf(file, wanted === 'xlsx' ? redoWorkbook : redoCsv);
}

export async function openFixSink(path: string, guard?: OutputGuard): Promise<FixSink> {
  const { fixWorkbook } = await import('../fix/fix-workbook.ts');
  const written = { what: 'fix file', advice: said`Name another place: ${input('fixFile', 'FILE')}` };
  const mayWrite = async (place: string) => guard?.check(place, 'fix');
  return sinkOf(await openReportFile(path, { written, mayWrite }), fixWorkbook);
}

/** What was asked for, else what the file name says. */
export function formatOf(path: string, asked: ReportFormat | undefined): ReportFormat {
  if (asked !== undefined) return asked;
  const known = formatOfName(path);
  if (known !== undefined) return known;
  throw new ReportFormatUnknown(
    message(
      'report_format_unknown',
    )`Cannot tell the format of “${path}”. Name a file that ends in ${REPORT_ENDINGS}, or give ${input('format', REPORT_FORMATS.join('|'))}.`,
  );
}

/**
 * Can a report be put there? Asked before any money moves, because a folder that is missing is found out too late
 * when the report is due. What is written to see whether the disk takes it is gone again.
 *
 * Errors:  ReportUnwritable with the place, the reason and what to do.
 */

const ASKED = {
  what: 'report',
  advice: said`Make its folder, or name another place with ${input('report')}.`,
};

export async function requireReportPlace(written: string, guard: OutputGuard, cwd = ''): Promise<void> {
  if (written === '-') return;
  await guard.check(written, formatOf(written, undefined));
  const path = resolve(cwd, written);
  try {
    const standing = await stat(path).catch(() => undefined);
    if (standing?.isDirectory() === true) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    // Pipes and devices are written to as they are.
    if (standing !== undefined && !standing.isFile()) return;
    const folder = dirname(path);
    if (!(await stat(folder)).isDirectory())
      throw Object.assign(new Error('is no folder'), { code: 'ENOTDIR' });
    await access(folder, constants.W_OK | constants.X_OK);
    await writeAndRemove(folder);
  } catch (error) {
    throw unwritable(written, error, ASKED);
  }
}

/** As much as a small report. A disk that is full takes a name, and no bytes. */
const TRIED_BYTES = 64 * 1024;

async function writeAndRemove(folder: string): Promise<void> {
  const path = join(folder, `.payfile-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(Buffer.alloc(TRIED_BYTES));
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
