/** One call of a command: arguments, flags, terminal, and stop signals. */

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

/** The opened parts of a call. */
export interface OpenedParts {
  /** All operations. */
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
  /** Registers a closer. Closers run in reverse order when the command ends. */
  onEnd(close: () => Promise<void>): void;
}

/** Commands that cron runs. Only these write metrics and send notifications. */
export function worksOnBatch(command: string): boolean {
  return command === 'run' || command === 'send' || command === 'settle';
}

/** The n-th positional argument, which the usage line requires. Errors: TypeError if it is missing. */
export function argument(call: Call, index: number): string {
  const word = call.args[index];
  if (word === undefined) throw new TypeError(`${call.command} has no argument ${index}`);
  return word;
}

/** The part of a call that is known even if payfile could not parse the rest. */
export interface PartialCall {
  readonly flags: Pick<Flags, 'sandbox' | 'ledger' | 'config' | 'json' | 'quiet'> & {
    readonly names?: Readonly<Record<string, string>> | undefined;
  };
  readonly context: Pick<ProcessContext, 'env'> &
    Partial<Pick<ProcessContext, 'stdin' | 'stdout' | 'stderr'>>;
}

/** Service and ledger of a call, and whether payfile can ask a person. */
export function placeOf(call: PartialCall): Place {
  const { sandbox, ledger, config, names } = call.flags;
  const typed = Object.entries(names ?? {}).map((pair) => pair.join('='));
  const said = typed.length === 0 ? undefined : typed.join(',');
  return { sandbox, ledger, config, names: said, isUnattended: !mayAsk(call) };
}

/** Whether a person at a terminal can answer questions. */
export function mayAsk({ flags, context }: PartialCall): boolean {
  const { json, quiet } = flags;
  const { stdin, stdout, stderr, env } = context;
  const ci = env['CI'] ?? '';
  const isCi = ci !== '' && ci !== 'false' && ci !== '0';
  const isTerminal = stdin?.isTTY === true && stdout?.isTTY === true && stderr?.isTTY === true;
  return isTerminal && !isCi && json !== true && quiet !== true;
}

/** Like `placeOf`, with absolute paths, for reports and messages that people read in any folder. */
export function absolutePlaceOf(call: Pick<Call, 'flags' | 'context'>): Place {
  const { sandbox, ledger, config } = call.flags;
  const path = (given: string | undefined) => {
    if (given === undefined || given === ':memory:') return undefined;
    return isServerPlace(given) ? given : pathFromCwd(call, given);
  };
  return { sandbox, ledger: path(ledger), config: path(config) };
}

/** Text of a next command, with the flags of this call for service and ledger. */
export function commandAsTyped(call: PartialCall, shown: Command): string {
  return commandText(shown, placeOf(call));
}

/** Texts of the next commands. */
export function stepsAsTyped(call: PartialCall, steps: NextSteps): Steps {
  return stepsIn(placeOf(call), steps);
}

export function printSteps(steps: Steps, terminal: Pick<Terminal, 'talk'>): void {
  for (const line of stepLines(steps)) terminal.talk(line);
}

/** Prints a step. The command has its own line, so that users can paste it. The text stands above it. */
export function printStep(step: Step, place: Place, terminal: Pick<Terminal, 'talk'>): void {
  const { text, command, note } = step;
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  terminal.talk(`${sentence}${note === undefined ? '' : ` (${note})`}${command === undefined ? '' : ':'}`);
  const steps = isForLater(step) ? { andThen: command } : { next: command };
  printSteps(stepsIn(place, steps), terminal);
}

/** Resolves a typed path for this process. */
export function pathFromCwd({ context }: Pick<Call, 'context'>, path: string): string {
  return resolve(context.cwd, path);
}

export function leaseHolder({ command, context }: Pick<Call, 'command' | 'context'>) {
  const { pid, host, user } = context;
  return { pid, host, user, command: `payfile ${command}` };
}
