/**
 * `payfile pause BATCH` and `payfile resume BATCH`: stop and allow new transfers of a batch, also from another
 * terminal. What is in flight ends by itself; a run never lifts a pause.
 *
 * --json: {batch, pause: {reason, by, at} | null, exitCode}.
 */
import { batchLabel } from '../../../domain/batches/batch.ts';
import { command } from '../../../domain/steps/command.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { argument, type Call, tellSteps, typed, userName } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';

export async function pause(call: Call): Promise<ExitCode> {
  return change(call, true);
}

export async function resume(call: Call): Promise<ExitCode> {
  return change(call, false);
}

async function change(call: Call, pauses: boolean): Promise<ExitCode> {
  const opened = await openParts(call);
  const ledger = await opened.ledger();
  const batch = await findBatch(argument(call, 0), ledger);
  const at = opened.parts.clock.now();
  const by = userName(call);
  if (pauses) await ledger.pause(batch.id, { reason: call.flags.reason ?? `asked for by ${by}`, by, at });
  else if (batch.pause !== undefined) await ledger.resume(batch.id, by, at);
  const { terminal } = call;
  const label = batchLabel(batch);
  const wasPaused = batch.pause !== undefined;
  const said = pauses
    ? `Batch ${label} is paused: nothing new is sent; what is in flight ends by itself.`
    : wasPaused
      ? `Batch ${label} is no longer paused.`
      : `Batch ${label} was not paused.`;
  terminal.result(said);
  const next = typed(call, command(pauses ? 'resume' : 'send', [label]));
  tellSteps({ next }, terminal);
  const now = await ledger.batch(batch.id);
  terminal.answer({
    schemaVersion: 1,
    command: call.command,
    environment: ledger.identity.environment,
    exitCode: EXIT.done,
    batch: batchJson(batch),
    pause: now?.pause ?? null,
    next,
  });
  return EXIT.done;
}
