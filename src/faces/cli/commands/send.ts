/**
 * `payfile send BATCH`: sends what is approved, and nothing else. What was accepted is then on its way (exit
 * code 4) until `settle` has seen it finish.
 */
import { formatMoney } from '../../../domain/money/money.ts';
import type { ExitCode } from '../../../domain/reporting/exit-code.ts';
import type { SentBatch } from '../../../payfile.ts';
import { argument, type Call, type Opened } from '../call.ts';
import { refuseSameOutputs, refuseUnknownFormats } from '../check-outputs.ts';
import { endOfWork } from '../failure.ts';
import { openParts } from '../open-parts.ts';
import { showBatchEnd } from '../show/batch.ts';
import { endCodes, stopSentence, tellOlderReadings } from '../show/sent.ts';

export async function send(call: Call): Promise<ExitCode> {
  refuseUnknownFormats(call);
  const opened = await openParts(call);
  await refuseSameOutputs(opened, call);
  const { maxTotal: maxTotals, canary, deadline: deadlineMs, report: reports } = call.flags;
  const options = { maxTotals, canary, deadlineMs, reports, signal: call.stopping.signal };
  const work = () => opened.payfile.send(argument(call, 0), options);
  return endOfWork(work, (sent) => show(sent, opened, call), { opened, call });
}

function show(sent: SentBatch, opened: Opened, call: Call): Promise<ExitCode> {
  const { batch, overCeiling: over, codes: known, isDoneBefore, next } = sent;
  tellOlderReadings(sent, call);
  const sentence =
    over === undefined
      ? stopSentence(sent)
      : `The batch pays ${formatMoney(over.total)}, all runs together; --max-total does not allow that. This command sent nothing.`;
  const end = { batch, codes: endCodes(known, call), sentence, next, isDoneBefore };
  return showBatchEnd({ ...end, hasTable: over === undefined }, opened, call);
}
