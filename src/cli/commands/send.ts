/**
 * `payfile send BATCH`: sends what is approved, and nothing else. What was accepted is then on its way (exit
 * code 4) until `settle` has seen it finish.
 */

import { command } from '../../domain/next-steps/command.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { stopSentence } from '../../operations/words/why-stopped.ts';
import type { SentBatch, WithEnd } from '../../payfile.ts';
import { argument, type Call, type Opened } from '../call.ts';
import { refuseSameOutputs, refuseUnknownFormats } from '../check-outputs.ts';
import { endOfWork } from '../failure.ts';
import { openParts } from '../open-parts.ts';
import { showEnded } from '../show/batch.ts';
import { LIFT_CANARY, overCeilingSentence } from '../show/why-stopped.ts';

export async function send(call: Call): Promise<ExitCode> {
  refuseUnknownFormats(call);
  const opened = await openParts(call);
  await refuseSameOutputs(opened, call);
  const { maxTotal: maxTotals, maxDebit: maxDebits, canary, deadline: deadlineMs } = call.flags;
  const { report: reports, fullAccounts } = call.flags;
  const { signal } = call.stopping;
  const options = { maxTotals, maxDebits, canary, deadlineMs, reports, fullAccounts, signal };
  const work = () => opened.payfile.send(argument(call, 0), options);
  return endOfWork(work, (sent) => show(sent, opened, call), {
    opened,
    call,
    again: command('send', [argument(call, 0)]),
  });
}

function show(sent: WithEnd<SentBatch>, opened: Opened, call: Call): ExitCode {
  const { overCeiling: over, hasTable, batchEnd } = sent;
  const sentence = over === undefined ? stopSentence(sent, LIFT_CANARY) : overCeilingSentence(over);
  return showEnded(batchEnd, { hasTable, sentence }, { opened, call });
}
