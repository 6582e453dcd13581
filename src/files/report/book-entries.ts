/** Books the payments of a report, for the sheets and files that hold the journal. */

import { type BookedTotal, BookedTotals, whenOf } from '../../domain/reporting/booked-totals.ts';
import { bookingsOf, standingAt } from '../../domain/reporting/booking.ts';
import { type Entry, entryOf } from '../../domain/reporting/journal.ts';
import type { Period } from '../../domain/reporting/period.ts';
import type { ReportSummary } from '../../domain/reporting/report.ts';
import type { WallClock } from '../../domain/time-zone.ts';

/** Which days are booked, and whose. */
export interface BookedDays {
  readonly period: Period | undefined;
  readonly clock: WallClock;
}

/** Gives page by page what is dated in the days of the report; all of it counts for what the accounts come to. */
export async function bookEntries(
  { sent }: Pick<ReportSummary, 'sent'>,
  { period, clock }: BookedDays,
  take: (page: readonly Entry[]) => Promise<void>,
): Promise<BookedTotal> {
  const totals = new BookedTotals(period);
  for await (const page of sent?.() ?? []) {
    const entries: Entry[] = [];
    for (const each of page) {
      const bookings = bookingsOf(each);
      const standing = period && standingAt(each, period);
      totals.add(each, bookings, standing);
      for (const booking of bookings)
        if (whenOf(booking, period) === 'in_days') entries.push(entryOf(each, booking, { clock, standing }));
    }
    await take(entries);
  }
  return totals.finish();
}
