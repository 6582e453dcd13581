/** A command: its words, flags and code. Everything except name and summary loads on demand. */

import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import type { ListedOperation } from '../../operations/listed.ts';
import type { Call } from '../call.ts';
import type { OptionSpec } from './option-spec.ts';

export type RunCommand = (call: Call) => Promise<ExitCode>;

/** The part that the main help needs. */
export interface ListedCommand extends Pick<ListedOperation, 'name' | 'group' | 'summary'> {
  declare(): Promise<CommandSpec>;
}

export interface CommandSpec {
  readonly usage: string;
  readonly options: readonly OptionSpec[];
  readonly load: () => Promise<RunCommand>;
}

/** Splits a name such as `ledger move` into verb and action. */
export function wordsOf({ name }: { readonly name: string }) {
  const [verb = '', action] = name.split(' ');
  return { verb, action };
}
