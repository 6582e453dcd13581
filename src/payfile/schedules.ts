/**
 * Schedules, and a worker that does what they ask for. Both need a ledger on a server.
 *
 * Why:     a schedule stands in the database; what its runs may pay stands in the configuration, which only an
 *          administrator of the machine can write. Without that a schedule is not run.
 * Errors:  RequestRefused; LedgerError where the ledger is in a file.
 */
import { BATCH_NAME_RULE, batchLabel, isBatchName } from '../domain/batches/batch.ts';
import type { Money } from '../domain/money/money.ts';
import { command } from '../domain/next-steps/command.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { isZone, PERIOD_WORDS, unknownPeriodWords, withPeriod } from '../domain/schedules/period-words.ts';
import {
  isScheduleName,
  runAt,
  SCHEDULE_NAME_RULE,
  type Schedule,
  type ScheduledRun,
} from '../domain/schedules/schedule.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { type FleetSeen as SeenOnServer, WORKER_QUEUES, type WorkerQueue } from '../ports/fleet.ts';
import type { DueAfter, WorkQueue } from '../ports/work-queue.ts';
import { compose } from '../setup/compose.ts';
import { openWorkQueue, queueToLookAt, readerOfTimes, serverOf } from '../setup/work-queue.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { type ServeEvent, serve } from '../use-cases/fleet/serve.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import { type RunDone, type WorkerEvent, workOff } from '../use-cases/schedules/work-off.ts';
import { type Door, knownLedger } from './door.ts';
import { harmlessListener, unheard } from './listeners.ts';

export { WORKER_QUEUES } from '../ports/fleet.ts';
export type { ServeEvent } from '../use-cases/fleet/serve.ts';
export type { RunDone, WorkerEvent } from '../use-cases/schedules/work-off.ts';

export interface NewSchedule {
  readonly name: string;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** An IANA name, such as Africa/Nairobi. */
  readonly zone: string;
  /** What is typed behind `payfile`: `run`, the file, flags. */
  readonly words: readonly string[];
  /** The name of the batch, as it stands in the words: with a word such as `{yyyy-mm}`. */
  readonly batch: string;
}

export interface KnownSchedule extends Schedule {
  readonly next: ScheduledRun | undefined;
  /** What each of its runs may pay; undefined: it is not run. */
  readonly ceilings: readonly Money[] | undefined;
}

export interface WorkOptions {
  /** What it does; all of it unless told. `runs` are those of schedules. */
  readonly queues?: readonly WorkerQueue[] | undefined;
  /** Of the lanes that all workers share it takes at most so many at a time. */
  readonly lanes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends when nothing is due any more. */
  readonly once?: boolean | undefined;
  /** Does one run; it may pay no more than the ceilings. */
  readonly perform: (run: ScheduledRun, ceilings: readonly Money[]) => Promise<RunDone>;
  readonly onEvent?: ((event: WorkerEvent | ServeEvent) => void) | undefined;
  /** What becomes of rows that this worker has. */
  readonly onProgress?: Dialogue['onProgress'];
}

export interface FleetSeen extends SeenOnServer {
  /** By the settings of this process. */
  readonly ownRate: number | undefined;
}

const NOBODY: SeenOnServer = {
  workers: [],
  works: [],
  lanes: [],
  queues: [],
  pausedUntil: undefined,
  rate: undefined,
};

export interface ScheduleMethods {
  /** All schedules by name, each with its next run. */
  schedules(): Promise<readonly KnownSchedule[]>;
  /** Errors: RequestRefused for what cannot be meant, and for a name that is taken. */
  addSchedule(schedule: NewSchedule): Promise<KnownSchedule>;
  /** Runs of it that wait are taken back; one that is at work goes on. Errors: RequestRefused where there is none. */
  removeSchedule(name: string): Promise<void>;
  /** Who works with the ledger on the server, and what waits; where no worker was ever there, nobody and nothing. */
  fleet(): Promise<FleetSeen>;
  /**
   * Does stages of batches that others ask for, and parts of sendings, beside other workers. Begins and does runs that are
   * due, one after another, until the signal comes. Each missed period is made up for once and under its own name. A run
   * that is cut off is told and not begun again by itself.
   */
  work(options: WorkOptions): Promise<void>;
}

export function scheduleMethods(door: Door): ScheduleMethods {
  const { settings, user } = door;
  const known = (schedule: Schedule, after: DueAfter): KnownSchedule => {
    const due = nextOf(schedule, after, door.parts.clock.now());
    return {
      ...schedule,
      next: due && runAt(schedule, due),
      ceilings: settings.schedules.get(schedule.name),
    };
  };
  return {
    async schedules() {
      serverOf(settings);
      await knownLedger(door);
      const queue = await queueToLookAt(settings);
      if (queue === undefined) return [];
      const after = await readerOfTimes();
      return withQueue(queue, async () => (await queue.schedules()).map((each) => known(each, after)));
    },
    async fleet() {
      serverOf(settings);
      await knownLedger(door);
      const seen = (await (await door.parts.fleet())?.seen()) ?? NOBODY;
      return { ...seen, ownRate: settings.requestsPerSecond };
    },
    async addSchedule(schedule) {
      serverOf(settings);
      const after = await readerOfTimes();
      refuseUnusable(schedule, after, door.parts.clock.now());
      await knownLedger(door);
      return withQueue(await openWorkQueue(settings, { wakes: false }), async (queue) => {
        const added = await queue.addSchedule({ ...schedule, by: `${user}@${door.holder.host}` });
        if (!added)
          throw new RequestRefused(
            `There is a schedule ${schedule.name} already. Remove it first. Nothing was done.`,
            command('schedule', ['list']),
          );
        const found = (await queue.schedules()).find(({ name }) => name === schedule.name);
        if (found === undefined) throw new RequestRefused('Somebody removed the schedule at once.');
        return known(found, after);
      });
    },
    async removeSchedule(name) {
      serverOf(settings);
      await knownLedger(door);
      const queue = await queueToLookAt(settings);
      const isRemoved = queue && (await withQueue(queue, () => queue.removeSchedule(name)));
      if (isRemoved !== true)
        throw new RequestRefused(`There is no schedule ${name}.`, command('schedule', ['list']));
    },
    work: (options) => work(options, door),
  };
}

async function work(
  { signal, once = false, perform, onEvent = () => undefined, onProgress, ...options }: WorkOptions,
  door: Door,
): Promise<void> {
  const { settings, parts, holder } = door;
  const { queues = WORKER_QUEUES, lanes = settings.lanes } = options;
  serverOf(settings);
  await knownLedger(door);
  const [queue, dueAfter] = await Promise.all([openWorkQueue(settings, { wakes: true }), readerOfTimes()]);
  const ports = { queue, dueAfter, clock: parts.clock, ceilings: settings.schedules };
  const isLeft = (run: ScheduledRun) => hasRowsLeft(run, door);
  const failed = new AbortController();
  const ending = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const { fleet } = queue;
  const told = harmlessListener(onProgress);
  const { host, pid, user } = holder;
  const serving = {
    worker: {
      ...{ host, pid, user, queues, rate: settings.requestsPerSecond },
      lanes: { all: settings.lanes, own: lanes },
    },
    ...{ holder, signal: ending, once },
    tell: (event: ServeEvent) => unheard(() => onEvent(event)),
    async labelOf(id: BatchId) {
      const batch = await door
        .ledger()
        .then((ledger) => ledger.batch(id))
        .catch(() => undefined);
      return batch === undefined ? id : batchLabel(batch);
    },
    async ports(deadlineMs?: number) {
      const ports = await door.ports({}, deadlineMs);
      const tell: typeof ports.tell = (event) => {
        ports.tell(event);
        told(event);
      };
      return { ...ports, tell, fleet: undefined };
    },
  };
  // The embedded sandbox is of one process, so nobody can share its work.
  const isShared = settings.environment === 'live' && queues.some((name) => name !== 'runs');
  const endAll = (error: unknown) => {
    failed.abort(error);
    throw error;
  };
  onEvent({ kind: 'ready' });
  await withQueue(queue, async () => {
    const works = [
      ...(isShared ? [serve({ fleet, clock: parts.clock, log: parts.log }, serving)] : []),
      ...(queues.includes('runs')
        ? [workOff({ ...ports, isLeft }, { once, signal: ending, perform, tell: onEvent })]
        : []),
    ].map((each) => each.catch(endAll));
    const ended = await Promise.allSettled(works);
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  });
}

async function withQueue<Result>(
  queue: WorkQueue,
  work: (queue: WorkQueue) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

function nextOf({ cron, zone }: Schedule, after: DueAfter, now: Timestamp): Timestamp | undefined {
  try {
    return after(cron, zone, now);
  } catch {
    return undefined;
  }
}

const CRON_FIELDS = 5;

function refuseUnusable(
  { name, cron, zone, words, batch }: NewSchedule,
  after: DueAfter,
  now: Timestamp,
): void {
  if (!isScheduleName(name))
    throw refused(`A schedule cannot be called “${name}”; expected ${SCHEDULE_NAME_RULE}.`);
  if (!isZone(zone)) throw refused(`“${zone}” is no time zone; expected a name such as Africa/Nairobi.`);
  if (cron.trim().split(/\s+/).length !== CRON_FIELDS || /[=@]/.test(cron))
    throw refused(
      `The time is “${cron}”; expected five fields: minute, hour, day of the month, month, day of the week.`,
    );
  const [unknown] = words.flatMap(unknownPeriodWords);
  if (unknown !== undefined)
    throw refused(`${unknown} is no word of a period; expected one of ${PERIOD_WORDS.join(', ')}.`);
  if (withPeriod(batch, now, zone) === batch)
    throw refused(
      `The batch “${batch}” has no period, so the second run would belong to the first. Write one, such as ${batch}-{yyyy-mm}.`,
    );
  if (!isBatchName(withPeriod(batch, now, zone)))
    throw refused(`No batch can be called “${batch}”; expected ${BATCH_NAME_RULE}.`);
  try {
    if (after(cron, zone, now) === undefined) throw new RangeError('it never comes');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refused(`The time “${cron}” cannot be used: ${why}.`);
  }
}

function refused(text: string): RequestRefused {
  return new RequestRefused(`${text} Nothing was done.`);
}

/** By the ledger as it is now. What cannot be looked at is told. */
async function hasRowsLeft({ batch: name }: ScheduledRun, door: Door): Promise<boolean> {
  const parts = compose(door.settings, { log: { write: () => undefined }, clock: door.parts.clock });
  try {
    const ledger = await parts.ledger({ readOnly: true });
    const found = await ledger.findBatch(name);
    if (found.kind !== 'found' || found.batch.isImporting) return true;
    const { planned, quoted, approved, sending } = await ledger.counts(found.batch.id);
    return planned + quoted + approved + sending > 0;
  } catch {
    return true;
  } finally {
    await parts.close().catch(() => undefined);
  }
}
