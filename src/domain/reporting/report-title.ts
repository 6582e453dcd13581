/** What stands at the head of a report: whose it is, which batch or days it is about, and when its payments were sent. */
import { batchLabel } from '../batches/batch.ts';
import { printable } from '../text/printable.ts';
import { WallClock } from '../time-zone.ts';
import type { ControlTotals } from './control-totals.ts';
import type { ReportHeader } from './report.ts';

/** `Acme Ltd · Payments of payroll-2026-05 · sent 2026-05-25 to 2026-05-27 (Africa/Nairobi)`. */
export function reportTitle(
  header: Pick<ReportHeader, 'batch' | 'organization' | 'period' | 'timeZone'>,
  { sent }: Pick<ControlTotals, 'sent'>,
): string {
  const { batch, organization, period, timeZone } = header;
  const whose = organization === undefined ? [] : [printable(organization)];
  const what = `Payments of ${batchLabel(batch)}`;
  const clock = new WallClock(timeZone);
  const when = period === undefined ? [what, sentText(sent, clock)] : [`${what} (${clock.zone})`];
  return [...whose, ...when].join(' · ');
}

function sentText(sent: ControlTotals['sent'], clock: WallClock): string {
  if (sent === undefined) return 'nothing sent';
  const [first = '', last] = [...new Set([sent.first, sent.last].map((at) => clock.day(at)))];
  return `sent ${last === undefined ? first : `${first} to ${last}`} (${clock.zone})`;
}

/** Where the days of a report are not those that the ledger keeps. */
export function otherZoneTexts({ timeZone, ledgerZone }: Pick<ReportHeader, 'timeZone' | 'ledgerZone'>) {
  if (timeZone === undefined || ledgerZone === undefined || timeZone === ledgerZone) return [];
  return [`Days are those of ${timeZone}. Other reports of this ledger have the days of ${ledgerZone}.`];
}
