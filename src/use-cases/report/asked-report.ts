/**
 * Reports that a person asks for: of one batch, over days, or a file of the rows to pay again. They move no money.
 *
 * Errors:  BatchNotFound, RequestRefused, ReportFormatUnknown, ReportUnwritable.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import { command, flagsOf } from '../../domain/next-steps/command.ts';
import { freeRedoName } from '../../domain/next-steps/pay-again.ts';
import { type Days, periodOf } from '../../domain/reporting/period.ts';
import type { CorrectedRow } from '../../domain/reporting/redo.ts';
import { type AskedReport, formatOfName } from '../../domain/reporting/report.ts';
import { isSameHeader } from '../../domain/rows/column-names.ts';
import { input, message } from '../../domain/text/message.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { WallClock } from '../../domain/time-zone.ts';
import type { OpenRedoSink, ReportTarget } from '../../ports/outputs.ts';
import { findBatch } from '../find-batch.ts';
import { isTakenIn } from '../intake/batch-name.ts';
import { atOneMoment, type BatchSummary, type ReportingPorts, summaryOf } from './batch-view.ts';
import { columnCalled } from './column-called.ts';
import { headerOfAll, type RedoWritten, reportHeader, writeRedo } from './report-batch.ts';
import { type PeriodReported, reportPeriod } from './report-period.ts';

export interface AskingReports extends ReportingPorts {
  readonly openRedoSink: OpenRedoSink;
  /** Keeps in the journal who was given whole account numbers, before a file is written. */
  readonly note: (batch: Batch, where: string) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

export interface WantedFile extends AskedReport {
  /** A path, or `-` for standard output. undefined: only the totals are made. */
  readonly path: string | undefined;
  /** It may replace any file. */
  readonly isReplaced: boolean;
  readonly isNoted: boolean;
}

export interface PeriodReport extends PeriodReported {
  readonly environment: 'live' | 'sandbox';
  /** In which the days are cut; and in which the ledger cuts them. */
  readonly timeZone: string;
  readonly ledgerZone: string;
}

export interface RedoReport extends RedoWritten {
  readonly batch: Batch;
  /** For the batch of the new file: a name that no batch has. */
  readonly batchName: string;
  readonly environment: 'live' | 'sandbox';
}

export async function reportOf(text: string, file: WantedFile, ports: AskingReports): Promise<BatchSummary> {
  const found = await findBatch(text, ports.ledger);
  const { path, format = path === undefined ? undefined : formatOfName(path), isNoted, groupBy } = file;
  const target = targetOf(file);
  refuseOwnColumns(target);
  requireColumns(file, [found]);
  if (path !== undefined && isNoted) await ports.note(found, `in a report (${format ?? 'other'})`);
  const wants = { target, groupBy, signal: ports.signal };
  return atOneMoment([found], ports, async (still) =>
    summaryOf((await still.ledger.batch(found.id)) ?? found, still, wants),
  );
}

export async function reportDays(days: Days, file: WantedFile, ports: AskingReports): Promise<PeriodReport> {
  const target = targetOf(file);
  refuseOneBatchFormats(target, days);
  refuseOwnColumns(target);
  requireColumns(file, await ports.ledger.batches());
  const made = async (of: typeof target) =>
    atOneMoment(await ports.ledger.batches(), ports, (still) =>
      daysIn({ days, target: of, groupBy: file.groupBy }, { ...ports, ...still }),
    );
  if (target !== undefined && file.isNoted)
    for (const { batch } of (await made(undefined)).batches) await ports.note(batch, 'in a report over days');
  return made(target);
}

/** The rows that failed or came back, in a file to correct and run. */
export async function reportUnpaid(
  text: string,
  { path, format, isReplaced, isNoted, withCanceled, only }: UnpaidFile,
  ports: AskingReports,
): Promise<RedoReport> {
  const { ledger, openRedoSink: openSink, signal } = ports;
  const batch = await findBatch(text, ledger);
  if (isNoted) await ports.note(batch, 'in a file of unpaid rows');
  const written = await writeRedo(
    await reportHeader(batch, ports),
    { ledger, openSink },
    { target: { path, format, isReplaced }, withCanceled, only, signal },
  );
  const batchName = await freeRedoName(batch, isTakenIn(ledger));
  return { ...written, batch, batchName, environment: ledger.identity.environment };
}

interface UnpaidFile extends Omit<WantedFile, 'path'> {
  readonly path: string;
  /** Rows that a person withdrew go in as well. */
  readonly withCanceled: boolean;
  readonly only: CorrectedRow | undefined;
}

function targetOf({ path, format, isReplaced, ...shown }: WantedFile): ReportTarget | undefined {
  if (path === undefined) return undefined;
  const { fullAccounts = false, maskAccounts = false, journalProfile, keptColumns } = shown;
  return { path, format, fullAccounts, maskAccounts, isReplaced, journalProfile, keptColumns };
}

/** Errors: RequestRefused. */
export function requireColumns(
  { keptColumns = [], groupBy }: AskedReport,
  batches: readonly Pick<Batch, 'file'>[],
): void {
  if (keptColumns.length === 0 && groupBy === undefined) return;
  const [first, ...others] = batches.map(({ file }) => file.headers);
  // A header comes in many files of a month; twice in one file it names no column.
  const headers = others.length === 0 ? (first ?? []) : [...new Set([first ?? [], ...others].flat())];
  for (const column of keptColumns) columnCalled(column, headers, 'keep');
  if (groupBy !== undefined) columnCalled(groupBy, headers, 'groupBy');
}

/** Before anything is read: some formats have room for one batch only. */
function refuseOneBatchFormats(target: ReportTarget | undefined, { from, to }: Days): void {
  const format = target && (target.format ?? formatOfName(target.path));
  if (format !== 'html' && format !== 'pain002') return;
  throw new RequestRefused(
    `One ${format} report is about one batch. Over days, choose .csv, .json, .xlsx or a journal.`,
    command('report', [], flagsOf({ '--from': from, '--to': to, '--output': 'days.xlsx' })),
  );
}

/** A page and a sum of a day have no line with room for them; a payment status report has its own fields. */
const WITHOUT_COLUMNS: readonly unknown[] = ['html', 'pain002', 'journal-by-day'];

function refuseOwnColumns(target: ReportTarget | undefined): void {
  const format = target && (target.format ?? formatOfName(target.path));
  if ((target?.keptColumns ?? []).length === 0 || !WITHOUT_COLUMNS.includes(format)) return;
  throw new RequestRefused(
    message(
      'no_room_for_columns',
    )`A ${format ?? ''} report has no room for ${input('keep')}. Choose .csv, .xlsx or a journal, or leave it out. For sums by a column there is ${input('groupBy')}.`,
  );
}

interface AskedDays {
  readonly days: Days;
  readonly target: ReportTarget | undefined;
  readonly groupBy: string | undefined;
}

async function daysIn({ days, target, groupBy }: AskedDays, ports: AskingReports): Promise<PeriodReport> {
  const { ledger, openSink, signal } = ports;
  const sink = target === undefined ? undefined : await openSink(target);
  const keptColumns = [...(target?.keptColumns ?? [])];
  if (groupBy !== undefined && !keptColumns.some((column) => isSameHeader(column, groupBy)))
    keptColumns.push(groupBy);
  const header = { ...headerOfAll(ports), keptColumns, groupBy };
  const { environment, timeZone, ledgerZone } = header;
  const period = periodOf(days, new WallClock(timeZone));
  const reported = await reportPeriod(ledger, { period, sink, header, signal });
  return { ...reported, environment, timeZone, ledgerZone };
}
