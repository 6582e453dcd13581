/**
 * From a call's flags to the door. Everything is closed when the call is over.
 */
import { command } from '../domain/next-steps/command.ts';
import { type FaceContext, type OpenRequest, openFor, payfileOf } from '../payfile.ts';
import { anywhereOf, type Call, leaseHolder, mayAsk, type Opened, typed } from './call.ts';
import type { Flags } from './parse/flags.ts';
import { SETTING_FLAGS } from './parse/setting-flags.ts';
import { listenerFor } from './show/progress.ts';
import { createProgress } from './terminal/progress-line.ts';

export const STOPPING =
  'Stopping: nothing new is started; waiting for what is in flight. Press Ctrl-C again to stop at once.';

export async function openParts(call: Call): Promise<Opened> {
  const isWorker = call.command === 'worker';
  const progress = createProgress(call.terminal, isWorker);
  let hear = listenerFor(call, progress);
  const door = await openFor(requestOf(call), contextOf(call), {
    onProgress: (event) => hear(event),
    warn: (sentence) => call.terminal.talk(`Warning: ${sentence}`),
    say: (line) => call.terminal.talk(line),
    onEnd: call.onEnd,
  });
  call.stopping.onFirst(() => {
    progress.clear();
    // What is said of workers is true only when the ledger has the stop.
    if (progress.inFlight().workers === undefined) call.terminal.talk(STOPPING);
  });
  call.stopping.countInFlight(() => progress.inFlight());
  call.stopping.nextWouldBe((goesOn) => {
    const batch = progress.batch();
    return batch === undefined ? undefined : typed(call, command(goesOn ? 'pause' : 'status', [batch]));
  });
  if (isWorker) hear = await (await import('./show/worker-log.ts')).followWorker(call, hear);
  return { progress, payfile: payfileOf(door) };
}

/** What the flags of a call ask for. */
export function requestOf({ command: verb, args, flags, context }: Asked): OpenRequest {
  const { sandbox, overwrite, scenario, logLevel, logFile, statement, evidence } = flags;
  const { report = [], fixFile, output } = flags;
  const isReader = verb === 'run' || verb === 'plan' || verb === 'check';
  const input = isReader ? args[0] : verb === 'mapping' ? args[2] : undefined;
  const reads = [input === '-' ? '/dev/stdin' : input, statement, evidence];
  return {
    ...Object.fromEntries(SETTING_FLAGS.map((name) => [name, flags[name as keyof Flags]])),
    // `payfile sandbox` is about the sandbox's ledger without saying so.
    ...{ sandbox: sandbox || verb === 'sandbox', overwrite, scenario, logLevel, logFile },
    reads: reads.filter((path) => path !== undefined),
    writes: [...report, fixFile, output].filter((path) => typeof path === 'string'),
    isAttended: mayAsk({ flags, context }),
  };
}

type Asked = Pick<Call, 'command' | 'args' | 'flags' | 'context'>;

export function contextOf(call: Pick<Call, 'command' | 'context' | 'flags' | 'stopping'>): FaceContext {
  const { context, stopping } = call;
  return { ...context, ...leaseHolder(call), place: anywhereOf(call), stop: stopping.signal };
}
