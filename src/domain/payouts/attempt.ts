/**
 * One request on the wire: when its transfer can have been made, which dates fit that, and from when on no answer can come.
 *
 * Units:   milliseconds since 1970-01-01T00:00:00Z.
 */
import { lateAnswerMs } from '../policy.ts';
import { type DateOrder, readDate, type WrittenDate, ZONE_SLACK_MS } from '../text/written-date.ts';
import { formatTimestamp, plusMs, type Timestamp } from '../timestamp.ts';
import type { Evidence } from './payout.ts';
import type { Sender } from './payout-event.ts';

export interface Window {
  readonly from: number;
  readonly until: number;
}

export function windowOf({ startedAt, endedAt }: Pick<Evidence, 'startedAt' | 'endedAt'>): Window {
  return { from: startedAt, until: Math.max(startedAt, endedAt) };
}

/** Whether something that happened in the window can carry this date. */
export function mayBeDated(date: WrittenDate, window: Window, laterMs = 0): boolean {
  const slack = date.hasZone ? 0 : ZONE_SLACK_MS;
  return date.until > window.from - slack && date.from <= window.until + slack + laterMs;
}

/** Sentences, empty when the service's date fits the attempt or when it shows none. */
export function dateDifference(seen: string | undefined, window: Window): readonly string[] {
  if (seen === undefined || seen.trim() === '') return [];
  const order: DateOrder = 'day_first';
  const date = readDate(seen, order);
  if (date === undefined) return [`date: the service shows “${seen}”, which is no date that can be read`];
  if (mayBeDated(date, window)) return [];
  const [from, until] = [window.from, window.until].map((at) =>
    formatTimestamp(at as Timestamp)
      .slice(0, 19)
      .replace('T', ' '),
  );
  return [
    `date: the service shows “${seen}”, in whatever zone; the request was under way ${from} to ${until} UTC`,
  ];
}

/** What a ruling “not paid” needs to know of a request that went out. */
export interface Attempt {
  readonly attempt: number;
  readonly startedAt: Timestamp;
  readonly sender: Sender;
  /** Its process wrote down that it gave up and closed the connection. */
  readonly isClosed: boolean;
  /** Its process is still on this machine, or may be. */
  readonly isRunning: boolean;
}

/**
 * How long after the sender's timeout an answer may still come, or a suspended process may wake up and write. A wrong
 * ruling “not paid” pays twice; waiting longer only costs minutes.
 */
const QUIET_MS = 10 * 60_000;

/**
 * The time after which no answer to the request can come. `patienceMs` is the sender's timeout. The sandbox has no real
 * money, so it adds no safety margin.
 */
export function noAnswerAfter(
  { startedAt, patienceMs }: { readonly startedAt: Timestamp; readonly patienceMs: number },
  { isSandbox }: { readonly isSandbox: boolean },
): Timestamp {
  const listened = patienceMs + lateAnswerMs(patienceMs);
  return plusMs(startedAt, isSandbox ? listened : Math.max(patienceMs + QUIET_MS, listened));
}
