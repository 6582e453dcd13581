/**
 * Where a report, a fix file or a template goes: rows in file order, page by page, in flat memory.
 *
 * Promises: nothing stands under the target's name until `end` has resolved; `abort` leaves nothing behind.
 * Errors:   ReportUnwritable, from any method.
 */
import type { Decisions } from '../domain/batches/decisions.ts';
import type { Command } from '../domain/next-steps/command.ts';
import type { Advice, AdviceFormat } from '../domain/reporting/advice.ts';
import type { RedoRow } from '../domain/reporting/redo.ts';
import type {
  JournalProfile,
  ReportFormat,
  ReportHeader,
  ReportSummary,
} from '../domain/reporting/report.ts';
import type { ReportLine } from '../domain/reporting/report-line.ts';
import type { Country, Institution } from '../domain/rows/directory.ts';
import type { Field, RowIssue, WrittenRow } from '../domain/rows/row.ts';
import type { ReconciliationFile } from '../domain/statement/reconciliation-tables.ts';
import { type Message, SaidError } from '../domain/text/message.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { VerifyResult } from './ledger/ledger.ts';
import type { Note } from './ledger/notes.ts';
import type { RowSource } from './row-source.ts';

export { REPORT_FORMATS, type ReportFormat } from '../domain/reporting/report.ts';

export interface Sink<Header, Line, Summary = void> {
  begin(header: Header): Promise<void>;
  write(lines: readonly Line[]): Promise<void>;
  end(summary: Summary): Promise<void>;
  abort(): Promise<void>;
}

export type ReportSink = Sink<ReportHeader, ReportLine, ReportSummary>;
/** Where a file of rows to be paid again goes, under its own headings. */
export type RedoSink = Sink<readonly string[], RedoRow>;

export interface ReportTarget {
  /** A path, or `-` for standard output. */
  readonly path: string;
  /** undefined: from the file name. */
  readonly format: ReportFormat | undefined;
  /** Whole account numbers in formats that otherwise mask them. */
  readonly fullAccounts: boolean;
  /** No format shows whole account numbers. */
  readonly maskAccounts?: boolean;
  /** Of a journal. */
  readonly journalProfile?: JournalProfile | undefined;
  /** Columns of the file that stand in a journal and in a report over days. */
  readonly keptColumns?: readonly string[] | undefined;
  /** The user lets it replace any file of theirs. */
  readonly isReplaced?: boolean;
}

export type OpenReportSink = (target: ReportTarget) => Promise<ReportSink>;
export type OpenRedoSink = (target: Omit<ReportTarget, 'fullAccounts' | 'maskAccounts'>) => Promise<RedoSink>;

export interface AdviceTarget {
  readonly path: string;
  readonly format: AdviceFormat;
  /** The user lets it replace any file of theirs. A folder is never replaced. */
  readonly isReplaced: boolean;
}
export type AdviceSink = Sink<void, Advice>;
export type OpenAdviceSink = (target: AdviceTarget) => Promise<AdviceSink>;

export interface ReconciliationTarget {
  /** A .xlsx, .html or .json file. */
  readonly path: string;
  /** The user lets it replace a file. */
  readonly isReplaced: boolean;
}
export type WriteReconciliation = (target: ReconciliationTarget, file: ReconciliationFile) => Promise<void>;

/** What the first page of an audit file says. */
export interface AuditPage {
  readonly header: ReportHeader;
  readonly by: string;
  readonly decisions: Decisions;
  /** All comparisons with statements. */
  readonly compared: readonly Note<'statement_compared'>[];
  readonly proof: Pick<VerifyResult, 'entries' | 'head' | 'problems'>;
  /** Reports that could not be made, and why. */
  readonly missing: readonly { readonly name: string; readonly why: string }[];
}

/** An audit file: files in a folder or a .zip, a list of their hashes, and a page that says how to check them. */
export interface AuditSink {
  /** Where a report of it is written. */
  placeOf(name: string): string;
  /** Writes a file of it, piece by piece. */
  write<Result>(
    name: string,
    work: (piece: (text: string) => Promise<void>) => Promise<Result>,
  ): Promise<Result>;
  /** The SHA-256 of the list of hashes: who keeps it elsewhere knows the whole by it. */
  end(page: AuditPage): Promise<string>;
  abort(): Promise<void>;
}
export interface AuditTarget {
  /** A .zip, or a folder. */
  readonly path: string;
  /** The user lets it replace a .zip. A folder is never replaced. */
  readonly isReplaced: boolean;
}
export type OpenAuditSink = (target: AuditTarget) => Promise<AuditSink>;

/** Kinds of files that a user can ask payfile to write. */
export type OutputKind =
  | ReportFormat
  | 'advice'
  | 'reconciliation'
  | 'audit'
  | 'redo'
  | 'fix'
  | 'template'
  | 'metrics'
  | 'log'
  | 'backup';

/** Which files may be outputs at all (files/output-guard.ts). */
export interface OutputGuard {
  /**
   * Throws ReportUnwritable where nothing of this kind may be written. Changes nothing. `isReplaced`: the user lets it
   * take the place of any file of theirs.
   */
  check(path: string, kind: OutputKind, isReplaced?: boolean): Promise<void>;
  /** Two of these that would be written to one file, as they were named. */
  same(paths: readonly string[]): Promise<readonly [string, string] | undefined>;
}

/** The file cannot be written: where, why, what to do. Exit 73. */
export class ReportUnwritable extends SaidError {
  override readonly name = 'ReportUnwritable';
  readonly code = 'report_unwritable';
  /** The same request with another file to fill in. */
  readonly andThen: Command | undefined;
  constructor(
    message: string | Message,
    { andThen, ...more }: ErrorOptions & { readonly andThen?: Command } = {},
  ) {
    super(message, more);
    this.andThen = andThen;
  }
}

/** Neither the file name nor an option says in which format. Exit 64. */
export class ReportFormatUnknown extends SaidError {
  override readonly name = 'ReportFormatUnknown';
  readonly code = 'report_format_unknown';
}

export type FixHeader = Pick<RowSource, 'headers' | 'columns' | 'sheet' | 'headerRow'> & {
  /** Of the file that is to be mended. */
  readonly fileName: string;
};

export interface FixRow {
  readonly row: WrittenRow;
  /** Empty for a row that can be paid. */
  readonly issues: readonly RowIssue[];
  /** What a person should look at, although the row can be paid. */
  readonly remarks: readonly string[];
  /** What of it is to be looked at. */
  readonly lookAt: readonly Field[];
}

export type FixSink = Sink<FixHeader, FixRow>;

/** `path` names a file, never standard output. */
export type OpenFixSink = (path: string) => Promise<FixSink>;

/** A workbook to fill in, with the service's own lists in its drop-downs. */
export interface TemplateContent {
  readonly environment: 'live' | 'sandbox';
  /** When the lists were asked for. */
  readonly madeAt: Timestamp;
  /** In the order in which they are shown. */
  readonly countries: readonly TemplateCountry[];
}

/** `label`: what to write in a cell so that exactly this one is found: its name; else its ISO code, or its id. */
export interface TemplateCountry {
  readonly country: Country;
  readonly label: string;
  readonly institutions: readonly { readonly institution: Institution; readonly label: string }[];
}

/** A path, or `-` for standard output. */
export type WriteTemplate = (path: string, content: TemplateContent, isReplaced?: boolean) => Promise<void>;
