/**
 * Who works on what, where several machines share a ledger. It says nothing of money: whether something was sent, and
 * whether it may be, only the ledger knows.
 */
import type { Schedule, ScheduledRun } from '../domain/schedules/schedule.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { Fleet } from './fleet.ts';

/** A run that this process has taken. Until it ends the server is told every few seconds that the process is alive. */
export interface TakenRun {
  readonly run: ScheduledRun;
  /** False: this process was taken for dead meanwhile, and the run is listed as one that was cut off. */
  end(result: { readonly exitCode: number; readonly isCutOff: boolean }): Promise<boolean>;
}

export interface WorkQueue {
  readonly fleet: Fleet;
  /** By name. */
  schedules(): Promise<readonly Schedule[]>;
  /** False when there is one of this name. */
  addSchedule(schedule: Omit<Schedule, 'addedAt' | 'begunUntil'>): Promise<boolean>;
  /** Runs of it that wait are taken back. False when there is none of this name. */
  removeSchedule(name: string): Promise<boolean>;
  /**
   * Puts at most one run of each schedule into the queue, in one transaction with how far the schedule is then. None of a
   * schedule of which a run waits or is at work.
   */
  begin(
    owed: (schedule: Schedule, now: Timestamp) => ScheduledRun | undefined,
  ): Promise<readonly ScheduledRun[]>;
  /** Whether something came due since this was asked last. */
  isDue(): Promise<boolean>;
  /** The run that waits longest; undefined when none does. Of several processes one gets it. */
  take(): Promise<TakenRun | undefined>;
  /** Runs that were cut off: their process ended, fell silent or was stopped. Without those that were begun again. */
  died(): Promise<readonly ScheduledRun[]>;
  close(): Promise<void>;
}

/** When a schedule is due first after a moment. Errors: RangeError, saying what cannot be read. */
export type DueAfter = (cron: string, zone: string, moment: Timestamp) => Timestamp | undefined;
