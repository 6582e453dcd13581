/**
 * Metrics of a running worker: jobs per queue, lanes, transfers per outcome, and its last heartbeat. Counters start at
 * zero with the process.
 */
import { type Dialogue, monitoringOf } from '../../payfile.ts';
import type { Call } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';
import { fileLabel, metric, type Sample, seconds } from './metrics-text.ts';

type Listener = NonNullable<Dialogue['onProgress']>;

interface WorkerMetrics {
  readonly hear: Listener;
  text(isAtWork: boolean): string;
}

/** Often enough for a collector that reads every minute. */
const METRICS_MS = 15_000;

/** Writes metrics until the call ends. Errors: ReportUnwritable if the path cannot hold metrics. */
export async function keepWorkerMetrics(call: Call): Promise<Listener> {
  const monitoring = monitoringOf(requestOf(call), contextOf(call));
  const { metricsFile: path } = monitoring;
  if (path === undefined) return () => undefined;
  await monitoring.requireMetricsPlace(path);
  const metrics = createWorkerMetrics({ path, now: () => nowOf(call.context) });
  let isReported = false;
  const write = async (isAtWork: boolean) => {
    const problem = await monitoring.changeMetrics(path, () => metrics.text(isAtWork));
    if (problem !== undefined && !isReported)
      call.terminal.talk(`The metrics file ${path} could not be written: ${problem.reason}.`);
    isReported = problem !== undefined;
  };
  await write(true);
  const writing = setInterval(() => void write(true), METRICS_MS);
  call.onEnd(() => {
    clearInterval(writing);
    return write(false);
  });
  return metrics.hear;
}

interface MetricsOptions {
  /** The metrics file. */
  readonly path: string;
  readonly now: () => number;
}

export function createWorkerMetrics({ path, now }: MetricsOptions): WorkerMetrics {
  const file = fileLabel(path);
  const startedAt = now();
  const [taken, ended, givenBack, transfers] = [counter(), counter(), counter(), counter()];
  let seen:
    | { readonly atMs: number; readonly lanes: { readonly own: number; readonly all: number } }
    | undefined;
  const underWay = (queue: string) => taken.of(queue) - ended.of(queue) - givenBack.of(queue);
  const one = (value: string): Sample[] => [[{ file }, value]];
  return {
    hear(progress) {
      if (progress.kind === 'moved' && progress.from === 'sending')
        transfers.add(progress.payout.state.status, 1);
      if (progress.kind !== 'worker') return;
      const { event } = progress;
      if (event.kind === 'seen') {
        const { lanes, queues } = event.worker;
        seen = { atMs: now(), lanes };
        for (const queue of queues) for (const each of [taken, ended, givenBack]) each.add(queue, 0);
      } else if (event.kind === 'took') taken.add(event.queue, 1);
      else if (event.kind === 'finished') ended.add(event.queue, 1);
      else if (event.kind === 'gave_back') givenBack.add(event.queue, 1);
    },
    text(isAtWork) {
      const lanes = seen && { in_use: underWay('send'), ...seen.lanes };
      return [
        metric(
          'payfile_worker_at_work',
          '1 from the start of a worker to its end; stays 1 if it was killed.',
          [...one(isAtWork ? '1' : '0')],
        ),
        metric(
          'payfile_worker_started_timestamp_seconds',
          'When the worker started, since 1970.',
          one(seconds(startedAt)),
        ),
        metric(
          'payfile_worker_seen_timestamp_seconds',
          'When the server of the ledger last got a heartbeat of the worker, since 1970.',
          seen === undefined ? [] : one(seconds(seen.atMs)),
        ),
        metric(
          'payfile_worker_lanes',
          'Parts sent at a time: by this worker now (in_use), its maximum (own), and the maximum of all workers (all).',
          Object.entries(lanes ?? {}).map(([which, value]) => [{ file, lanes: which }, value.toString()]),
        ),
        ...jobMetrics(file, { taken, ended, givenBack, underWay }),
        metric(
          'payfile_worker_transfers_total',
          'Rows that the worker sent, by outcome.',
          samplesBy('outcome', transfers, file),
        ),
      ].join('');
    },
  };
}

interface Jobs {
  readonly taken: Counter;
  readonly ended: Counter;
  readonly givenBack: Counter;
  readonly underWay: (queue: string) => number;
}

function jobMetrics(file: string, { taken, ended, givenBack, underWay }: Jobs): readonly string[] {
  const now = [...taken.all.keys()].map((queue): Sample => [{ file, queue }, underWay(queue).toString()]);
  const by = (jobs: Counter) => samplesBy('queue', jobs, file);
  return [
    metric('payfile_worker_jobs_under_way', 'Jobs that the worker has.', now),
    metric('payfile_worker_jobs_taken_total', 'Jobs that the worker took.', by(taken)),
    metric('payfile_worker_jobs_ended_total', 'Jobs that the worker ended.', by(ended)),
    metric(
      'payfile_worker_jobs_given_back_total',
      'Jobs that the worker returned for others.',
      by(givenBack),
    ),
  ];
}

function samplesBy(label: string, { all }: Counter, file: string): readonly Sample[] {
  return [...all].map(([key, value]) => [{ file, [label]: key }, value.toString()]);
}

type Counter = ReturnType<typeof counter>;

function counter() {
  const all = new Map<string, number>();
  const of = (key: string) => all.get(key) ?? 0;
  return { all, of, add: (key: string, more: number) => all.set(key, of(key) + more) };
}
