/**
 * `payfile send BATCH`: sends what is approved, and nothing else. What was accepted is then on its way (exit
 * code 4) until `settle` has seen it finish.
 */
import type { ExitCode } from '../../../domain/reporting/exit-code.ts';
import { command } from '../../../domain/steps/command.ts';
import type { SentBatch } from '../../../payfile.ts';
import { argument, type Call, type Opened } from '../call.ts';
import { refuseSameOutputs, refuseUnknownFormats } from '../check-outputs.ts';
import { endOfWork } from '../failure.ts';
import { openParts } from '../open-parts.ts';
import { showBatchEnd } from '../show/batch.ts';
import { overCeilingSentence, stopSentence, tellOlderReadings } from '../show/sent.ts';

export async function send(call: Call): Promise<ExitCode> {
  refuseUnknownFormats(call);
  const opened = await openParts(call);
  await refuseSameOutputs(opened, call);
  const { maxTotal: maxTotals, canary, deadline: deadlineMs, report: reports } = call.flags;
  const options = { maxTotals, canary, deadlineMs, reports, signal: call.stopping.signal };
  const work = () => opened.payfile.send(argument(call, 0), options);
  return endOfWork(work, (sent) => show(sent, opened, call), {
    opened,
    call,
    again: command('send', [argument(call, 0)]),
  });
}

function show(sent: SentBatch, opened: Opened, call: Call): Promise<ExitCode> {
  const { batch, overCeiling: over, codes, hasTable, isDoneBefore, next } = sent;
  tellOlderReadings(sent, call);
  const sentence = over === undefined ? stopSentence(sent) : overCeilingSentence(over);
  return showBatchEnd({ batch, codes, hasTable, sentence, next, isDoneBefore }, opened, call);
}
