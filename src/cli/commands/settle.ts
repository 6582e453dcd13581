/**
 * `payfile settle BATCH`: looks up what became of the transfers until all are final or the deadline comes.
 * Running out of time is not a failure: the rows stay on their way (exit code 4).
 *
 * With --watch-returns every settled row that is not too old gets one look when it is due, without waiting: run by
 * cron, it finds what came back. --json: as show-batch.ts says, and changes: [{rowNumber, from, to}].
 */

import { recoverBatch } from '../../application/recover-batch.ts';
import { type SettleResult, settleBatch } from '../../application/settle-batch.ts';
import { withLease } from '../../application/with-lease.ts';
import { orBusy } from '../../batch-busy.ts';
import { counted } from '../../domain/counted.ts';
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

const CHANGES_SHOWN = 50;
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
      return settleBatch(batch.id, world, { deadline, signal, watchReturnsMs: call.flags.watchReturns });
    }),
  );
  const codes = [...stopCodes(undefined, call), ...(settled.incidents.length > 0 ? [EXIT.inDoubt] : [])];
  if (call.flags.watchReturns !== undefined) tellChanges(settled.changes, call);
  return showBatchEnd({ batch, codes, json: { changes: settled.changes } }, opened, call);
}

/** Which rows stand elsewhere than at the last look. */
function tellChanges(changes: SettleResult['changes'], { terminal }: Call): void {
  if (changes.length === 0) terminal.result('Nothing changed since the last look.');
  for (const { rowNumber, from, to } of changes.slice(0, CHANGES_SHOWN))
    terminal.print(`Row ${rowNumber}: ${from} → ${to}`);
  if (changes.length > CHANGES_SHOWN)
    terminal.print(
      `… and ${counted(changes.length - CHANGES_SHOWN, 'more row', 'more rows')} changed (--json names them).`,
    );
}
