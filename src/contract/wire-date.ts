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
const TRANSACTION_DATE = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d{2})\s*([aApP])\.?[mM]\.?\s*$/;

/** `25/12/2026 23:59:59` → wall time; undefined for anything that is not a date of the calendar. */
export function parseStamp(text: string): WallTime | undefined {
  const match = STAMP.exec(text);
  if (!match) return undefined;
  const [, day, month, year, hour, minute, second] = match;
  return wallTimeOf({ year, month, day, hour, minute, second });
}

/** `25/12/2026 11:59 pm` → wall time; 12 am is midnight. */
export function parseTransactionDate(text: string): WallTime | undefined {
  const match = TRANSACTION_DATE.exec(text);
  if (!match) return undefined;
  const [, day, month, year, hour, minute, half] = match;
  const clockHour = Number(hour);
  if (clockHour < 1 || clockHour > 12) return undefined;
  const hour24 = (clockHour % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  return wallTimeOf({ year, month, day, hour: String(hour24), minute, second: '0' });
}

/** The inverse of parseStamp, for an instant seen on a clock `offsetMinutes` east of UTC. */
export function formatStamp(atMs: number, offsetMinutes: number): string {
  const [date, time] = shifted(atMs, offsetMinutes);
  return `${date} ${time}`;
}

/** The inverse of parseTransactionDate. */
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

interface Fields {
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string | undefined;
  readonly hour: string | undefined;
  readonly minute: string | undefined;
  readonly second: string | undefined;
}

function wallTimeOf(fields: Fields): WallTime | undefined {
  const [year, month, day] = [Number(fields.year), Number(fields.month), Number(fields.day)];
  const [hour, minute, second] = [Number(fields.hour), Number(fields.minute), Number(fields.second)];
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return undefined;
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(at);
  // Date.UTC rolls 31/02 over into March; a date that reads back differently was never on a calendar.
  const isCalendarDate = read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
  return isCalendarDate ? (at as WallTime) : undefined;
}
