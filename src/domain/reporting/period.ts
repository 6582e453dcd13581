/**
 * A span of whole days, both ends included.
 *
 * Units:   days of one time zone. Two reports with the same days and the same zone cut in the same places.
 */
import { dayNumber, type WallClock } from '../time-zone.ts';
import type { Timestamp } from '../timestamp.ts';

/** `2026-05-01`, the first and the last one. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface Period extends Days {
  readonly startsAt: Timestamp;
  /** The first instant after it. */
  readonly endsAt: Timestamp;
}

/** Both are days of the calendar, and the first is not after the last. */
export function areDays({ from, to }: Days): boolean {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return first !== undefined && last !== undefined && first <= last;
}

/** Errors: RangeError for what are no days. */
export function periodOf({ from, to }: Days, clock: WallClock): Period {
  return { from, to, startsAt: clock.startOf(from), endsAt: clock.startOf(nextDay(to)) };
}

const DAY_MS = 86_400_000;

function nextDay(day: string): string {
  return new Date(Number(dayNumber(day)) + DAY_MS).toISOString().slice(0, 10);
}

/** Something happened in these days. */
export function isInDays(at: Timestamp, { startsAt, endsAt }: Period): boolean {
  return at >= startsAt && at < endsAt;
}
