/**
 * One call of the command line, from its words to its exit code. Nothing heavy is loaded before it is known
 * what is asked.
 *
 * --json: every command answers with one document {schemaVersion: 1, command, environment, exitCode, …};
 * when it could not do its work, with `error: {code, message, next}` instead of an answer.
 */
import { readFileSync } from 'node:fs';
import { personOfLogin } from '../domain/people/person.ts';
import { EXIT, type ExitCode, strongest } from '../domain/reporting/exit-code.ts';
import { anywhereOf, type Call, mayAsk, worksOnBatch } from './call.ts';
import type { MetricsBefore } from './monitoring/after-work.ts';
import type { Digest, Summary } from './monitoring/run-facts.ts';
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
  const spoken = createTerminal({
    ...{ stdout, stderr, env },
    json: has('--json'),
    quiet: has('--quiet'),
    color: !has('--no-color'),
  });
  // The last document goes into metrics, notifications and the short mail.
  const terminal: Terminal = {
    ...spoken,
    answer(document, told) {
      summary = told;
      spoken.answer(document);
    },
  };
  const stopping = listenForStop(context);
  const closers: (() => Promise<void>)[] = [];
  const onEnd = (close: () => Promise<void>) => void closers.push(close);
  const base = { terminal, stopping, context, onEnd };
  const { exitCode: performed, call, metricsBefore } = await perform(words, base, startedAt);
  // A bug that nobody caught must not look like success, whatever the command made of it.
  const exitCode = stopping.exitCode() === EXIT.bug ? strongest([performed, EXIT.bug]) : performed;
  for (const close of closers.reverse()) await close().catch(() => undefined);
  const told =
    call === undefined
      ? undefined
      : await tellOutside(call, { summary, exitCode, startedAt, endedAt: nowOf(context), metricsBefore });
  stopping.end();
  await terminal.end(exitCode, told?.digest, told?.said);
  return exitCode;
}

interface ToTell {
  readonly summary: Summary | undefined;
  readonly exitCode: ExitCode;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly metricsBefore: MetricsBefore | undefined;
}

interface Told {
  readonly digest: Digest | undefined;
  /** Lines that were written already, with --quiet too. */
  readonly said: number;
}

/** After everything is closed and durable: metrics, notification, and the text of a short mail. */
async function tellOutside(call: Call, { summary, metricsBefore, ...when }: ToTell): Promise<Told> {
  const [{ quietDigest, runFacts }, { afterWork }, { visibleText }] = await Promise.all([
    import('./monitoring/run-facts.ts'),
    import('./monitoring/after-work.ts'),
    import('../domain/text/printable.ts'),
  ]);
  const { command, flags, terminal } = call;
  const batchTyped = command === 'run' ? flags.batch : call.args[0];
  const place = { ...anywhereOf(call), isUnattended: !mayAsk(call) };
  const facts = runFacts(summary, { command, isSandbox: flags.sandbox === true, place, batchTyped, ...when });
  const said = await afterWork(call, facts, metricsBefore);
  for (const line of said) {
    if (terminal.isQuiet) call.context.stderr.write(`${visibleText(line)}\n`);
    else terminal.talk(line);
  }
  return { digest: quietDigest(summary, facts), said: said.length };
}

type Base = Pick<Call, 'terminal' | 'stopping' | 'context' | 'onEnd'>;

interface Performed {
  readonly exitCode: ExitCode;
  /** What could be read of a call that has a usage error; undefined when nothing could. */
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
    const exitCode = (await import('./failure.ts')).tellFailure(error, call, base);
    // Monitors are told of a call that failed before its work began, too.
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
