/**
 * `payfile run FILE`: read, price, agree, send, settle, report. Safe to run again: each time it does what is
 * left to do.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { moneySentence, moneyText, whatBecame } from '../../operations/after-failure.ts';
import { argument, type Call, typedSteps } from '../call.ts';
import { failureOf, tellFailure } from '../failure.ts';
import { fileRequest, refuseUnrunnable } from '../file-request.ts';
import { openParts } from '../open-parts.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { showEnded } from '../show/batch.ts';
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
  let worked: Batch | undefined;
  try {
    const done = await opened.payfile.run(argument(call, 0), options);
    worked = done.batch;
    opened.progress.clear();
    return showRun(done, opened, call);
  } catch (error) {
    opened.progress.clear();
    const said = failureOf(error, call);
    const failure = { ...said, again: fileCommand(call, 'run'), worked };
    const after = await opened.payfile.call(whatBecame, {
      error,
      failure,
      report: [...(reports ?? [])],
      fullAccounts,
    });
    if (after?.kind !== 'ended') return tellFailure(error, call, call, after && moneyText(after));
    const sentence = `${moneySentence(after.end.money)} ${said.message}`;
    const broken = { code: said.code, message: said.message, steps: typedSteps(call, said.steps) };
    return showEnded(after.end, { sentence, error: broken }, { opened, call });
  }
}
