/**
 * Reports. Nothing here moves money.
 */

import type { Batch } from '../domain/batches/batch.ts';
import { command } from '../domain/next-steps/command.ts';
import { freeRedoName } from '../domain/next-steps/pay-again.ts';
import { hoursMs } from '../domain/policy.ts';
import type { Period } from '../domain/reporting/period.ts';
import { formatOfName, showsAccounts } from '../domain/reporting/report.ts';
import type { ReportTarget } from '../ports/outputs.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { isTakenIn } from '../use-cases/intake/batch-name.ts';
import type { EndPorts } from '../use-cases/report/batch-end.ts';
import {
  atOneMoment,
  type BatchSummary,
  type ReportingPorts,
  summaryOf,
} from '../use-cases/report/batch-summary.ts';
import { type RedoWritten, reportHeader, writeRedo } from '../use-cases/report/report-batch.ts';
import { type PeriodReported, reportPeriod } from '../use-cases/report/report-period.ts';
import { noteAccountsShown } from '../use-cases/report/show-account.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import type { Door } from './door.ts';

export interface ReportOptions extends Pick<Dialogue, 'signal'> {
  /** undefined: from the file's name. */
  readonly format?: ReportTarget['format'];
  /** Whole account numbers in formats that otherwise mask them. */
  readonly fullAccounts?: boolean | undefined;
  /** No format shows whole account numbers; else those for programs (.csv, .json) do. */
  readonly maskAccounts?: boolean | undefined;
  /**
   * The journal of the batch keeps who was given whole account numbers, before the file is written. Where the
   * configuration names people, it always does.
   */
  readonly notesAccounts?: boolean | undefined;
}

export interface UnpaidOptions extends Omit<ReportOptions, 'fullAccounts' | 'maskAccounts'> {
  /** Rows that a person withdrew go in as well. */
  readonly include?: 'canceled' | undefined;
}

export interface PeriodReport extends PeriodReported {
  readonly environment: 'live' | 'sandbox';
}

export interface RedoReport extends RedoWritten {
  readonly batch: Batch;
  /** For the batch that the file is to be: a name that no batch has. */
  readonly batchName: string;
  readonly environment: 'live' | 'sandbox';
}

export interface ReportMethods {
  /**
   * Writes the reconciliation report (csv, json, xlsx, html, or xml for pain.002, by its name; a journal by its format);
   * without a path only the totals. A file that is there already is replaced only where it is such a report.
   */
  report(batch: string, path?: string, options?: ReportOptions): Promise<BatchSummary>;
  /** The same over a span of days and all batches. */
  reportPeriod(period: Period, path?: string, options?: ReportOptions): Promise<PeriodReport>;
  /** A file of the rows that failed or came back, ready to be run. */
  writeUnpaid(batch: string, path: string, options?: UnpaidOptions): Promise<RedoReport>;
}

export function reportMethods(door: Door): ReportMethods {
  const reading = () => reportPorts(door, { readOnly: true });
  return {
    report: (text, path, options = {}) => reported(text, path, options, { door, ports: reading }),
    async reportPeriod(period, path, options = {}) {
      const target = targetOf(path, options);
      refuseOneBatchFormats(target);
      const ports = await reading();
      const { signal } = options;
      const made = async (of: typeof target) =>
        atOneMoment(await ports.ledger.batches(), ports, (still) =>
          overDays(period, of, { ports: still, signal }),
        );
      if (path !== undefined && areNoted(path, options, door))
        for (const { batch } of (await made(undefined)).batches)
          await note(batch, 'in a report over days', door);
      return made(target);
    },
    async writeUnpaid(text, path, { format, include, signal, notesAccounts } = {}) {
      const ports = await reading();
      const batch = await findBatch(text, ports.ledger);
      if (notesAccounts === true || arePeopleNamed(door)) await note(batch, 'in a file of unpaid rows', door);
      const { ledger } = ports;
      const sinks = { ledger, openSink: door.parts.openRedoSink };
      const written = await writeRedo(await reportHeader(batch, ports), sinks, {
        target: { path, format },
        withCanceled: include === 'canceled',
        signal,
      });
      const batchName = await freeRedoName(batch, isTakenIn(ledger));
      return { ...written, batch, batchName, environment: ledger.identity.environment };
    },
  };
}

/** Where nobody is named, everything is the caller's. */
function arePeopleNamed({ settings }: Door): boolean {
  return settings.people.size > 0;
}

function areNoted(path: string, options: ReportOptions, door: Door): boolean {
  if (options.notesAccounts === true) return true;
  return arePeopleNamed(door) && showsAccounts(path, options);
}

async function note({ id }: Batch, where: string, door: Door): Promise<void> {
  const { clock } = door.parts;
  await noteAccountsShown(id, { by: door.user, where }, { ledger: await door.ledger(), clock });
}

interface Reporting {
  readonly door: Door;
  readonly ports: () => Promise<ReportingPorts>;
}

async function reported(
  text: string,
  path: string | undefined,
  options: ReportOptions,
  { door, ports: open }: Reporting,
): Promise<BatchSummary> {
  const ports = await open();
  const found = await findBatch(text, ports.ledger);
  const format = path === undefined ? undefined : (options.format ?? formatOfName(path));
  if (path !== undefined && areNoted(path, options, door))
    await note(found, `in a report (${format ?? 'other'})`, door);
  const wants = { target: targetOf(path, options), signal: options.signal };
  return atOneMoment([found], ports, async (still) =>
    summaryOf((await still.ledger.batch(found.id)) ?? found, still, wants),
  );
}

export async function endPorts(door: Door): Promise<EndPorts> {
  return { ...(await reportPorts(door)), temporaryFolder: door.temporary };
}

/** A live ledger that was set back, or is not known here, may still be looked at. */
export function lookingPorts(door: Door): Promise<ReportingPorts> {
  return reportPorts(door, { readOnly: door.settings.environment === 'live' });
}

async function reportPorts(
  { parts, settings, ledger, place, cameWith }: Door,
  options?: { readonly readOnly: boolean },
): Promise<ReportingPorts> {
  const { clock, openReportSink: openSink } = parts;
  return { ledger: await ledger(options), clock, policy: settings.policy, place, cameWith, openSink };
}

function targetOf(
  path: string | undefined,
  { format, fullAccounts = false, maskAccounts = false }: ReportOptions,
) {
  return path === undefined ? undefined : { path, format, fullAccounts, maskAccounts };
}

/** Before anything is read: some formats have room for one batch only. */
function refuseOneBatchFormats(target: ReportTarget | undefined): void {
  const format = target && (target.format ?? formatOfName(target.path));
  if (format !== 'html' && format !== 'pain002') return;
  throw new RequestRefused(
    `One ${format} report is about one batch; over days it is .csv, .json, .xlsx or a journal.`,
    command('status'),
  );
}

async function overDays(
  period: Period,
  target: ReportTarget | undefined,
  { ports, signal }: { readonly ports: ReportingPorts; readonly signal: AbortSignal | undefined },
): Promise<PeriodReport> {
  const { ledger, clock, policy, place, openSink } = ports;
  const { environment } = ledger.identity;
  const sink = target === undefined ? undefined : await openSink(target);
  const { organization, failConfirmMs } = policy;
  const reissueAfterMs = hoursMs(policy.reissueAfterHours);
  const header = { environment, place, organization, madeAt: clock.now(), reissueAfterMs, failConfirmMs };
  return { ...(await reportPeriod(ledger, { period, sink, header, signal })), environment };
}
