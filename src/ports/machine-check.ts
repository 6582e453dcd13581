/** One check of what payfile needs here: settings, service, clock, ledger, machine. */
import type { Command } from '../domain/next-steps/command.ts';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import type { Message } from '../domain/text/message.ts';

export interface Check {
  readonly what: string;
  readonly isGood: boolean;
  readonly text: string | Message;
  /** What to do about it: in words, by a command to type, or both. */
  readonly fix?: string | Message | undefined;
  readonly fixBy?: Command | undefined;
  /** What stands behind a check that is not good, where it is not the set-up. */
  readonly code?: ExitCode | undefined;
  /** The thrown error; its message is shown in place of `text`. */
  readonly error?: unknown;
}
