/**
 * A worker: begins the runs that are due, takes one after another and has them done, until it is stopped.
 *
 * Why:     a run that was cut off is not begun again by itself. It is told as one to run again; so a person looks first,
 *          or the next time of its schedule comes. What was sent is in the ledger either way.
 */
import type { Money } from '../../domain/money/money.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { owedRun, type ScheduledRun } from '../../domain/schedules/schedule.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DueAfter, TakenRun, WorkQueue } from '../../ports/work-queue.ts';
import { isOfServer } from '../fleet/server-away.ts';

export interface RunDone {
  readonly exitCode: ExitCode;
  readonly sentence?: string | undefined;
}

export type WorkerEvent =
  /** The queue is open. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'begins'; readonly run: ScheduledRun }
  | ({ readonly kind: 'ended'; readonly run: ScheduledRun } & RunDone)
  /** It is due, and the configuration does not say what it may pay. */
  | { readonly kind: 'unlimited'; readonly run: ScheduledRun }
  /** It was cut off, and rows of it may be left. */
  | { readonly kind: 'died'; readonly run: ScheduledRun }
  /** The server gave no answer; asked again after `waitMs`. */
  | { readonly kind: 'away'; readonly reason: string; readonly waitMs: number }
  | { readonly kind: 'back' };

export interface WorkerPorts {
  readonly queue: WorkQueue;
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>;
  readonly dueAfter: DueAfter;
  /** What each run of a schedule may pay, by its name. */
  readonly ceilings: ReadonlyMap<string, readonly Money[]>;
  /** Whether rows of it wait to be sent, as far as the ledger knows. */
  readonly isLeft: (run: ScheduledRun) => Promise<boolean>;
}

export interface Working {
  /** Ends when nothing is due any more. */
  readonly once: boolean;
  readonly signal: AbortSignal | undefined;
  readonly perform: (run: ScheduledRun, ceilings: readonly Money[]) => Promise<RunDone>;
  readonly tell: (event: WorkerEvent) => void;
}

const LOOK_MS = 2_000;
/** Where nobody woke it, such as after a crash of whoever does. */
const BEGIN_MS = 60_000;
const AWAY_MS_MIN = 1_000;
const AWAY_MS_MAX = 30_000;
/** How often the end of a run is written down, before it is left to be listed as cut off. */
const END_TRIES = 5;

export async function workOff(ports: WorkerPorts, working: Working): Promise<void> {
  const { clock } = ports;
  const { once, signal, tell } = working;
  const told = new Set<string>();
  let beginAt = Number.NEGATIVE_INFINITY;
  let awayMs = 0;
  while (signal?.aborted !== true) {
    try {
      if ((await ports.queue.isDue()) || clock.monotonicMs() >= beginAt) {
        await beginDue(ports, tellOnce(told, tell));
        beginAt = clock.monotonicMs() + BEGIN_MS;
      }
      const taken = await ports.queue.take();
      if (awayMs > 0) tell({ kind: 'back' });
      awayMs = 0;
      if (taken !== undefined) {
        await doRun(taken, ports, working);
        // Of several that were missed the next is due now.
        beginAt = Number.NEGATIVE_INFINITY;
        continue;
      }
    } catch (error) {
      if (once || !isOfServer(error)) throw error;
      awayMs = Math.min(Math.max(AWAY_MS_MIN, awayMs * 2), AWAY_MS_MAX);
      tell({ kind: 'away', reason: error.message, waitMs: awayMs });
    }
    if (once) return;
    await clock.sleep(awayMs || LOOK_MS, signal).catch(() => undefined);
  }
}

async function beginDue(
  { queue, ceilings, dueAfter, isLeft }: WorkerPorts,
  tell: Working['tell'],
): Promise<void> {
  for (const run of await queue.died()) if (await isLeft(run)) tell({ kind: 'died', run });
  const unlimited: ScheduledRun[] = [];
  await queue.begin((schedule, now) => {
    const run = owedRun(schedule, now, (moment) => dueAfter(schedule.cron, schedule.zone, moment));
    if (run === undefined || ceilings.has(schedule.name)) return run;
    unlimited.push(run);
    return undefined;
  });
  for (const run of unlimited) tell({ kind: 'unlimited', run });
}

async function doRun(taken: TakenRun, { clock, ceilings }: WorkerPorts, working: Working): Promise<void> {
  const { run } = taken;
  const { perform, signal, tell } = working;
  tell({ kind: 'begins', run });
  const limits = ceilings.get(run.schedule);
  const done = limits === undefined ? UNLIMITED : await performed(() => perform(run, limits));
  const isCutOff = done.exitCode === EXIT.bug || (signal?.aborted === true && done.exitCode !== EXIT.done);
  const isKnown = await ended(taken, { exitCode: done.exitCode, isCutOff }, clock);
  const sentence = isKnown
    ? done.sentence
    : `${done.sentence ?? ''} This worker was taken for dead meanwhile.`;
  tell({ kind: 'ended', run, exitCode: done.exitCode, sentence: sentence?.trim() });
}

const UNLIMITED: RunDone = {
  exitCode: EXIT.config,
  sentence: 'Nothing was done: the configuration of this worker does not say what the schedule may pay.',
};

async function performed(work: () => Promise<RunDone>): Promise<RunDone> {
  try {
    return await work();
  } catch (error) {
    return { exitCode: EXIT.bug, sentence: error instanceof Error ? error.message : String(error) };
  }
}

async function ended(
  taken: TakenRun,
  result: Parameters<TakenRun['end']>[0],
  clock: WorkerPorts['clock'],
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await taken.end(result);
    } catch (error) {
      if (tries >= END_TRIES || !isOfServer(error)) return false;
      await clock.sleep(AWAY_MS_MIN * tries);
    }
  }
}

/** Lines that stay true are said once. */
function tellOnce(told: Set<string>, tell: Working['tell']): Working['tell'] {
  return (event) => {
    const key = 'run' in event ? `${event.kind} ${event.run.schedule} ${event.run.dueAt}` : event.kind;
    if (told.has(key)) return;
    told.add(key);
    tell(event);
  };
}
