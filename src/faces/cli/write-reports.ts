/**
 * The reports that --report asked for, and the totals that stand under every outcome. A report that cannot be
 * written is said and remembered (exit code 73); it never hides what became of the money.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import { hoursMs } from '../../domain/policy.ts';
import { formatOfName, REPORT_ENDINGS, type ReportHeader } from '../../domain/reporting/report.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { ReportUnwritable } from '../../ports/outputs.ts';
import { type Reported, reportBatch } from '../../use-cases/report/report-batch.ts';
import { type Call, UsageError } from './call.ts';
import type { Opened } from './open-parts.ts';

export interface WrittenReport {
  readonly path: string;
  /** Why there is no report; undefined when it is written. */
  readonly problem: string | undefined;
}

export interface ReportsWritten {
  readonly reported: Reported;
  readonly reports: readonly WrittenReport[];
}

/** Before anything is done: a format that nobody can tell is a usage error, not a surprise at the end. */
export function refuseUnknownFormats(call: Pick<Call, 'flags'>): void {
  for (const path of call.flags.report ?? []) {
    if (formatOfName(path) === undefined)
      throw new UsageError(
        `--report ${path}: expected a file name that ends in ${REPORT_ENDINGS} (payfile report has --format).`,
      );
  }
}

/** Before anything is sent: a place where no report can be written stops the run while that costs nothing. */
export async function requireReportPlaces(opened: Opened, call: Pick<Call, 'flags'>): Promise<void> {
  await refuseSameOutputs(opened, call);
  for (const path of call.flags.report ?? []) await opened.parts.requireReportPlace(path);
}

/** Of two outputs with one place the second would replace the first. */
export async function refuseSameOutputs(
  { parts, settings }: Opened,
  { flags }: Pick<Call, 'flags'>,
): Promise<void> {
  const { report = [], fixFile, output, logFile, metricsFile = settings.metricsFile } = flags;
  const named = [...report, fixFile === true ? undefined : fixFile, output, logFile, metricsFile];
  const same = await parts.outputs.same(named.filter((path) => path !== undefined));
  if (same === undefined) return;
  const [first, second] = same;
  throw new UsageError(
    first === second
      ? `${first} is named for two outputs. Give each a file of its own.`
      : `${first} and ${second} are the same file. Give each output a file of its own.`,
  );
}

export function reportHeader(batch: Batch, opened: Opened, ledger: Ledger): ReportHeader {
  const { parts, settings } = opened;
  return {
    batch,
    environment: ledger.identity.environment,
    madeAt: parts.clock.now(),
    reissueAfterMs: hoursMs(settings.policy.reissueAfterHours),
  };
}

export async function writeReports(batch: Batch, opened: Opened, call: Call): Promise<ReportsWritten> {
  const ledger = await opened.ledger();
  const header = reportHeader(batch, opened, ledger);
  const ports = { ledger, openSink: opened.parts.openReportSink };
  const fullAccounts = call.flags.fullAccounts === true;
  const reports: WrittenReport[] = [];
  let reported: Reported | undefined;
  for (const path of call.flags.report ?? []) {
    try {
      reported = await reportBatch(header, ports, { target: { path, format: undefined, fullAccounts } });
      reports.push({ path, problem: undefined });
    } catch (error) {
      if (!(error instanceof ReportUnwritable)) throw error;
      reports.push({ path, problem: error.message });
    }
  }
  return { reported: reported ?? (await reportBatch(header, ports, { target: undefined })), reports };
}
