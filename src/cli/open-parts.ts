/** Opens payfile from the flags of a call. The end of the call closes everything. */
import { command } from '../domain/next-steps/command.ts';
import { type HostContext, type OpenRequest, openFor, payfileOf } from '../payfile.ts';
import { absolutePlaceOf, type Call, commandAsTyped, leaseHolder, type OpenedParts } from './call.ts';
import type { Flags } from './parse/flags.ts';
import { SETTING_FLAGS } from './parse/setting-flags.ts';
import { listenerFor } from './show/progress.ts';
import { createProgress } from './terminal/progress-line.ts';

export const STOPPING =
  'Stopping: payfile starts no new transfer and waits for transfers in flight. Press Ctrl-C again to stop at once.';

export async function openParts(call: Call): Promise<OpenedParts> {
  const isWorker = call.command === 'worker';
  const progress = createProgress(call.terminal, isWorker);
  let listen = listenerFor(call, progress);
  const parts = await openFor(requestOf(call), contextOf(call), {
    onProgress: (event) => listen(event),
    warn: (sentence) => call.terminal.talk(`Warning: ${sentence}`),
    say: (line) => call.terminal.talk(line),
    onEnd: call.onEnd,
  });
  call.stopping.onFirst(() => {
    progress.clear();
    // With workers, say so only after the ledger recorded the stop.
    if (progress.inFlight().workers === undefined) call.terminal.talk(STOPPING);
  });
  call.stopping.countInFlight(() => progress.inFlight());
  call.stopping.setNextCommand((workersContinue) => {
    const batch = progress.batch();
    return batch === undefined
      ? undefined
      : commandAsTyped(call, command(workersContinue ? 'pause' : 'status', [batch]));
  });
  if (isWorker) listen = await (await import('./show/worker-log.ts')).followWorker(call, listen);
  return { progress, payfile: payfileOf(parts) };
}

/** The open request from the flags of a call. */
export function requestOf({ command: verb, args, flags }: FlagsOfCall): OpenRequest {
  const { sandbox, overwrite, scenario, logLevel, logFile, statement, evidence } = flags;
  const { report = [], fixFile, output } = flags;
  const readsPayoutFile = verb === 'run' || verb === 'plan' || verb === 'check';
  const input = readsPayoutFile ? args[0] : undefined;
  const reads = [input === '-' ? '/dev/stdin' : input, statement, evidence];
  return {
    ...Object.fromEntries(SETTING_FLAGS.map((name) => [name, flags[name as keyof Flags]])),
    // `payfile sandbox` always uses the ledger of the sandbox.
    ...{ sandbox: sandbox || verb === 'sandbox', overwrite, scenario, logLevel, logFile },
    reads: reads.filter((path) => path !== undefined),
    writes: [...report, fixFile, output].filter((path) => typeof path === 'string'),
  };
}

type FlagsOfCall = Pick<Call, 'command' | 'args' | 'flags'>;

export function contextOf(call: Pick<Call, 'command' | 'context' | 'flags' | 'stopping'>): HostContext {
  const { context, stopping } = call;
  return { ...context, ...leaseHolder(call), place: absolutePlaceOf(call), stop: stopping.signal };
}
