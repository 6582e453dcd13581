/**
 * `payfile pause BATCH` and `payfile resume BATCH`: stop and allow new transfers of a batch, also from another
 * terminal. What is in flight ends by itself; a run never lifts a pause.
 *
 * `payfile resume --all`: everything was compared with a statement after the ledger was restored or accepted.
 *
 * --json: {batch, pause: {reason, by, at} | null, exitCode}.
 */
import { batchLabel } from '../../../domain/batches/batch.ts';
import { command, nextSteps } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { Paused, Resumed } from '../../../payfile.ts';
import { argument, type Call, tellSteps, typed, typedSteps, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';

export async function pause(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const paused = await payfile.pause(argument(call, 0), call.flags.reason);
  const said = 'is paused: nothing new is sent; what is in flight ends by itself.';
  return show(paused, said, call);
}

export async function resume(call: Call): Promise<ExitCode> {
  const [batch] = call.args;
  const isAll = call.flags.all === true;
  if ((batch === undefined) !== isAll)
    throw new UsageError('Name a batch, or say --all after a restore.', command('status'));
  const { payfile } = await openParts(call);
  if (isAll) return showAll(await payfile.resumeAll(), call);
  const resumed = await payfile.resume(argument(call, 0));
  const { pause: left } = resumed.batch;
  const now = left === undefined ? 'is no longer paused.' : `is still paused: ${printable(left.reason)}.`;
  return show(resumed, resumed.wasPaused ? now : 'was not paused.', call);
}

function showAll({ batches, environment }: Resumed, call: Call): ExitCode {
  const { terminal } = call;
  for (const batch of batches) terminal.result(`Batch ${batchLabel(batch)} is no longer paused.`);
  terminal.result('New batches are not paused.');
  tellSteps({ next: typed(call, command('status')) }, terminal);
  terminal.answer({
    command: call.command,
    environment,
    exitCode: EXIT.done,
    batches: batches.map(batchJson),
  });
  return EXIT.done;
}

function show({ batch, environment, ...paused }: Paused, said: string, call: Call): ExitCode {
  const { terminal } = call;
  terminal.result(`Batch ${batchLabel(batch)} ${said}`);
  const steps = typedSteps(call, nextSteps(paused.next, paused.andThen));
  tellSteps(steps, terminal);
  terminal.answer({
    command: call.command,
    environment,
    exitCode: EXIT.done,
    batch: batchJson(batch),
    pause: batch.pause ?? null,
    ...steps,
  });
  return EXIT.done;
}
