/**
 * Where a report goes: lines in file order, page by page, in flat memory.
 *
 * Promises: nothing stands under the target's name until `end` has resolved; `abort` leaves nothing behind.
 * Errors:   ReportUnwritable, from any method.
 */
import type { RedoRow } from '../domain/redo.ts';
import type { ReportHeader, ReportSummary } from '../domain/report.ts';
import type { ReportFormat } from '../domain/report-format.ts';
import type { ReportLine } from '../domain/report-line.ts';

export { REPORT_FORMATS, type ReportFormat } from '../domain/report-format.ts';

export interface ReportSink {
  begin(header: ReportHeader): Promise<void>;
  write(lines: readonly ReportLine[]): Promise<void>;
  end(summary: ReportSummary): Promise<void>;
  abort(): Promise<void>;
}

/** Where a file of rows to be paid again goes. */
export interface RedoSink {
  begin(headers: readonly string[]): Promise<void>;
  write(rows: readonly RedoRow[]): Promise<void>;
  end(): Promise<void>;
  abort(): Promise<void>;
}

export interface ReportTarget {
  /** A path, or `-` for standard output. */
  readonly path: string;
  /** undefined: from the file name. */
  readonly format: ReportFormat | undefined;
  /** Whole account numbers in formats that otherwise mask them. */
  readonly fullAccounts: boolean;
}

export type OpenReportSink = (target: ReportTarget) => Promise<ReportSink>;
export type OpenRedoSink = (target: Omit<ReportTarget, 'fullAccounts'>) => Promise<RedoSink>;

/** What payfile writes at a user's word. */
export type OutputKind = ReportFormat | 'redo' | 'fix' | 'template' | 'metrics' | 'log' | 'backup';

/** Which files may be outputs at all (adapters/files/output-guard.ts). */
export interface OutputGuard {
  /** Throws ReportUnwritable where nothing of this kind may be written. Changes nothing. */
  check(path: string, kind: OutputKind): Promise<void>;
  /** Two of these that would be written to one file, as they were named. */
  same(paths: readonly string[]): Promise<readonly [string, string] | undefined>;
}

/** The file cannot be written: where, why, what to do. Exit 73. */
export class ReportUnwritable extends Error {
  override readonly name = 'ReportUnwritable';
  readonly code = 'report_unwritable';
}

/** Neither the file name nor an option says in which format. Exit 64. */
export class ReportFormatUnknown extends Error {
  override readonly name = 'ReportFormatUnknown';
  readonly code = 'report_format_unknown';
}
