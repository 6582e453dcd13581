/**
 * `payfile pause BATCH` and `payfile resume BATCH`: stop and allow new transfers of a batch, also from another
 * terminal. What is in flight ends by itself; a run never lifts a pause.
 *
 * --json: {batch, pause: {reason, by, at} | null, exitCode}.
 */
import { batchLabel } from '../../../domain/batches/batch.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import type { Paused } from '../../../payfile.ts';
import { argument, type Call, tellSteps, typed } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';

export async function pause(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const paused = await payfile.pause(argument(call, 0), call.flags.reason);
  const said = 'is paused: nothing new is sent; what is in flight ends by itself.';
  return show(paused, said, call);
}

export async function resume(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const resumed = await payfile.resume(argument(call, 0));
  return show(resumed, resumed.wasPaused ? 'is no longer paused.' : 'was not paused.', call);
}

function show({ batch, environment, ...paused }: Paused, said: string, call: Call): ExitCode {
  const { terminal } = call;
  terminal.result(`Batch ${batchLabel(batch)} ${said}`);
  const next = typed(call, paused.next);
  tellSteps({ next }, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: call.command,
    environment,
    exitCode: EXIT.done,
    batch: batchJson(batch),
    pause: batch.pause ?? null,
    next,
  });
  return EXIT.done;
}
