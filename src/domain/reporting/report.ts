/**
 * A report: what is written above its lines, and what is known when all lines are written.
 */
import type { Batch, BatchOutcome } from '../batches/batch.ts';
import type { Decisions } from '../batches/decisions.ts';
import type { CommandContext } from '../next-steps/next-step.ts';
import type { LinesLeftOut } from '../rows/lines-left-out.ts';
import type { Timestamp } from '../timestamp.ts';
import type { OpenItems } from './accounts-over-days.ts';
import type { SentPayout } from './booking.ts';
import type { ControlTotals } from './control-totals.ts';
import type { LedgerTotal } from './currency-totals.ts';
import type { GroupTotals } from './group-totals.ts';
import type { AccountRule } from './journal-accounts.ts';
import type { BatchShare } from './left-out.ts';
import type { LineFacts } from './report-line.ts';

export interface ReportHeader extends CommandContext, LineFacts {
  readonly batch: Batch;
  /** Whose payments these are, where the configuration says it. */
  readonly organization?: string | undefined;
  /** Of the times that people read, and of the days. */
  readonly timeZone?: string | undefined;
  /** In which the ledger cuts days. */
  readonly ledgerZone?: string | undefined;
  /** The accounts that the journal books to. */
  readonly accounts?: readonly AccountRule[] | undefined;
  /** Columns of the file, by their headers, that stand in the journal and in a report over days. */
  readonly keptColumns?: readonly string[] | undefined;
  /** A column of the file by which the totals are also given. */
  readonly groupBy?: string | undefined;
  /** When the report is made: its only value that does not come from the ledger. */
  readonly madeAt: Timestamp;
  /** Lines of its file that are no payments. */
  readonly linesLeftOut?: LinesLeftOut | undefined;
  /** What the ledger counts before the first line, for formats whose sums stand above their lines. */
  readonly before?: CountedBefore | undefined;
}

interface CountedBefore {
  /** With the amounts that were asked for. */
  readonly asked: readonly LedgerTotal[];
  /** With the amounts that the service shows. */
  readonly shown: readonly LedgerTotal[];
  /** No amount differs, and nobody has to look at a row that differs. */
  readonly isAsAsked: boolean;
}

export interface ReportSummary {
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
  readonly grouped?: GroupTotals | undefined;
  /** Asked only by reports that show them: the whole journal of the batch is walked for it. */
  readonly decisions?: (() => Promise<Decisions>) | undefined;
  /** Over days: the payments that are open at their end. */
  readonly openItems?: OpenItems | undefined;
  /** Over days: how many rows of each batch are in the report, and which are not, and why. */
  readonly shares?: readonly BatchShare[] | undefined;
  /** Over days: the decisions of each of these batches. */
  readonly batches?:
    | (() => AsyncIterable<{ readonly batch: Batch; readonly decisions: Decisions }>)
    | undefined;
  /** Asked only by reports that book: all payments ever sent, also those that were paid again since. */
  readonly sent?: (() => AsyncIterable<readonly SentPayout[]>) | undefined;
}

/**
 * The formats of a report and the ends of file names that mean them.
 */
export const REPORT_FORMATS = [
  'csv',
  'json',
  'xlsx',
  'html',
  'pain002',
  'journal',
  'journal-by-day',
] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Accounting programs whose import a journal is made for. */
export const PROFILES_OF_JOURNAL = ['generic', 'xero', 'quickbooks', 'odoo', 'erpnext'] as const;
export type JournalProfile = (typeof PROFILES_OF_JOURNAL)[number];

/** A journal is a CSV too, so only --format asks for it. */
const ENDINGS: Readonly<Record<Exclude<ReportFormat, 'journal' | 'journal-by-day'>, string>> = {
  csv: '.csv',
  json: '.json',
  xlsx: '.xlsx',
  html: '.html',
  // The only report that is XML; people write may.pain002.xml, banks' programs want .xml.
  pain002: '.xml',
};

const KNOWN = Object.entries(ENDINGS) as [keyof typeof ENDINGS, string][];

/** What a file name says; undefined when it says nothing. */
export function formatOfName(path: string): ReportFormat | undefined {
  const name = path.toLowerCase();
  return KNOWN.find(([, ending]) => name.endsWith(ending))?.[0];
}

/** A report as somebody asks for it. */
export interface AskedReport {
  /** undefined: as the name of the file says. */
  readonly format?: ReportFormat | undefined;
  readonly fullAccounts?: boolean | undefined;
  readonly maskAccounts?: boolean | undefined;
  /** Of a journal; generic unless told. */
  readonly journalProfile?: JournalProfile | undefined;
  /** Columns of the file that stand in it too, by their headers. */
  readonly keptColumns?: readonly string[] | undefined;
  /** The totals are also given by this column of the file. */
  readonly groupBy?: string | undefined;
}

/** Whether account numbers stand in it whole: in formats for programs unless they are masked, in those for people if asked for. */
export function showsAccounts(path: string, asked: AskedReport): boolean {
  switch (asked.format ?? formatOfName(path)) {
    case 'csv':
    case 'json':
      return asked.maskAccounts !== true;
    case 'xlsx':
    case 'html':
      return asked.fullAccounts === true;
    default:
      return false;
  }
}

/** `.csv, .json, …`, for messages. */
export const REPORT_ENDINGS = Object.values(ENDINGS).join(', ');
