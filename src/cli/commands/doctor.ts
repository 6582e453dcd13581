/**
 * `payfile doctor`: what is wrong with configuration, service, clock, ledger and the machine, and how to mend it. With
 * --quiet only what needs mending is shown.
 *
 * --json: {checks: [{what, isGood, text, mend}], exitCode}; 0, 5 (rows in doubt), 77 (credentials), 69 (service) or 78.
 */

import { EXIT, type ExitCode, strongest } from '../../domain/reporting/exit-code.ts';
import type { Check } from '../../payfile.ts';
import { type Call, typed } from '../call.ts';
import { failureOf } from '../failure.ts';
import { testNoticeText } from '../monitoring/notice.ts';
import { openParts } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';

interface ShownCheck {
  readonly what: string;
  readonly isGood: boolean;
  readonly text: string;
  readonly mend?: string | undefined;
  readonly code?: ExitCode | undefined;
}

export async function doctor(call: Call): Promise<ExitCode> {
  const environment = call.flags.sandbox === true ? 'sandbox' : 'live';
  const { context } = call;
  const { node, sqlite } = context.versions;
  const program = { what: 'Program', isGood: true, text: `Node ${node}, SQLite ${sqlite ?? 'unknown'}` };
  try {
    const { payfile } = await openParts(call);
    const { metricsFile, notify, tryNotify } = call.flags;
    const test = { environment, host: context.host, at: nowOf(context) } as const;
    const notice = tryNotify === true ? testNoticeText(test) : undefined;
    const { signal } = call.stopping;
    const checks = await payfile.doctor({ metricsFile, notify, notice, signal });
    return show([program, ...checks.map((check) => shownCheck(check, call))], environment, call);
  } catch (error) {
    // Without settings there is nothing else to look at.
    if (!(error instanceof Error) || error.name !== 'ConfigError') throw error;
    return show([program, { what: 'Settings', isGood: false, text: error.message }], environment, call);
  }
}

function shownCheck({ what, isGood, text, mend, mendBy, code, error }: Check, call: Call): ShownCheck {
  const shown = [mend, mendBy && typed(call, mendBy)].filter((part) => part !== undefined).join(': ');
  const said = shown === '' ? undefined : shown;
  if (error === undefined) return { what, isGood, text, mend: said, code };
  const { message, steps, exitCode } = failureOf(error, call);
  // Whoever reads this has just typed `doctor`.
  const next = steps.next?.verb === 'doctor' ? undefined : steps.next;
  const { andThen } = steps;
  const commands = [next && typed(call, next), andThen && typed(call, andThen)];
  const mending = commands.filter((each) => each !== undefined).join('; if you agree to it: ');
  const isOfLedger = what === 'Ledger' && next !== undefined;
  return {
    what,
    isGood,
    text: message,
    mend: said ?? (isOfLedger ? mending : undefined),
    code: exitCode,
  };
}

function show(checks: readonly ShownCheck[], environment: 'live' | 'sandbox', call: Call): ExitCode {
  const bad = checks.filter(({ isGood }) => !isGood);
  const exitCode = strongest(bad.map(({ code }) => code ?? EXIT.config));
  const { terminal } = call;
  for (const { what, isGood, text, mend } of terminal.isQuiet ? bad : checks) {
    terminal.print(`${isGood ? terminal.paint('✔', 'good') : terminal.paint('✖', 'bad')} ${what}: ${text}`);
    if (mend !== undefined) terminal.print(`    ${mend}`);
  }
  terminal.talk(
    bad.length === 0
      ? 'All is well.'
      : `${bad.length} of ${checks.length} ${bad.length === 1 ? 'needs' : 'need'} mending.`,
  );
  terminal.answer({ command: 'doctor', environment, exitCode, checks });
  return exitCode;
}
