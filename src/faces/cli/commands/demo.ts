/**
 * `payfile demo`: pays a sample payroll in a sandbox of its own, in front of the person: one row is held for
 * its name, released with a reason, paid, and everything is accounted for. May be run again and again: every
 * demo has a ledger of its own, and leaves it behind to be looked at.
 *
 * --json: what `run` answers for the last step. Exit code 0 when all went as told.
 */

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, commandText } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { ReportUnwritable, settingsFor } from '../../../payfile.ts';
import { type Call, pathFromCwd, tellSteps } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { release } from './decide-rows.ts';
import { run } from './run.ts';

const SAMPLE = fileURLToPath(new URL('../../../../samples/payroll.xlsx', import.meta.url));

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
  const silent: Terminal = { ...terminal, answer: () => undefined };

  terminal.talk(
    'A payroll of 24 people in five countries, paid in a sandbox on this machine: no real money.\n',
  );
  terminal.talk(
    'Step 1 of 3: pay the file. One name differs from the account holder’s, so that row will be held.\n',
  );
  const first = await inScope({ ...call, terminal: silent, args: [SAMPLE], flags }, run);
  if (first !== EXIT.exceptions) return first;

  terminal.talk('\nStep 2 of 3: somebody compared the two names and lets the row go on.\n');
  const reason = 'demo: both names are the same person';
  const releaseFlags = { ...flags, all: true, reason };
  const released = await inScope({ ...call, terminal: silent, args: [batch], flags: releaseFlags }, release);
  if (released !== EXIT.done) return released;

  terminal.talk(
    '\nStep 3 of 3: run the same file again. Only what is left is paid; nothing is paid twice.\n',
  );
  const report = ['csv', 'json', 'xlsx'].map((format) => join(out, `report.${format}`));
  const last = await inScope({ ...call, args: [SAMPLE], flags: { ...flags, report } }, run);
  terminal.talk(`\nThe reports are in ${out}/. The demo's ledger stays: ${ledger}`);
  const look = command('explain', [batch, 5]);
  terminal.talk(`Look around: ${commandText(look, { sandbox: true, ledger })}`);
  const own = command('run', [{ fillIn: 'FILE' }]);
  tellSteps({ andThen: commandText(own, { sandbox: true }) }, terminal);
  return last;
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
