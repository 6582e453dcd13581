/**
 * The two date forms of the payment service. Neither names a zone, so both are read as wall time: the
 * fields on some clock, not an instant.
 *
 * Units:   WallTime is milliseconds of the same fields in UTC; subtract the service's offset for an instant.
 * Source:  service interface 2.1, 2.2 (`dd/mm/yyyy hh:mm:ss`) and 2.6 (`dd/mm/yyyy hh:mm` then am or pm).
 */

declare const wall: unique symbol;
export type WallTime = number & { readonly [wall]: true };

const STAMP = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d{2}):(\d{2})\s*$/;

/** `25/12/2026 23:59:59` → wall time; undefined for anything that is not a date of the calendar. */
export function parseStamp(text: string): WallTime | undefined {
  const match = STAMP.exec(text);
  if (!match) return undefined;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return undefined;
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(at);
  // Date.UTC rolls 31/02 over into March; a date that reads back differently was never on a calendar.
  const isCalendarDate = read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
  return isCalendarDate ? (at as WallTime) : undefined;
}

/** The inverse of parseStamp, for an instant seen on a clock `offsetMinutes` east of UTC. */
export function formatStamp(atMs: number, offsetMinutes: number): string {
  const [date, time] = shifted(atMs, offsetMinutes);
  return `${date} ${time}`;
}

/** `25/12/2026 11:59 pm`, for the same instant. */
export function formatTransactionDate(atMs: number, offsetMinutes: number): string {
  const [date, time] = shifted(atMs, offsetMinutes);
  const hour = Number(time.slice(0, 2));
  const clock = String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0');
  return `${date} ${clock}:${time.slice(3, 5)} ${hour < 12 ? 'am' : 'pm'}`;
}

function shifted(atMs: number, offsetMinutes: number): [date: string, time: string] {
  const iso = new Date(atMs + offsetMinutes * 60_000).toISOString();
  return [`${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`, iso.slice(11, 19)];
}
