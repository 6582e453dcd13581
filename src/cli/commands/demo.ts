/**
 * `payfile demo`: pays a sample payroll in a sandbox of its own, in front of the person: one row is held for
 * its name, released with a reason, paid, and everything is accounted for. Its story fits one screen. May be run again
 * and again: every demo has a ledger of its own, and leaves it behind to be looked at.
 *
 * --json: what `run` answers for the last step. Exit code 0 when all went as told.
 */

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command, commandText } from '../../domain/next-steps/command.ts';
import type { Status } from '../../domain/payouts/payout.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { rowsText } from '../../domain/text/printable.ts';
import { release as releaseRows } from '../../operations/rows.ts';
import { run } from '../../operations/run.ts';
import type { attentionJson } from '../../operations/status.ts';
import { ReportUnwritable, SAMPLE_PAYROLL, settingsFor } from '../../payfile.ts';
import { type Call, pathFromCwd, tellSteps } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';
import { runOperation } from '../run-operation.ts';
import type { Terminal } from '../terminal/terminal.ts';

export async function demo(call: Call): Promise<ExitCode> {
  const { terminal } = call;
  const stamp = new Date(nowOf(call.context)).toISOString().replace(/[-:]/g, '').slice(0, 15);
  const ownSandbox = requestOf({ ...call, flags: { sandbox: true } });
  const { locations } = settingsFor(ownSandbox, contextOf(call));
  const folder = join(dirname(locations.sandboxLedger), 'demo');
  const ledger = call.flags.ledger ?? join(folder, `${stamp}-${call.context.pid}.db`);
  const out = call.flags.out ?? 'payfile-demo';
  makeFolder(out, call);
  const batch = `demo-${stamp}`;
  const flags = { ...call.flags, sandbox: true, yes: true, batch, ledger };
  const steps = { call: { ...call, flags }, terminal };

  terminal.talk(
    'A payroll of 24 people in five countries, paid in a sandbox on this machine: no real money.',
  );
  const first = await told(
    { ...steps, args: [SAMPLE_PAYROLL], expected: EXIT.exceptions },
    runOperation(run),
  );
  if (first.answer === undefined) return first.code;
  const [held] = rowsOf(first.answer);
  const { settled = 0 } = countsOf(first.answer);
  terminal.talk(
    `1. The file was run: ${rowsText(settled)} were paid, and row ${held?.row} waits for a person. ${held?.reason ?? ''}.`,
  );

  const reason = 'demo: both names are the same person';
  const releaseFlags = { ...flags, all: true, reason };
  const release = { ...steps, call: { ...call, flags: releaseFlags }, args: [batch], expected: EXIT.done };
  const released = await told(release, runOperation(releaseRows));
  if (released.answer === undefined) return released.code;
  terminal.talk('2. Somebody compared the two names and let the row go on, with a reason that is kept.');

  const report = ['csv', 'json', 'xlsx'].map((format) => join(out, `report.${format}`));
  const again = {
    ...steps,
    call: { ...call, flags: { ...flags, report } },
    args: [SAMPLE_PAYROLL],
    expected: EXIT.done,
  };
  const last = await told(again, runOperation(run));
  if (last.answer === undefined) return last.code;
  terminal.talk(`3. The same file was run again: row ${held?.row} was paid, and nobody was paid twice.\n`);
  const outcome = last.results.findLastIndex((text) => text.includes(String(last.answer?.['sentence'])));
  for (const text of last.results.slice(outcome).filter((each) => !each.startsWith('Report: ')))
    terminal.result(text);
  terminal.result(`Reports: ${report.join(', ')}`);
  const look = command('explain', [batch, held?.row ?? 5]);
  const own = command('run', [{ fillIn: 'FILE' }]);
  const next = commandText(look, { sandbox: true, ledger });
  tellSteps({ next, andThen: commandText(own, { sandbox: true }) }, terminal);
  terminal.answer(last.answer);
  return last.code;
}

interface Step {
  readonly call: Call;
  readonly terminal: Terminal;
  readonly args: readonly string[];
  readonly expected: ExitCode;
}

interface Told {
  readonly code: ExitCode;
  /** Its document; undefined when it did not end as it should: then everything it said was shown. */
  readonly answer: Answer | undefined;
  readonly results: readonly string[];
}

type Answer = Readonly<Record<string, unknown>>;

/** One step, of which only its progress is shown while all goes as it should. */
async function told(step: Step, work: (call: Call) => Promise<ExitCode>): Promise<Told> {
  const { call, terminal, args, expected } = step;
  const said: (() => void)[] = [];
  const results: string[] = [];
  let answer: Answer | undefined;
  const kept: Terminal = {
    ...terminal,
    print: (text) => void said.push(() => terminal.print(text)),
    talk: (text) => void said.push(() => terminal.talk(text)),
    result(text) {
      results.push(text);
      said.push(() => terminal.result(text));
    },
    answer(document) {
      answer = document;
    },
  };
  let code: ExitCode | undefined;
  try {
    code = await inScope({ ...call, terminal: kept, args }, work);
  } finally {
    if (code !== expected) for (const say of said) say();
  }
  if (code === expected) return { code, answer: answer ?? {}, results };
  if (answer !== undefined) terminal.answer(answer);
  return { code, answer: undefined, results };
}

function countsOf({ counts }: Answer): Readonly<Partial<Record<Status, number>>> {
  return (counts ?? {}) as Readonly<Partial<Record<Status, number>>>;
}

function rowsOf({ attention }: Answer): ReturnType<typeof attentionJson> {
  return (attention ?? []) as ReturnType<typeof attentionJson>;
}

/** One step with parts of its own, closed before the next begins. */
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
    throw new ReportUnwritable(`The folder ${path} cannot be made (${code}). Choose another with --out.`, {
      cause,
    });
  }
}
