/**
 * A worker: takes jobs of the queues that it serves, as many at once as it may, until it is stopped. A job that it cannot
 * end goes to another worker. If the service refuses the worker's password, the worker ends, and the run goes on elsewhere.
 *
 * Errors:  CredentialsRefused; with `once` those of the server.
 * Limits:  parts of sendings are bounded by lanes over all workers, and by this worker's own; other jobs by a small number.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fleet, Member, NewWorker, StageQueue, TakenJob } from '../../ports/fleet.ts';
import type { Log } from '../../ports/log.ts';
import { CredentialsRefused } from '../../ports/payment-service.ts';
import { ServerFailure } from '../../ports/server-place.ts';
import { doJob, type WorkerHands } from './do-work.ts';

interface ServedJob {
  readonly queue: StageQueue;
  readonly job: Pick<TakenJob, 'work' | 'part'>;
  /** What the batch is called, as a person types it. */
  readonly batch: string;
}

/** What a worker does: it begins work, ends it, or gives it back. */
export type ServeEvent =
  /** It opened the queue. */
  | { readonly kind: 'ready' }
  /** The server knows it; so it says again every few seconds. */
  | { readonly kind: 'seen'; readonly worker: NewWorker }
  | ({ readonly kind: 'took' } & ServedJob)
  /** What the job was for ended, however it ended. */
  | ({ readonly kind: 'finished' } & ServedJob)
  | ({ readonly kind: 'gave_back'; readonly reason: string } & ServedJob)
  | { readonly kind: 'away'; readonly reason: string; readonly waitMs: number }
  | { readonly kind: 'back' };

export interface Serving extends Omit<WorkerHands, 'lanes' | 'clock'> {
  readonly worker: NewWorker;
  /** Ends when nothing is to be done any more. */
  readonly once: boolean;
  readonly tell: (event: ServeEvent) => void;
  /** Only for whoever reads; never rejects, so that no job is lost for it. */
  readonly labelOf: (batch: BatchId) => Promise<string>;
}

interface ServingPorts {
  readonly fleet: Fleet;
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>;
  readonly log: Log;
}

const LOOK_MS = 250;
const BEAT_MS = 2_000;
const AWAY_MS_MIN = 1_000;
const AWAY_MS_MAX = 15_000;
/** What clears up comes first, what begins something new last. */
const AT_ONCE: readonly (readonly [StageQueue, number])[] = [
  ['recover', 2],
  ['settle', 4],
  ['send', Number.POSITIVE_INFINITY],
  ['price', 2],
  ['send-head', 4],
];
/** A worker waits the longer for its next lane the more it has, so that others get some. */
const LANE_MS = 300;

export async function serve(ports: ServingPorts, serving: Serving): Promise<void> {
  const { fleet, clock } = ports;
  const { worker, signal, once, tell } = serving;
  const member = await fleet.join(worker);
  const beats = beatOn(member, ports, () => tell({ kind: 'seen', worker }));
  const hands = openHands(member, ports, serving);
  let awayMs = 0;
  try {
    while (!signal.aborted) {
      if (hands.refusal() !== undefined) throw hands.refusal();
      let took = false;
      try {
        const waiting = await member.waiting();
        for (const [queue, most] of AT_ONCE)
          if (waiting.includes(queue) && worker.queues.includes(queue) && hands.count(queue) < most)
            took = (await hands.takeOne(queue)) || took;
        if (awayMs > 0) tell({ kind: 'back' });
        awayMs = 0;
      } catch (error) {
        if (once || !(error instanceof ServerFailure)) throw error;
        awayMs = Math.min(Math.max(AWAY_MS_MIN, awayMs * 2), AWAY_MS_MAX);
        tell({ kind: 'away', reason: error.reason, waitMs: awayMs });
      }
      if (once && !took && hands.areEmpty()) break;
      await clock.sleep(awayMs || (took ? 0 : LOOK_MS), signal).catch(() => undefined);
    }
  } finally {
    await hands.ended();
    beats.stop();
    await member.leave().catch(() => undefined);
  }
}

async function giveBack(
  job: TakenJob,
  why: ServedJob & { readonly reason: string },
  tell: Serving['tell'],
): Promise<void> {
  tell({ kind: 'gave_back', ...why });
  await job.fail(why.reason).catch(() => undefined);
}

/** The jobs that this worker has. */
function openHands(member: Member, { clock, log }: ServingPorts, serving: Serving) {
  const { worker, tell } = serving;
  const hands = { ...serving, clock, lanes: worker.lanes.all };
  const running = new Map<Promise<void>, StageQueue>();
  const count = (queue: StageQueue) => [...running.values()].filter((each) => each === queue).length;
  let nextLaneMs = Number.NEGATIVE_INFINITY;
  let refusal: CredentialsRefused | undefined;

  async function start(queue: StageQueue, job: TakenJob, after: () => Promise<void>): Promise<void> {
    const { work: asked, part } = job;
    const served = { queue, job: { work: asked, part }, batch: await serving.labelOf(asked.batchId) };
    tell({ kind: 'took', ...served });
    const work = doJob(queue, job, hands)
      .then(async (left) => {
        if (left === undefined) tell({ kind: 'finished', ...served });
        else await giveBack(job, { ...served, reason: left }, tell);
      })
      .catch(async (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        if (error instanceof CredentialsRefused) refusal = error;
        log.write('error', 'job_given_back', { queue, batch: asked.batchId, reason });
        await giveBack(job, { ...served, reason }, tell);
      })
      .finally(after)
      .catch(() => undefined)
      .finally(() => running.delete(work));
    running.set(work, queue);
  }

  async function takeInLane(): Promise<boolean> {
    const nowMs = clock.monotonicMs();
    if (count('send') >= worker.lanes.own || nowMs < nextLaneMs) return false;
    const lane = await member.takeLane();
    if (lane === undefined) return false;
    const job = await member.take('send').catch(async (error: unknown) => {
      await lane.release().catch(() => undefined);
      throw error;
    });
    if (job === undefined) await lane.release();
    // Counted before the next one is looked for.
    else await start('send', job, lane.release);
    nextLaneMs = nowMs + (job === undefined ? 0 : LANE_MS * count('send'));
    return job !== undefined;
  }

  return {
    count,
    /** Set when the service refused this worker's password. */
    refusal: () => refusal,
    areEmpty: () => running.size === 0,
    ended: () => Promise.allSettled(running.keys()),
    /** True when there was one. */
    async takeOne(queue: StageQueue): Promise<boolean> {
      if (queue === 'send') return takeInLane();
      const job = await member.take(queue);
      if (job !== undefined) await start(queue, job, async () => undefined);
      return job !== undefined;
    },
  };
}

/** Until it is stopped, also while jobs end after a signal. */
function beatOn(member: Member, { clock, log }: ServingPorts, onSeen: () => void) {
  const over = new AbortController();
  const beating = async () => {
    while (!over.signal.aborted) {
      await member.beat().then(onSeen, (error: unknown) => {
        log.write('warn', 'worker_not_seen', { reason: String(error) });
      });
      await clock.sleep(BEAT_MS, over.signal).catch(() => undefined);
    }
  };
  void beating();
  return { stop: () => over.abort() };
}
