/**
 * `payfile settle BATCH`: looks up what became of the transfers until all are final or the deadline comes.
 * Running out of time is not a failure: the rows stay on their way (exit code 4).
 */
import { recoverBatch } from '../../application/recover-batch.ts';
import { type SettleResult, settleBatch } from '../../application/settle-batch.ts';
import { withLease } from '../../application/with-lease.ts';
import { orBusy } from '../../batch-busy.ts';
import { plusMs } from '../../domain/timestamp.ts';
import { argument, type Call } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findBatch } from '../find-batch.ts';
import { openParts } from '../open-parts.ts';
import { leaseHolder } from '../person.ts';
import { stopCodes } from '../run-end.ts';
import { requireService } from '../run-usage.ts';
import { showBatchEnd } from '../show-batch.ts';
import { refuseUnknownFormats } from '../write-reports.ts';

const DEADLINE_MS = 15 * 60_000;

export async function settle(call: Call): Promise<ExitCode> {
  refuseUnknownFormats(call);
  const opened = await openParts(call);
  requireService(opened.settings);
  const ledger = await opened.ledger();
  const batch = await findBatch(argument(call, 0), ledger, call);
  const world = await opened.world();
  const deadline = plusMs(world.clock.now(), call.flags.deadline ?? DEADLINE_MS);
  const { signal } = call.stopping;
  const settled = orBusy<SettleResult>(
    await withLease(batch.id, leaseHolder(call.command), world, async () => {
      await recoverBatch(batch.id, world);
      const { accepted } = await ledger.counts(batch.id);
      world.tell({ kind: 'stage', stage: 'settle', batchId: batch.id, total: accepted });
      return settleBatch(batch.id, world, { deadline, signal });
    }),
  );
  const codes = [...stopCodes(undefined, call), ...(settled.incidents.length > 0 ? [EXIT.inDoubt] : [])];
  return showBatchEnd({ batch, codes }, opened, call);
}
