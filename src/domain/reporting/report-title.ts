/** What stands at the head of a report: whose it is, which batch or days it is about, and when its payments were sent. */
import { batchLabel } from '../batches/batch.ts';
import { printable } from '../text/printable.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import type { ControlTotals } from './control-totals.ts';
import type { ReportHeader } from './report.ts';

/** `Acme Ltd · Payments of payroll-2026-05 · sent 2026-05-25 to 2026-05-27 (UTC)`. */
export function reportTitle(
  { batch, organization, period }: Pick<ReportHeader, 'batch' | 'organization' | 'period'>,
  { sent }: Pick<ControlTotals, 'sent'>,
): string {
  const whose = organization === undefined ? [] : [printable(organization)];
  const what = `Payments of ${batchLabel(batch)}`;
  return [...whose, ...(period === undefined ? [what, sentText(sent)] : [`${what} (UTC)`])].join(' · ');
}

function sentText(sent: ControlTotals['sent']): string {
  if (sent === undefined) return 'nothing sent';
  const [first = '', last] = [...new Set([sent.first, sent.last].map(dayText))];
  return `sent ${last === undefined ? first : `${first} to ${last}`} (UTC)`;
}

function dayText(at: Timestamp): string {
  return formatTimestamp(at).slice(0, 10);
}
