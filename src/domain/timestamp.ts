/**
 * An instant.
 *
 * Units:   milliseconds since 1970-01-01T00:00:00Z. Printed as UTC ISO 8601 everywhere.
 */
import type { Branded } from './branded.ts';

export type Timestamp = Branded<number, 'Timestamp'>;

export function timestampOf(milliseconds: number): Timestamp {
  if (!Number.isSafeInteger(milliseconds))
    throw new TypeError('A timestamp is a whole number of milliseconds');
  return milliseconds as Timestamp;
}

export function formatTimestamp(at: Timestamp): string {
  return new Date(at).toISOString();
}

/** `2026-11-20 19:15`, UTC; whoever shows it says so. */
export function minuteOf(at: Timestamp): string {
  return formatTimestamp(at).slice(0, 16).replace('T', ' ');
}

const MINUTE_MS = 60_000;

/** The next full minute: a minute too early would be refused, or prove nothing. */
export function minuteAfter(at: Timestamp): string {
  return minuteOf(plusMs(at, MINUTE_MS - 1));
}

/** `2026-11-20 19:15:30`, UTC, not before the instant; whoever shows it says so. */
export function secondOf(at: Timestamp): string {
  return formatTimestamp(timestampOf(Math.ceil(at / 1_000) * 1_000))
    .slice(0, 19)
    .replace('T', ' ');
}

/** Whether so little time has gone since then. What a clock says came later is not young: one of the two clocks was wrong. */
export function isYoung(at: Timestamp, now: Timestamp, maxMs: number): boolean {
  return at <= now && now - at <= maxMs;
}

export function plusMs(at: Timestamp, milliseconds: number): Timestamp {
  return timestampOf(at + Math.round(milliseconds));
}
