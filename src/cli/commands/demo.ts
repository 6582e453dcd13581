/**
 * `payfile demo`: pays a sample payroll in its own sandbox. It holds one row for its name, releases it with a reason
 * and pays it. The output fits one screen. Every demo has its own ledger and keeps it.
 *
 * --json: the output of the last `run`. Exit code 0 if every step ended as expected.
 */

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command, commandText } from '../../domain/next-steps/command.ts';
import type { Status } from '../../domain/payouts/payout.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { rowsText } from '../../domain/text/printable.ts';
import type { attentionJson } from '../../operations/status.ts';
import { ReportUnwritable, SAMPLE_PAYROLL, settingsFor } from '../../payfile.ts';
import { type Call, pathFromCwd, printSteps } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { parseWords } from '../parse/program.ts';
import { nowOf } from '../process-context.ts';
import type { Terminal } from '../terminal/terminal.ts';

export async function demo(call: Call): Promise<ExitCode> {
  const { terminal, flags, context } = call;
  const stamp = new Date(nowOf(context)).toISOString().replace(/[-:]/g, '').slice(0, 15);
  const { locations } = settingsFor(requestOf({ ...call, flags: { sandbox: true } }), contextOf(call));
  const folder = join(dirname(locations.sandboxLedger), 'demo');
  const ledger = flags.ledger ?? join(folder, `${stamp}-${context.pid}.db`);
  const out = flags.out ?? 'payfile-demo';
  makeFolder(out, call);
  const batch = `demo-${stamp}`;
  const place = ['--sandbox', '--ledger', ledger];
  const pay = ['run', SAMPLE_PAYROLL, '--batch', batch, '--yes', ...place];

  terminal.talk('This pays 24 people in five countries in a sandbox on this machine. No real money moves.');
  const first = await runAsTyped(pay, EXIT.exceptions, call);
  if (first.answer === undefined) return first.code;
  const [held] = rowsOf(first.answer);
  const { settled = 0 } = countsOf(first.answer);
  terminal.talk(
    `1. payfile ran the file. It paid ${rowsText(settled)} and holds row ${held?.row} for a person. ${held?.reason ?? ''}.`,
  );

  const reason = 'demo: both names are the same person';
  const released = await runAsTyped(
    ['release', batch, '--all', '--reason', reason, ...place],
    EXIT.done,
    call,
  );
  if (released.answer === undefined) return released.code;
  terminal.talk('2. A person compared both names and released the row. The ledger keeps the reason.');

  const reports = ['csv', 'json', 'xlsx'].map((format) => join(out, `report.${format}`));
  const last = await runAsTyped([...pay, ...reports.flatMap((path) => ['--report', path])], EXIT.done, call);
  if (last.answer === undefined) return last.code;
  terminal.talk(`3. payfile ran the same file again and paid row ${held?.row}. It paid nobody twice.\n`);
  const outcome = last.results.findLastIndex((text) => text.includes(String(last.answer?.['sentence'])));
  for (const text of last.results.slice(outcome).filter((each) => !each.startsWith('Report: ')))
    terminal.result(text);
  terminal.result(`Reports: ${reports.join(', ')}`);
  const next = commandText(command('explain', [batch, held?.row ?? 5]), { sandbox: true, ledger });
  const andThen = commandText(command('run', [{ fillIn: 'FILE' }]), { sandbox: true });
  printSteps({ next, andThen }, terminal);
  terminal.answer({ ...last.answer, command: call.command });
  return last.code;
}

interface Step {
  readonly code: ExitCode;
  /** Its JSON document; undefined if the step failed and showed all its output. */
  readonly answer: Answer | undefined;
  readonly results: readonly string[];
}

type Answer = Readonly<Record<string, unknown>>;

/** Runs a command as if typed, with the other flags of the demo. Shows only progress unless the step fails. */
async function runAsTyped(words: readonly string[], expected: ExitCode, call: Call): Promise<Step> {
  const { terminal, context, flags } = call;
  const parsed = await parseWords(words, '', context.stdout.columns);
  if (parsed.kind !== 'call') throw new TypeError(`The demo typed no command: ${words.join(' ')}`);
  const keptOutput: (() => void)[] = [];
  const results: string[] = [];
  let answer: Answer | undefined;
  const kept: Terminal = {
    ...terminal,
    print: (text) => void keptOutput.push(() => terminal.print(text)),
    talk: (text) => void keptOutput.push(() => terminal.talk(text)),
    result(text) {
      results.push(text);
      keptOutput.push(() => terminal.result(text));
    },
    answer(document) {
      answer = document;
    },
  };
  const run = await parsed.load();
  const step = { command: parsed.command, args: parsed.args, flags: { ...flags, ...parsed.flags } };
  let code: ExitCode | undefined;
  try {
    code = await inScope({ ...call, ...step, terminal: kept }, run);
  } finally {
    if (code !== expected) for (const say of keptOutput) say();
  }
  if (code === expected) return { code, answer: answer ?? {}, results };
  if (answer !== undefined) terminal.answer({ ...answer, command: call.command });
  return { code, answer: undefined, results };
}

function countsOf({ counts }: Answer): Readonly<Partial<Record<Status, number>>> {
  return (counts ?? {}) as Readonly<Partial<Record<Status, number>>>;
}

function rowsOf({ attention }: Answer): ReturnType<typeof attentionJson> {
  return (attention ?? []) as ReturnType<typeof attentionJson>;
}

/** Runs one step with its own parts, and closes them before the next step. */
async function inScope(call: Call, step: (call: Call) => Promise<ExitCode>): Promise<ExitCode> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await step({ ...call, onEnd: (close) => void closers.push(close) });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

function makeFolder(path: string, call: Call): void {
  try {
    mkdirSync(pathFromCwd(call, path), { recursive: true });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new ReportUnwritable(`Cannot create the folder ${path} (${code}). Choose another with --out.`, {
      cause,
    });
  }
}
