/**
 * `payfile send BATCH`: sends what is approved, and nothing else. What was accepted is then on its way (exit
 * code 4) until `settle` has seen it finish.
 */

import { formatMoney } from '../../../domain/money/money.ts';
import { plusMs } from '../../../domain/timestamp.ts';
import { planOf } from '../../../use-cases/approve/plan.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { overCeiling } from '../../../use-cases/run-batch.ts';
import { recoverBatch } from '../../../use-cases/send/recover-batch.ts';
import { type SendBatchResult, sendBatch } from '../../../use-cases/send/send-batch.ts';
import { orBusy, withLease } from '../../../use-cases/world.ts';
import { repeatsReleasedBefore } from '../ask-repeats.ts';
import { argument, type Call, leaseHolder, userName } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { endAfterFailure, hasMoved } from '../failure.ts';
import { openParts } from '../open-parts.ts';
import { canaryNext, stopCodes, stopSentence, tellReadAnew } from '../run-end.ts';
import { requireService } from '../run-usage.ts';
import { showBatchEnd } from '../show/batch.ts';
import { refuseUnknownFormats, requireReportPlaces } from '../write-reports.ts';
import { DEADLINE_MS } from './run.ts';

export async function send(call: Call): Promise<ExitCode> {
  refuseUnknownFormats(call);
  const opened = await openParts(call);
  requireService(opened.settings);
  await requireReportPlaces(opened, call);
  const ledger = await opened.ledger();
  const batch = await findBatch(argument(call, 0), ledger);
  const over = overCeiling(await planOf(batch.id, { ledger }), call.flags.maxTotal);
  if (over !== undefined) {
    const sentence = `The batch pays ${formatMoney(over.total)}, all runs together; --max-total does not allow that. This command sent nothing.`;
    return showBatchEnd({ batch, codes: [EXIT.needsPerson], sentence, hasTable: false }, opened, call);
  }
  const world = await opened.world();
  const repeatsReleased = await repeatsReleasedBefore(batch.id, world);
  const { signal } = call.stopping;
  try {
    const sent = orBusy<SendBatchResult>(
      await withLease(batch.id, leaseHolder(call), world, async (leaseLost) => {
        await recoverBatch(batch.id, world);
        const { approved } = await ledger.counts(batch.id);
        world.tell({ kind: 'stage', stage: 'send', batchId: batch.id, total: approved });
        const { canary: rows, deadline: patience = DEADLINE_MS } = call.flags;
        const canary = { rows, by: userName(call), deadline: () => plusMs(world.clock.now(), patience) };
        return sendBatch(batch.id, world, { signal, leaseLost, repeatsReleased, canary });
      }),
    );
    const moved = sent.movedRates.length > 0 ? [EXIT.needsPerson] : [];
    const readAnew = tellReadAnew(sent, call);
    const incidents = sent.incidents.length > 0 ? [EXIT.inDoubt] : [];
    const isSilent = world.patience?.ended() !== undefined && !(await hasMoved(batch, world));
    const sentence = stopSentence(sent);
    const next = canaryNext(sent, batch);
    return await showBatchEnd(
      {
        batch,
        codes: isSilent
          ? [EXIT.serviceUnavailable]
          : [...stopCodes(sent, call), ...moved, ...readAnew, ...incidents],
        isDoneBefore: isSilent,
        ...(sentence === undefined ? {} : { sentence }),
        ...(next === undefined ? {} : { next }),
      },
      opened,
      call,
    );
  } catch (error) {
    return endAfterFailure(error, { batch, world, opened, call });
  }
}
