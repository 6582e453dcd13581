/**
 * One call of a command: its words, its flags, where it speaks, and how it is stopped.
 */

import { resolve } from 'node:path';
import { type Command, commandText, type NextSteps, type Place } from '../../domain/steps/command.ts';
import type { Surroundings } from './surroundings.ts';
import type { Stopping } from './terminal/stopping.ts';
import type { Terminal } from './terminal/terminal.ts';
import type { Flags } from './words/options.ts';

export interface Call {
  readonly command: string;
  /** Positional words, in order. */
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly stopping: Stopping;
  readonly surroundings: Surroundings;
  /** Run in reverse order when the command is over, whatever came of it. */
  onEnd(close: () => Promise<void>): void;
}

/** Works on a batch at a service: what cron calls, and what monitors and pagers are told of. */
export function isWorking(command: string): boolean {
  return command === 'run' || command === 'send' || command === 'settle';
}

/** The n-th positional word, which the command's usage line made sure of. */
export function argument(call: Call, index: number): string {
  const word = call.args[index];
  if (word === undefined) throw new TypeError(`${call.command} has no argument ${index}`);
  return word;
}

/** Which service and ledger a call is about. */
export function placeOf({ flags: { sandbox, ledger, config } }: Pick<Call, 'flags'>): Place {
  return { sandbox, ledger, config };
}

/** A command to type next, with the flags of this call that decide which service and ledger it is about. */
export function typed(call: Pick<Call, 'flags'>, shown: Command): string {
  return commandText(shown, placeOf(call));
}

/** The same for what comes next and what comes then. */
export function typedSteps(call: Pick<Call, 'flags'>, { next, andThen }: NextSteps): Steps {
  return { next: next && typed(call, next), andThen: andThen && typed(call, andThen) };
}

/** What is shown to be typed, on the screen and in --json. */
export interface Steps {
  /** Can be typed as it stands. */
  readonly next?: string | undefined;
  /** Has words in capitals, which a person fills in. */
  readonly andThen?: string | undefined;
}

/** The one place that says what to type. */
export function stepLines({ next, andThen }: Steps): readonly string[] {
  return [
    ...(next === undefined ? [] : [`Next: ${next}`]),
    ...(andThen === undefined ? [] : [`Then: ${andThen}`]),
  ];
}

export function tellSteps(steps: Steps, terminal: Pick<Terminal, 'talk'>): void {
  for (const line of stepLines(steps)) terminal.talk(line);
}

/** The command was typed in a way that cannot be meant: what was seen, what was expected. Exit code 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
  /** The command to type instead, when there is one. */
  readonly next: Command | undefined;
  /** The same with words that a person has to fill in. */
  readonly andThen: Command | undefined;
  constructor(message: string, next?: Command, andThen?: Command) {
    super(message);
    this.next = next;
    this.andThen = andThen;
  }
}

/**
 * Who is at work, as the ledger and the lease remember it.
 */

/** A path as it was typed, for this process to open. */
export function fromFolder({ surroundings }: Pick<Call, 'surroundings'>, path: string): string {
  return resolve(surroundings.cwd, path);
}

export function userName({ surroundings }: Pick<Call, 'surroundings'>): string {
  return surroundings.user;
}

export function leaseHolder({ command, surroundings }: Pick<Call, 'command' | 'surroundings'>) {
  const { pid, host, user } = surroundings;
  return { pid, host, user, command: `payfile ${command}` };
}
