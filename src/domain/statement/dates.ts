/**
 * When a line of a statement happened, from when to when the statement reaches, and in which order it writes day and
 * month. One line proves neither, so the whole file is read for it first.
 *
 * What a statement lacks proves something only where the statement covers the time in question for certain; every
 * doubt about its dates counts against that.
 */
import { mayBeDated, type Window } from '../payouts/attempt.ts';
import {
  type DateOrder,
  provenOrder,
  readDate,
  type WrittenDate,
  ZONE_SLACK_MS,
} from '../text/written-date.ts';
import type { StatementLine } from './line.ts';

/** A bank may book a payment this long after it was made: over a weekend with a holiday behind it. */
export const BOOKING_DAYS = 4;
const DAY_MS = 24 * 3_600_000;
const BOOKING_MS = BOOKING_DAYS * DAY_MS;

/**
 * Many statements give two dates, of the booking and of the value. Which is nearer to the payment differs from bank to
 * bank, so a line covers the time from the one to the other. undefined where no date can be read.
 */
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
export function mayBeBooked(date: WrittenDate | undefined, window: Window): boolean {
  return date === undefined || mayBeDated(date, window, BOOKING_MS);
}

/** Whether the line is too late for the payment by any bank's rules, but not before it. */
export function isLater(date: WrittenDate | undefined, window: Window): boolean {
  return date !== undefined && !mayBeBooked(date, window) && date.from > window.until;
}

export interface StatementSpan {
  readonly lines: number;
  readonly order: DateOrder;
  /** The first and the last date of the file as they are written; undefined when no line has one. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** A date that may be read in two ways, where no other one shows which comes first; undefined: the order is known. */
  readonly openDate: string | undefined;
  /** Why the span proves nothing; undefined when it does. */
  readonly doubt: string | undefined;
  readonly from: number;
  readonly until: number;
  /** Of the sandbox's own book alone: nothing that was executed until then is missing in it. */
  readonly wholeUntil?: number | undefined;
}

interface Ends {
  from: number;
  until: number;
  first: string | undefined;
  last: string | undefined;
}

const noEnds = (): Ends => ({
  from: Number.POSITIVE_INFINITY,
  until: Number.NEGATIVE_INFINITY,
  first: undefined,
  last: undefined,
});

export class SpanFinder {
  readonly #declared: DateOrder | undefined;
  readonly #now: number;
  readonly #ends = { day_first: noEnds(), month_first: noEnds() };
  readonly #proofs = { day_first: 0, month_first: 0, either: 0 };
  #lines = 0;
  #open: string | undefined;
  #unreadable = 0;

  constructor(declared: DateOrder | undefined, now: number) {
    this.#declared = declared;
    this.#now = now;
  }

  /** The dates of one line: of its booking, and of its value where there are both. */
  add(...dateTexts: readonly string[]): void {
    this.#lines += 1;
    let isRead = false;
    for (const text of dateTexts) {
      const proof = provenOrder(text);
      const isDate = proof !== undefined || readDate(text, 'day_first') !== undefined;
      isRead ||= isDate;
      if (proof !== undefined) this.#proofs[proof] += 1;
      else if (isDate) this.#open ??= text;
    }
    if (!isRead) this.#unreadable += 1;
    for (const order of ['day_first', 'month_first'] as const) widen(this.#ends[order], dateTexts, order);
  }

  /** Entries after an opening balance are in the statement. A bank may write the day before its first one. */
  addOpening(text: string): void {
    const { until } = readDate(text, 'day_first') ?? {};
    for (const ends of Object.values(this.#ends))
      if (until !== undefined && until < ends.from) Object.assign(ends, { from: until, first: text });
  }

  result(): StatementSpan {
    const { day_first: days, month_first: months } = this.#proofs;
    const order = this.#declared ?? (months > 0 && days === 0 ? 'month_first' : 'day_first');
    const { from, until, first, last } = this.#ends[order];
    const openDate = this.#declared === undefined && days + months === 0 ? this.#open : undefined;
    return { lines: this.#lines, order, first, last, openDate, doubt: this.#doubt(order), from, until };
  }

  #doubt(order: DateOrder): string | undefined {
    const { day_first: days, month_first: months } = this.#proofs;
    if (this.#ends[order].first === undefined) return 'it has no dates that can be read';
    if (this.#unreadable > 0)
      return `${this.#unreadable} of its lines ${this.#unreadable === 1 ? 'has' : 'have'} no date that can be read`;
    if (days > 0 && months > 0) return 'it writes some dates day first and others month first';
    if (this.#declared !== undefined && this.#proofs[opposite(this.#declared)] > 0)
      return 'some of its dates cannot be read in the order that was said';
    if (this.#open !== undefined && days + months === 0 && this.#declared === undefined)
      return 'its dates may be day first or month first; say which comes first';
    if (this.#ends[order].until > this.#now + ZONE_SLACK_MS) return 'some of its dates are in the future';
    return undefined;
  }
}

function opposite(order: DateOrder): DateOrder {
  return order === 'day_first' ? 'month_first' : 'day_first';
}

/** Of two dates of a line each end takes the one that makes the statement reach less far. */
function widen(ends: Ends, dateTexts: readonly string[], order: DateOrder): void {
  const dates = dateTexts
    .map((text) => ({ text, from: readDate(text, order)?.from }))
    .filter((date): date is { text: string; from: number } => date.from !== undefined)
    .sort((one, other) => one.from - other.from);
  const [earlier, later] = [dates[0], dates.at(-1)];
  if (earlier === undefined || later === undefined) return;
  if (later.from < ends.from) {
    ends.from = later.from;
    ends.first = later.text;
  }
  // The beginning of the last date: how far its day was over when the statement was made is not known.
  if (earlier.from > ends.until) {
    ends.until = earlier.from;
    ends.last = earlier.text;
  }
}

/** The first and the last day (`2026-11-22`) on which a statement needs a line, so that it covers the window for certain. */
export function daysToCover({ from, until }: Window): { readonly first: string; readonly last: string } {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { first: day(from - ZONE_SLACK_MS), last: day(until + BOOKING_MS + ZONE_SLACK_MS + DAY_MS - 1) };
}

/** Why a payment may be missing that was made: where the statement begins, where it ends, or what it leaves in doubt. */
export type Gap = 'doubt' | 'begins_after_it' | 'ends' | 'begins';

/** undefined: a payment made in the window would stand in the statement for certain. */
export function gapOf(span: StatementSpan, window: Window): Gap | undefined {
  // The sandbox writes its book at once, with exact times.
  if (span.wholeUntil !== undefined) return span.wholeUntil < window.until ? 'ends' : undefined;
  if (span.doubt !== undefined) return 'doubt';
  // In any zone, and even on the last day of the window.
  if (span.from - ZONE_SLACK_MS > window.until) return 'begins_after_it';
  if (span.until - ZONE_SLACK_MS < window.until + BOOKING_MS) return 'ends';
  return span.from + ZONE_SLACK_MS > window.from ? 'begins' : undefined;
}
