/**
 * `payfile worker`: does what is asked for by others who share the ledger, beside other workers, and what schedules ask for,
 * one run after another; until it is stopped, with --once until nothing is due. Each scheduled run is the command `run`,
 * without a terminal and below the ceilings of the configuration.
 *
 * Exit:    with --once the strongest of its runs', 6 where one was cut off and waits to be run again; after a signal 143
 *          or 130.
 * --json: {runs: [{schedule, batch, due, exitCode, sentence}], cutOff: [{schedule, batch, due, again}], exitCode}.
 */
import { Writable } from 'node:stream';
import { formatDecimal, type Money } from '../../../domain/money/money.ts';
import { EXIT, type ExitCode, strongest } from '../../../domain/reporting/exit-code.ts';
import type { ScheduledRun } from '../../../domain/schedules/schedule.ts';
import { printable } from '../../../domain/text/printable.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import { monitoringOf, type RunDone, WORKER_QUEUES, type WorkerEvent } from '../../../payfile.ts';
import { anywhereOf, type Call, UsageError } from '../call.ts';
import { noticeText } from '../monitoring/notice.ts';
import { runFacts } from '../monitoring/run-facts.ts';
import { createWorkerMetrics } from '../monitoring/worker-metrics.ts';
import { contextOf, openParts, requestOf, STOPPING } from '../open-parts.ts';
import { scheduledRun } from '../parse/scheduled-run.ts';
import { nowOf } from '../process-context.ts';
import { againCommand, againText, workerLines } from './worker-lines.ts';

/** Of a worker that lives long the last runs are told at its end. */
const KEPT_MAX = 1_000;
export async function worker(call: Call): Promise<ExitCode> {
  const { queues: asked = WORKER_QUEUES, once = false, lanes } = call.flags;
  const queues = asked.map(queueOf);
  const { payfile } = await openParts(call);
  const { signal } = call.stopping;
  const metrics = await metricsOf(call);
  const ended: (RunDone & { readonly run: ScheduledRun })[] = [];
  const cutOff: ScheduledRun[] = [];
  const pages: Promise<void>[] = [];
  const lines = workerLines(call);
  call.stopping.onFirst(() =>
    call.terminal.talk(lines.isAtWork() ? STOPPING : 'Stopping: nothing is in flight.'),
  );
  await payfile
    .work({
      ...{ signal, once, queues, lanes },
      perform: (run, ceilings) => perform(run, ceilings, call),
      onProgress(event) {
        metrics?.progress(event);
        lines.progress(event);
      },
      onEvent(event) {
        metrics?.event(event);
        if (event.kind === 'ended') ended.push(event);
        // A worker may live for years.
        if (ended.length > KEPT_MAX) ended.shift();
        if (event.kind === 'died') cutOff.push(event.run);
        const text = lines.text(event);
        if (text === undefined) return;
        if (event.kind === 'ended') call.terminal.result(text);
        else call.terminal.talk(text);
        if (event.kind === 'died' || event.kind === 'unlimited') pages.push(page(event, text, call));
      },
    })
    .finally(() => metrics?.end());
  await Promise.all(pages);
  const codes = ended.map(({ exitCode }) => exitCode);
  const done = strongest(cutOff.length > 0 ? [...codes, EXIT.stopped] : codes);
  const exitCode = call.stopping.exitCode() ?? (once ? done : EXIT.done);
  call.terminal.answer({
    ...{ schemaVersion: 1, command: call.command, environment: payfile.environment, exitCode },
    runs: ended.map(({ run, exitCode: code, sentence }) => ({
      ...runJson(run),
      exitCode: code,
      sentence: sentence ?? null,
    })),
    cutOff: cutOff.map((run) => ({ ...runJson(run), again: againText(run, call) })),
  });
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
    const problem = await outside.changeMetrics(path, (before) => metrics.text(before, isAtWork));
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
  throw new UsageError(
    `--queues: there is no queue “${printable(name)}”; expected ${WORKER_QUEUES.join(', ')}.`,
  );
}

/** The run itself cannot tell anybody: it was cut off, or never began. */
async function page({ kind, run }: Paged, sentence: string, call: Call): Promise<void> {
  const outside = monitoringOf(requestOf(call), contextOf(call));
  if (outside.notify === undefined) return;
  const now = nowOf(call.context);
  const exitCode = kind === 'died' ? EXIT.stopped : EXIT.config;
  const ended = { isSandbox: call.flags.sandbox === true, exitCode, startedAt: now, endedAt: now };
  const steps = kind === 'died' ? { next: againCommand(run) } : {};
  const place = { ...anywhereOf(call), isUnattended: true };
  const facts = runFacts(
    { sentence, steps },
    { command: call.command, place, batchTyped: run.batch, ...ended },
  );
  const problem = await outside.send(outside.notify, noticeText(facts, call.context.host));
  if (problem !== undefined)
    call.terminal.talk(
      `No notification was sent: ${outside.notify.shown}: ${problem}. payfile doctor checks it.`,
    );
}

type Paged = Extract<WorkerEvent, { readonly kind: 'died' | 'unlimited' }>;

function runJson({ schedule, batch, dueAt }: ScheduledRun) {
  return { schedule, batch, due: formatTimestamp(dueAt) };
}

/** As the command line does it, in this process: with its metrics, its messages and its exit code. */
async function perform(run: ScheduledRun, ceilings: readonly Money[], call: Call): Promise<RunDone> {
  let words: readonly string[];
  try {
    words = [...run.words, ...ownFlags(run, ceilings, call)];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { exitCode: EXIT.usage, sentence: error.message };
  }
  const { main } = await import('../main.ts');
  const [stdout, stderr] = [collector(), collector()];
  const { stream: out, text } = stdout;
  const exitCode = await main(words, { ...call.context, stdout: out, stderr: stderr.stream });
  const { sentence, error } = documentIn(text());
  // What a person has to do stands there, in the words that cron would have mailed.
  if (exitCode !== EXIT.done)
    for (const line of stderr.text().split('\n').filter(Boolean)) call.terminal.talk(`  ${line}`);
  return { exitCode, sentence: sentence ?? error?.message };
}

/** Checked again: somebody may have changed the schedule in the database. */
function ownFlags(run: ScheduledRun, ceilings: readonly Money[], call: Call): readonly string[] {
  const { flags: asked, batch } = scheduledRun(run.words);
  if (batch !== run.batch) throw new UsageError('The schedule was changed by somebody else than payfile.');
  const { sandbox, scenario, config, ledger, logFile, logLevel, notify, metricsFile } = call.flags;
  const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [`${name}=${value}`]);
  return [
    ...['--json', '--quiet', '--no-color'],
    ...(sandbox === true ? ['--sandbox'] : []),
    ...flag('--scenario', scenario),
    ...flag('--config', config),
    ...flag('--ledger', ledger),
    ...flag('--log-file', logFile),
    ...flag('--log-level', logLevel),
    ...flag('--notify', notify),
    ...(asked.metricsFile === undefined ? flag('--metrics-file', metricsFile) : []),
    ...ceilings.flatMap((money) => ['--max-total', `${money.currency}=${formatDecimal(money)}`]),
  ];
}

function collector() {
  const chunks: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

interface Said {
  readonly sentence?: string;
  readonly error?: { readonly message?: string };
}

function documentIn(text: string): Said {
  try {
    return JSON.parse(text) as Said;
  } catch {
    return {};
  }
}
