/** The end of work on a batch: its result, and the reports that were wanted. */
import type { Batch } from '../domain/batches/batch.ts';
import { showsAccounts } from '../domain/reporting/report.ts';
import {
  type AfterFailure,
  type BatchEnd,
  type BrokenOff,
  type EndOptions,
  type EndPorts,
  endAfterFailure,
  endBatch,
} from '../use-cases/report/batch-end.ts';
import type { ReportingPorts } from '../use-cases/report/batch-view.ts';
import { noteAccountsShown } from '../use-cases/report/show-account.ts';
import { rememberWorkOnError } from '../use-cases/work-of-error.ts';
import type { Door } from './door.ts';

export interface ReportMethods {
  /** Result and reports of a batch after an error stopped the work; undefined when the error says everything. */
  endAfterFailure(
    error: unknown,
    failure: BrokenOff,
    options: Omit<EndOptions, 'codes'>,
  ): Promise<AfterFailure | undefined>;
}

export function reportMethods(door: Door): ReportMethods {
  return {
    endAfterFailure: (error, failure, options) =>
      endAfterFailure(error, failure, { options, open: () => endPorts(door) }),
  };
}

/** Of work that ends with reports. */
export interface WantedReports {
  /** Paths, written at the end whatever the result is. Nothing is sent when one of them cannot be written. */
  readonly reports?: readonly string[] | undefined;
  /** Whole account numbers in reports that otherwise mask them. */
  readonly fullAccounts?: boolean | undefined;
}

export function wanted({ reports, fullAccounts }: WantedReports): WantedReports {
  return { reports, fullAccounts };
}

/** What a batch came to when work on it is over: the reports that are wanted are written. */
export type WithEnd<Done> = Done & { readonly batchEnd: BatchEnd };

export async function withEnd<Done extends { readonly batch: Batch }>(
  done: Done,
  options: EndOptions,
  door: Door,
): Promise<WithEnd<Done>> {
  const { batch } = done;
  const end = async () => {
    // Where nobody has a role, everything is the caller's.
    const hasRoles = door.settings.people.size > 0;
    const isWhole = (options.reports ?? []).some((path) => showsAccounts(path, options));
    if (hasRoles && isWhole) await noteAtEnd(batch, door);
    return endBatch(batch, options, await endPorts(door));
  };
  return { ...done, batchEnd: await rememberWorkOnError(() => ({ batch }), end) };
}

async function noteAtEnd({ id }: Batch, { user: by, parts, ledger }: Door): Promise<void> {
  const where = 'in a report at the end of a command';
  await noteAccountsShown(id, { by, where }, { ledger: await ledger(), clock: parts.clock });
}

async function endPorts(door: Door): Promise<EndPorts> {
  return { ...(await reportPorts(door)), temporaryFolder: door.temporary };
}

/** A ledger that was set back, or is not known here, may still be looked at. */
export function lookingPorts(door: Door): Promise<ReportingPorts> {
  return reportPorts(door, { readOnly: true });
}

async function reportPorts(
  { parts, settings, ledger, place, cameWith }: Door,
  options?: { readonly readOnly: boolean },
): Promise<ReportingPorts> {
  const { clock, openReportSink: openSink } = parts;
  return { ledger: await ledger(options), clock, policy: settings.policy, place, cameWith, openSink };
}
