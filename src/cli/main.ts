/**
 * Runs one call of the command line, from its words to its exit code. Loads heavy code only when it knows the command.
 *
 * --json: every command prints one document {schemaVersion: 1, command, environment, exitCode, …}. A failed command
 * prints `error: {code, message, next}` instead of a result.
 */
import { readFileSync } from 'node:fs';
import { personOfLogin } from '../domain/people/person.ts';
import { EXIT, type ExitCode, strongest } from '../domain/reporting/exit-code.ts';
import { absolutePlaceOf, type Call, mayAsk, worksOnBatch } from './call.ts';
import type { MetricsBefore } from './monitoring/after-work.ts';
import type { ShortOutput, Summary } from './monitoring/run-facts.ts';
import { nowOf, type ProcessContext } from './process-context.ts';
import type { Terminal } from './terminal/terminal.ts';

export async function main(words: readonly string[], given: ProcessContext): Promise<ExitCode> {
  const context = { ...given, user: personOfLogin(given.user, given.uid) };
  const { stdout, stderr, env } = context;
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    stdout.write(`${version()}\n`);
    return 0;
  }
  const [{ createTerminal }, { listenForStop }] = await Promise.all([
    import('./terminal/terminal.ts'),
    import('./terminal/stopping.ts'),
  ]);
  const has = (flag: string) => words.includes(flag);
  const startedAt = nowOf(context);
  let summary: Summary | undefined;
  const output = createTerminal({
    ...{ stdout, stderr, env },
    json: has('--json'),
    quiet: has('--quiet'),
    color: !has('--no-color'),
  });
  // Keeps the last summary for metrics, notifications and the short mail.
  const terminal: Terminal = {
    ...output,
    answer(document, given) {
      summary = given;
      output.answer(document);
    },
  };
  const stopping = listenForStop(context);
  const closers: (() => Promise<void>)[] = [];
  const onEnd = (close: () => Promise<void>) => void closers.push(close);
  const base = { terminal, stopping, context, onEnd };
  const { exitCode: performed, call, metricsBefore } = await perform(words, base, startedAt);
  // An uncaught bug must not look like success, even if the command succeeded.
  const exitCode = stopping.exitCode() === EXIT.bug ? strongest([performed, EXIT.bug]) : performed;
  for (const close of closers.reverse()) await close().catch(() => undefined);
  const notified =
    call === undefined
      ? undefined
      : await notifyMonitors(call, { summary, exitCode, startedAt, endedAt: nowOf(context), metricsBefore });
  stopping.end();
  await terminal.end(exitCode, notified?.shortOutput, notified?.linesWritten);
  return exitCode;
}

interface EndedCall {
  readonly summary: Summary | undefined;
  readonly exitCode: ExitCode;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly metricsBefore: MetricsBefore | undefined;
}

interface Notified {
  readonly shortOutput: ShortOutput | undefined;
  readonly linesWritten: number;
}

/** Writes metrics, sends the notification and builds the short mail. Runs after everything is closed and durable. */
async function notifyMonitors(call: Call, { summary, metricsBefore, ...when }: EndedCall): Promise<Notified> {
  const [{ runFacts, shortOutputOf }, { afterWork }, { visibleText }] = await Promise.all([
    import('./monitoring/run-facts.ts'),
    import('./monitoring/after-work.ts'),
    import('../domain/text/printable.ts'),
  ]);
  const { command, flags, terminal } = call;
  const batchTyped = command === 'run' ? flags.batch : call.args[0];
  const place = { ...absolutePlaceOf(call), isUnattended: !mayAsk(call) };
  const facts = runFacts(summary, { command, isSandbox: flags.sandbox === true, place, batchTyped, ...when });
  const said = await afterWork(call, facts, metricsBefore);
  for (const line of said) {
    if (terminal.isQuiet) call.context.stderr.write(`${visibleText(line)}\n`);
    else terminal.talk(line);
  }
  return { shortOutput: shortOutputOf(summary, facts), linesWritten: said.length };
}

type Base = Pick<Call, 'terminal' | 'stopping' | 'context' | 'onEnd'>;

interface Performed {
  readonly exitCode: ExitCode;
  /** The call. After a usage error, the part that could be read; undefined if there is none. */
  readonly call: Call | undefined;
  readonly metricsBefore?: MetricsBefore | undefined;
}

async function perform(words: readonly string[], base: Base, startedAt: number): Promise<Performed> {
  let call: Call | undefined;
  let metricsBefore: MetricsBefore | undefined;
  try {
    const { parseWords, refuseSecretFlags } = await import('./parse/program.ts');
    refuseSecretFlags(words);
    const { stdout } = base.context;
    const parsed = await parseWords(words, version(), stdout.columns);
    if (parsed.kind === 'help') {
      stdout.write(parsed.text);
      return { exitCode: 0, call };
    }
    call = { ...base, command: parsed.command, args: parsed.args, flags: parsed.flags };
    if (worksOnBatch(call.command))
      metricsBefore = await (await import('./monitoring/after-work.ts')).beforeWork(call, startedAt);
    const run = await parsed.load();
    return { exitCode: await run(call), call, metricsBefore };
  } catch (error) {
    const exitCode = (await import('./failure.ts')).printFailure(error, call, base);
    // Also notify monitors about a call that failed before its work started.
    const { callOfWords } = await import('./parse/program.ts');
    return { exitCode, call: call ?? callOfWords(words, base), metricsBefore };
  }
}

function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const parsed: unknown = JSON.parse(file);
  const isVersioned = parsed !== null && typeof parsed === 'object' && 'version' in parsed;
  return isVersioned ? String(parsed.version) : 'unknown';
}
