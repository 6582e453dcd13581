/**
 * When a transfer is looked at next. The first look comes when the service said it would be done; then less
 * and less often, with jitter so that a batch does not ask all at once. Running out of looks is no failure.
 */
import type { Policy } from './policy.ts';
import { plusMs, type Timestamp } from './timestamp.ts';

export interface PollMoment {
  readonly now: Timestamp;
  readonly sentAt: Timestamp;
  readonly speedSeconds: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

type Pace = Pick<Policy, 'pollMinMs' | 'pollMaxMs'>;

export function firstPollAt(moment: PollMoment, pace: Pace): Timestamp {
  return plusMs(moment.sentAt, Math.max(pace.pollMinMs, expectedMs(moment, pace)));
}

/** Half of what it is late by: so each wait is half as long again as the last, in every run, with nothing to remember. */
export function nextPollAt(moment: PollMoment, pace: Pace): Timestamp {
  const lateMs = moment.now - moment.sentAt - expectedMs(moment, pace);
  const delay = Math.min(Math.max(lateMs / 2, pace.pollMinMs), pace.pollMaxMs);
  return plusMs(moment.now, delay * (0.8 + 0.4 * moment.random));
}

function expectedMs({ speedSeconds }: PollMoment, pace: Pace): number {
  return Math.min((speedSeconds ?? 0) * 1000, pace.pollMaxMs);
}
