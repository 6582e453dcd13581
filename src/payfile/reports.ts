/** What reports are made with. */
import type { EndPorts } from '../use-cases/report/batch-end.ts';
import type { ReportingPorts } from '../use-cases/report/batch-view.ts';
import type { Door } from './door.ts';

export async function endPorts(door: Door): Promise<EndPorts> {
  const { user, settings, temporary: temporaryFolder } = door;
  return { ...(await reportPorts(door)), temporaryFolder, user, namesPeople: settings.people.size > 0 };
}

/** A ledger that was set back, or is not known here, may still be looked at. */
export function readingPorts(door: Door): Promise<ReportingPorts> {
  return reportPorts(door, { readOnly: true });
}

async function reportPorts(
  { parts, settings, ledger, place, cameWith }: Door,
  options?: { readonly readOnly: boolean },
): Promise<ReportingPorts> {
  const { clock, openReportSink: openSink } = parts;
  return { ledger: await ledger(options), clock, policy: settings.policy, place, cameWith, openSink };
}
