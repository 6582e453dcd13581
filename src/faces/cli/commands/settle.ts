/**
 * `payfile settle BATCH`: looks up what became of the transfers until all are final or the deadline comes.
 * Running out of time is not a failure: the rows stay on their way (exit code 4).
 *
 * With --watch-returns every settled row that is not too old gets one look when it is due, without waiting: run by
 * cron, it finds what came back. A batch that ended with exceptions ends with 3 when something changed, else with 0.
 * A watch that could not ask every row that was due says so: 69 where the service gave no answer, 4 where the deadline came.
 * --json: as show/batch.ts says, and changes: [{rowNumber, from, to}], watch: {due, unanswered, notReached}.
 */

import { type Batch, batchLabel, batchOutcome } from '../../../domain/batches/batch.ts';
import { type Command, command } from '../../../domain/steps/command.ts';
import { counted, countText, rowsText } from '../../../domain/text/printable.ts';
import { plusMs } from '../../../domain/timestamp.ts';
import type { Ledger } from '../../../ports/ledger/ledger.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { recoverBatch } from '../../../use-cases/send/recover-batch.ts';
import { type SettleResult, settleBatch } from '../../../use-cases/settle/settle-batch.ts';
import { orBusy, withLease } from '../../../use-cases/world.ts';
import { argument, type Call, leaseHolder } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { endAfterFailure } from '../failure.ts';
import { openParts } from '../open-parts.ts';
import { stopCodes } from '../run-end.ts';
import { requireService } from '../run-usage.ts';
import { showBatchEnd } from '../show/batch.ts';
import { refuseSameOutputs, refuseUnknownFormats } from '../write-reports.ts';

const CHANGES_SHOWN = 50;
const DEADLINE_MS = 15 * 60_000;

export async function settle(call: Call): Promise<ExitCode> {
  refuseUnknownFormats(call);
  const opened = await openParts(call);
  requireService(opened.settings);
  await refuseSameOutputs(opened, call);
  const ledger = await opened.ledger();
  const batch = await findBatch(argument(call, 0), ledger);
  const world = await opened.world();
  const deadline = plusMs(world.clock.now(), call.flags.deadline ?? DEADLINE_MS);
  const { signal } = call.stopping;
  const { watchReturns: watchReturnsMs } = call.flags;
  try {
    const settled = orBusy<SettleResult>(
      await withLease(batch.id, leaseHolder(call), world, async () => {
        await recoverBatch(batch.id, world);
        const { accepted } = await ledger.counts(batch.id);
        world.tell({ kind: 'stage', stage: 'settle', batchId: batch.id, total: accepted });
        return settleBatch(batch.id, world, { deadline, signal, watchReturnsMs });
      }),
    );
    const isWatch = watchReturnsMs !== undefined;
    const codes = [
      ...stopCodes(undefined, call),
      ...(settled.incidents.length > 0 ? [EXIT.inDoubt] : []),
      ...(isWatch ? watchCodes(settled) : []),
    ];
    if (isWatch) tellChanges(settled, call);
    const unseen = unseenOf(settled);
    if (unseen !== undefined) call.terminal.print(unseen);
    const news = isWatch ? await newsOf(batch, settled, ledger) : {};
    const { changes, watch } = settled;
    const json = { changes, watch, ...(unseen === undefined ? {} : { sentence: unseen }) };
    const next = isWatch && unseen !== undefined ? { next: watchAgain(batch, watchReturnsMs) } : {};
    return await showBatchEnd({ batch, codes, json, ...news, ...next }, opened, call);
  } catch (error) {
    return endAfterFailure(error, { batch, world, opened, call });
  }
}

/**
 * A watch that is kept day after day tells of a return once: on the day it is seen. What was known before is in the
 * sentence, and no reason to call anybody again.
 */
async function newsOf(batch: Batch, { changes, watch }: SettleResult, ledger: Ledger) {
  const { exitCode, sentence } = batchOutcome(await ledger.counts(batch.id));
  const isWholeLook = watch.unanswered + watch.notReached === 0;
  if (!isWholeLook || changes.length > 0 || exitCode !== EXIT.exceptions) return {};
  return { isDoneBefore: true, sentence: `Known before: ${sentence}.` };
}

function watchCodes({ watch }: SettleResult): readonly ExitCode[] {
  if (watch.unanswered > 0) return [EXIT.serviceUnavailable];
  return watch.notReached > 0 ? [EXIT.onItsWay] : [];
}

/** Which rows stand elsewhere than at the last look. */
function tellChanges({ changes, watch }: SettleResult, { terminal }: Call): void {
  if (changes.length === 0 && watch.unanswered + watch.notReached === 0)
    terminal.result('Nothing changed since the last look.');
  for (const { rowNumber, from, to } of changes.slice(0, CHANGES_SHOWN))
    terminal.print(`Row ${rowNumber}: ${from} → ${to}`);
  if (changes.length > CHANGES_SHOWN)
    terminal.print(
      `… and ${counted(changes.length - CHANGES_SHOWN, 'more row', 'more rows')} changed (--json names them).`,
    );
}

/** “Nothing changed” is known of those rows alone that the service spoke about. */
function unseenOf({ watch: { due, unanswered, notReached } }: SettleResult): string | undefined {
  const unseen = unanswered + notReached;
  if (unseen === 0) return undefined;
  const why = [
    ...(unanswered > 0 ? [`${countText(unanswered)} got no answer from the service`] : []),
    ...(notReached > 0 ? [`the waiting ended before ${countText(notReached)}`] : []),
  ].join(', ');
  return `${countText(unseen)} of ${rowsText(due)} could not be asked (${why}): what became of them is not known. They are due again in minutes.`;
}

const HOUR_MS = 3_600_000;

function watchAgain(batch: Batch, watchReturnsMs: number): Command {
  const hours = Math.max(1, Math.ceil(watchReturnsMs / HOUR_MS));
  const time = hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
  return command('settle', [batchLabel(batch)], [['--watch-returns', time]]);
}
