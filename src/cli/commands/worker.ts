/**
 * `payfile worker`: does work of runs on a shared ledger, beside other workers, until it is stopped. With --once it
 * ends when no work is left.
 *
 * Exit:    143 or 130 after a signal; otherwise 0.
 * --json: {exitCode}.
 */
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { monitoringOf, WORKER_QUEUES } from '../../payfile.ts';
import type { Call } from '../call.ts';
import { createWorkerMetrics } from '../monitoring/worker-metrics.ts';
import { contextOf, openParts, requestOf, STOPPING } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';
import { workerLines } from './worker-lines.ts';

export async function worker(call: Call): Promise<ExitCode> {
  const { queues: asked = WORKER_QUEUES, once = false, lanes } = call.flags;
  const queues = asked.map(queueOf);
  const { payfile } = await openParts(call);
  const { signal } = call.stopping;
  const metrics = await metricsOf(call);
  const lines = workerLines(call);
  call.stopping.onFirst(() =>
    call.terminal.talk(lines.isAtWork() ? STOPPING : 'Stopping: nothing is in flight.'),
  );
  await payfile
    .work({
      ...{ signal, once, queues, lanes },
      onProgress(event) {
        metrics?.progress(event);
        lines.progress(event);
      },
      onEvent(event) {
        metrics?.event(event);
        const text = lines.text(event);
        if (text !== undefined) call.terminal.talk(text);
      },
    })
    .finally(() => metrics?.end());
  const exitCode = call.stopping.exitCode() ?? EXIT.done;
  const { environment } = payfile;
  call.terminal.answer({ command: call.command, environment, exitCode });
  return exitCode;
}

/** Often enough for a collector that looks every minute. */
const METRICS_MS = 15_000;

/** Written from now on until `end`. Errors: ReportUnwritable where the file may not be a metrics file. */
async function metricsOf(call: Call) {
  const outside = monitoringOf(requestOf(call), contextOf(call));
  const { metricsFile: path } = outside;
  if (path === undefined) return undefined;
  await outside.requireMetricsPlace(path);
  const metrics = createWorkerMetrics({ path, now: () => nowOf(call.context) });
  let isTold = false;
  const write = async (isAtWork: boolean) => {
    const problem = await outside.changeMetrics(path, () => metrics.text(isAtWork));
    if (problem !== undefined && !isTold)
      call.terminal.talk(`The metrics file ${path} could not be written: ${problem.reason}.`);
    isTold = problem !== undefined;
  };
  await write(true);
  const writing = setInterval(() => void write(true), METRICS_MS);
  const end = () => {
    clearInterval(writing);
    return write(false);
  };
  return { ...metrics, end };
}

function queueOf(name: string): (typeof WORKER_QUEUES)[number] {
  const known = WORKER_QUEUES.find((queue) => queue === name);
  if (known !== undefined) return known;
  throw new RequestRefused(
    `--queues: there is no queue “${printable(name)}”; expected ${WORKER_QUEUES.join(', ')}.`,
  );
}
