/**
 * When a line of a statement happened. Many statements give two dates, of the booking and of the value; which of
 * them is nearer to the payment differs from bank to bank, so a line is of the time from the one to the other.
 */

import { type DateOrder, readDate, type WrittenDate, ZONE_SLACK_MS } from '../text/written-date.ts';
import { BOOKING_MS, mayBeDated, type Window } from './attempt-window.ts';
import type { StatementLine } from './line.ts';

const DAY_MS = 24 * 3_600_000;

/** undefined where no date can be read. */
export function dateOf(
  { dateTexts }: Pick<StatementLine, 'dateTexts'>,
  order: DateOrder,
): WrittenDate | undefined {
  const dates = dateTexts.map((text) => readDate(text, order)).filter((date) => date !== undefined);
  if (dates.length === 0) return undefined;
  return {
    from: Math.min(...dates.map(({ from }) => from)),
    until: Math.max(...dates.map(({ until }) => until)),
    hasZone: dates.every(({ hasZone }) => hasZone),
  };
}

/** Whether a payment of the window may be booked with this date; without one it may be from any time. */
export function mayBeBooked(date: WrittenDate | undefined, window: Window | undefined): boolean {
  return window !== undefined && (date === undefined || mayBeDated(date, window, BOOKING_MS));
}

/** Whole days between a payment's window and a date that does not fit it: negative when the line is earlier. */
export function daysAway(date: WrittenDate, window: Window): number {
  const slack = date.hasZone ? 0 : ZONE_SLACK_MS;
  const day = (at: number) => Math.floor(at / DAY_MS);
  if (date.until <= window.from - slack) return -Math.max(1, day(window.from) - day(date.until - 1));
  return Math.max(1, day(date.from) - day(window.until));
}
