/**
 * One call of a command: its arguments, its flags, its terminal, and how it is stopped.
 */

import { resolve } from 'node:path';
import { isServerPlace } from '../domain/batches/ledger-trust.ts';
import {
  type Command,
  commandText,
  isForLater,
  type NextSteps,
  type Place,
  type Step,
  type Steps,
  stepLines,
  stepsIn,
} from '../domain/next-steps/command.ts';
import type { Payfile } from '../payfile.ts';
import type { Flags } from './parse/flags.ts';
import type { ProcessContext } from './process-context.ts';
import type { Progress } from './terminal/progress-line.ts';
import type { Stopping } from './terminal/stopping.ts';
import type { Terminal } from './terminal/terminal.ts';

/** What a call works with. */
export interface Opened {
  /** Everything that can be done. */
  readonly payfile: Payfile;
  readonly progress: Progress;
}

export interface Call {
  readonly command: string;
  /** Positional words, in order. */
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly stopping: Stopping;
  readonly context: ProcessContext;
  /** Run in reverse order when the command is over, whatever came of it. */
  onEnd(close: () => Promise<void>): void;
}

/** Works on a batch at a service: what cron calls, and what monitors and pagers are told of. */
export function worksOnBatch(command: string): boolean {
  return command === 'run' || command === 'send' || command === 'settle';
}

/** The n-th positional argument. The usage line requires it; when it is missing all the same, TypeError. */
export function argument(call: Call, index: number): string {
  const word = call.args[index];
  if (word === undefined) throw new TypeError(`${call.command} has no argument ${index}`);
  return word;
}

/** What is known of a call that could not be read. */
export interface Typist {
  readonly flags: Pick<Flags, 'sandbox' | 'ledger' | 'config' | 'json' | 'quiet'>;
  readonly context: Pick<ProcessContext, 'env'> &
    Partial<Pick<ProcessContext, 'stdin' | 'stdout' | 'stderr'>>;
}

/** The service and the ledger of a call, and whether a person can be asked. */
export function placeOf(typist: Typist): Place {
  const { sandbox, ledger, config } = typist.flags;
  return { sandbox, ledger, config, isUnattended: !mayAsk(typist) };
}

/** Whether somebody sits there who can be asked. */
export function mayAsk({ flags, context }: Typist): boolean {
  const { json, quiet } = flags;
  const { stdin, stdout, stderr, env } = context;
  const ci = env['CI'] ?? '';
  const isCi = ci !== '' && ci !== 'false' && ci !== '0';
  const isTerminal = stdin?.isTTY === true && stdout?.isTTY === true && stderr?.isTTY === true;
  return isTerminal && !isCi && json !== true && quiet !== true;
}

/** The same for reports and messages, which are read in any folder. */
export function anywhereOf(call: Pick<Call, 'flags' | 'context'>): Place {
  const { sandbox, ledger, config } = call.flags;
  const path = (given: string | undefined) => {
    if (given === undefined || given === ':memory:') return undefined;
    return isServerPlace(given) ? given : pathFromCwd(call, given);
  };
  return { sandbox, ledger: path(ledger), config: path(config) };
}

/** A command to type next, with the flags of this call that decide which service and ledger it is about. */
export function typed(call: Typist, shown: Command): string {
  return commandText(shown, placeOf(call));
}

/** The same for what comes next and what comes then. */
export function typedSteps(call: Typist, steps: NextSteps): Steps {
  return stepsIn(placeOf(call), steps);
}

export function tellSteps(steps: Steps, terminal: Pick<Terminal, 'talk'>): void {
  for (const line of stepLines(steps)) terminal.talk(line);
}

/** The command stands alone behind its word, so that it can be pasted; what to look at first stands above it. */
export function tellStep(step: Step, place: Place, terminal: Pick<Terminal, 'talk'>): void {
  const { text, command, note } = step;
  terminal.talk(`${text}${note === undefined ? '' : ` (${note})`}${command === undefined ? '' : ':'}`);
  const steps = isForLater(step) ? { andThen: command } : { next: command };
  tellSteps(stepsIn(place, steps), terminal);
}

/** A path as it was typed, for this process to open. */
export function pathFromCwd({ context }: Pick<Call, 'context'>, path: string): string {
  return resolve(context.cwd, path);
}

export function leaseHolder({ command, context }: Pick<Call, 'command' | 'context'>) {
  const { pid, host, user } = context;
  return { pid, host, user, command: `payfile ${command}` };
}
