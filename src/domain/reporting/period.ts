/**
 * A span of whole days, both ends included.
 *
 * Units:   days of the UTC calendar, as in every instant of a report. Zone rules change; UTC does not.
 */
import { type Timestamp, timestampOf } from '../timestamp.ts';

export interface Period {
  /** `2026-05-01`. */
  readonly from: string;
  readonly to: string;
  readonly startsAt: Timestamp;
  /** The first instant after it. */
  readonly endsAt: Timestamp;
}

const DAY_MS = 86_400_000;

/** undefined when the days are not days of the calendar, or the first is after the last. */
export function periodOf(from: string, to: string): Period | undefined {
  const [first, last] = [startOfDay(from), startOfDay(to)];
  if (first === undefined || last === undefined || first > last) return undefined;
  return { from, to, startsAt: timestampOf(first), endsAt: timestampOf(last + DAY_MS) };
}

/** `2026-02-30` is no day. */
export function startOfDay(day: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? undefined : at;
}

/** Something happened in these days. */
export function isInDays(at: Timestamp, { startsAt, endsAt }: Period): boolean {
  return at >= startsAt && at < endsAt;
}
