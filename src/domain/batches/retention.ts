/** How long the ledger keeps names and accounts of payments that ended. */

import type { WallClock } from '../time-zone.ts';
import { type Timestamp, timestampOf } from '../timestamp.ts';

const DAY_MS = 86_400_000;

interface Kept {
  readonly retentionYears: number;
  /** Repeats are found by the accounts of payments. */
  readonly duplicateWindowDays: number;
}

/** The latest day before which rows may be erased: `2019-11-27`. */
export function lastDayToErase(
  now: Timestamp,
  { retentionYears, duplicateWindowDays }: Kept,
  clock: WallClock,
): string {
  const today = clock.day(now);
  // In another year there may be no 29 February; then the day before counts.
  const day = today.slice(5) === '02-29' ? '02-28' : today.slice(5);
  const byYears = `${String(Number(today.slice(0, 4)) - retentionYears).padStart(4, '0')}-${day}`;
  const byRepeats = clock.day(timestampOf(now - duplicateWindowDays * DAY_MS));
  return byYears < byRepeats ? byYears : byRepeats;
}
