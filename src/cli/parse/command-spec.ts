/** A command: its words, its flags, and where it is to be found. Its module is loaded only when it is called. */
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import type { Call } from '../call.ts';
import type { OptionSpec } from './option-spec.ts';

export type RunCommand = (call: Call) => Promise<ExitCode>;

export interface CommandSpec {
  readonly usage: string;
  readonly text: string;
  readonly options: readonly OptionSpec[];
  readonly load: () => Promise<RunCommand>;
}
