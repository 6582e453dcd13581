/**
 * All payments of a batch that a report books: the ledger's, each with its events, and with the day on which only a
 * statement or a late answer showed that it was paid after all.
 */
import type { Batch } from '../domain/batch.ts';
import type { BookedEvent, SentPayout } from '../domain/booking.ts';
import type { PayoutId } from '../domain/instruction.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { Ledger } from '../ports/ledger.ts';
import { incidentTimes } from './raise-incident.ts';

export type SentLedger = Pick<Ledger, 'notes'> & Partial<Pick<Ledger, 'sentPayouts'>>;

/** `isLabelled`: each payment carries the name of its batch, for a report over several. */
export async function* sentPayouts(
  { id, name }: Pick<Batch, 'id' | 'name'>,
  ledger: SentLedger,
  { isLabelled = false } = {},
): AsyncGenerator<readonly SentPayout[]> {
  const pages = ledger.sentPayouts?.(id);
  if (pages === undefined) return;
  const incidents = await incidentTimes(id, { ledger });
  const label = isLabelled ? { batch: { id, name } } : {};
  for await (const page of pages)
    yield page.map((sent) => ({ ...sent, ...label, events: withIncident(sent, incidents) }));
}

function withIncident(
  { payout, events }: SentPayout,
  incidents: ReadonlyMap<PayoutId, Timestamp>,
): readonly BookedEvent[] {
  const at = incidents.get(payout.id);
  if (at === undefined) return events;
  const [before, after] = [events.filter((event) => event.at <= at), events.filter((event) => event.at > at)];
  return [...before, { kind: 'incident', at }, ...after];
}
