/**
 * `payfile run FILE`: read, price, agree, send, settle, report. Safe to run again: each time it does what is
 * left to do.
 */

import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { argument, type Call } from '../call.ts';
import { endOfWork } from '../failure.ts';
import { fileRequest, refuseUnrunnable } from '../file-request.ts';
import { openParts } from '../open-parts.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { showRun } from '../show/run.ts';

export async function run(call: Call): Promise<ExitCode> {
  refuseUnrunnable(call, 'run');
  const opened = await openParts(call);
  const request = await fileRequest(call, opened);
  const {
    yes,
    maxTotal: maxTotals,
    maxDebit: maxDebits,
    canary,
    deadline: settleForMs,
    report: reports,
    fullAccounts,
  } = call.flags;
  const options = { ...request, yes, maxTotals, maxDebits, canary, settleForMs, reports, fullAccounts };
  const work = () => opened.payfile.run(argument(call, 0), options);
  return endOfWork(work, (done) => showRun(done, opened, call), {
    opened,
    call,
    again: fileCommand(call, 'run'),
  });
}
