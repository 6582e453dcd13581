/** A command: its words, its flags, and where it is to be found. All of it but its name is loaded when it is needed. */

import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import type { HelpGroup } from '../../operations/listed.ts';
import type { Call } from '../call.ts';
import type { OptionSpec } from './option-spec.ts';

export type RunCommand = (call: Call) => Promise<ExitCode>;

/** What the help of all commands needs. */
export interface ListedCommand {
  readonly name: string;
  /** Undefined: it has a line of its own in the help of all. */
  readonly group: HelpGroup | undefined;
  readonly summary: string;
  declare(): Promise<CommandSpec>;
}

export interface CommandSpec {
  readonly usage: string;
  readonly options: readonly OptionSpec[];
  readonly load: () => Promise<RunCommand>;
}

/** `ledger move` → its verb and its action. */
export function wordsOf({ name }: { readonly name: string }) {
  const [verb = '', action] = name.split(' ');
  return { verb, action };
}
