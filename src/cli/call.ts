/**
 * One call of a command: its words, its flags, where it speaks, and how it is stopped.
 */
import { shellWord } from '../domain/shell-word.ts';
import type { Flags } from './flags.ts';
import type { Stopping } from './stopping.ts';
import type { Terminal } from './terminal.ts';

export interface Call {
  readonly command: string;
  /** Positional words, in order. */
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly stopping: Stopping;
  /** Run in reverse order when the command is over, whatever came of it. */
  onEnd(close: () => Promise<void>): void;
}

export { shellWord } from '../domain/shell-word.ts';

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

/** A command to type next, with the flags of this call that decide which service and ledger it is about. */
export function typed(call: Pick<Call, 'flags'>, words: string): string {
  return `payfile ${words}${placeWords(call.flags)}`;
}

/** These flags, each with a space before it. */
export function placeWords({ sandbox, ledger, config }: Call['flags']): string {
  const flag = (name: string, value: string | undefined) =>
    value === undefined ? '' : ` ${name} ${shellWord(value)}`;
  return `${sandbox === true ? ' --sandbox' : ''}${flag('--ledger', ledger)}${flag('--config', config)}`;
}
