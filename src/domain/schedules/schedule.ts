/**
 * A schedule: when which file is paid, without a person. Which of its runs is next, and for which period.
 *
 * Why:     every run that was missed is made up for under its own name, the oldest first and one after another. Runs of
 *          one batch that were missed count as one: running a batch again pays nothing twice.
 */
import { plusMs, type Timestamp } from '../timestamp.ts';
import { withPeriod } from './period-words.ts';

export interface Schedule {
  readonly name: string;
  /** Minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** An IANA name. */
  readonly zone: string;
  /** What is typed behind `payfile`, with the words of a period: `run`, the file, flags. */
  readonly words: readonly string[];
  /** The name of the batch, with the words of a period. */
  readonly batch: string;
  /** Who added it, on which machine. */
  readonly by: string;
  readonly addedAt: Timestamp;
  /** Of everything that was due until then a run was begun, or passed over. */
  readonly begunUntil: Timestamp;
}

/** One run, for one period. */
export interface ScheduledRun {
  readonly schedule: string;
  readonly batch: string;
  readonly words: readonly string[];
  readonly dueAt: Timestamp;
  readonly zone: string;
}

/** Older than this nothing is made up for: what was not paid then was paid otherwise, or is asked about. */
const MISSED_MS_MAX = 100 * 86_400_000;
/** Of a schedule that is due every minute, a day. What is left is looked at the next time. */
const TIMES_MAX = 1_440;

export const SCHEDULE_NAME_RULE = '1 to 60 letters, digits, -, _ and dots, not a sign first';

export function isScheduleName(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,59}$/.test(name);
}

export function runAt({ name, batch, words, zone }: Schedule, dueAt: Timestamp): ScheduledRun {
  const at = (text: string) => withPeriod(text, dueAt, zone);
  return { schedule: name, batch: at(batch), words: words.map(at), dueAt, zone };
}

/** The run that is due and was not begun, the oldest first. `after`: when the schedule is due first after a moment. */
export function owedRun(
  schedule: Schedule,
  now: Timestamp,
  after: (moment: Timestamp) => Timestamp | undefined,
): ScheduledRun | undefined {
  const from = Math.max(schedule.begunUntil, plusMs(now, -MISSED_MS_MAX)) as Timestamp;
  let owed: ScheduledRun | undefined;
  let due = after(from);
  for (let times = 0; due !== undefined && due <= now && times < TIMES_MAX; times += 1) {
    const run = runAt(schedule, due);
    if (owed !== undefined && owed.batch !== run.batch) break;
    owed = run;
    due = after(due);
  }
  return owed;
}
