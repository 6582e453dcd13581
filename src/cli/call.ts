/**
 * One call of a command: its words, its flags, where it speaks, and how it is stopped.
 */
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

/** The n-th positional word, which the command's usage line made sure of. */
export function argument(call: Call, index: number): string {
  const word = call.args[index];
  if (word === undefined) throw new TypeError(`${call.command} has no argument ${index}`);
  return word;
}

/** A command to type next, with the flags of this call that decide which service and ledger it is about. */
export function typed(call: Pick<Call, 'flags'>, words: string): string {
  const { sandbox, ledger, config } = call.flags;
  const flag = (name: string, value: string | undefined) =>
    value === undefined ? '' : ` ${name} ${shellWord(value)}`;
  return `payfile ${words}${sandbox === true ? ' --sandbox' : ''}${flag('--ledger', ledger)}${flag('--config', config)}`;
}

/** A word that a shell takes as it stands, or the same in single quotes. */
export function shellWord(text: string): string {
  return /^[\w.,:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
