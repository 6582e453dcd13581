/**
 * The command was typed in a way that cannot be meant: what was seen, what was expected. Exit code 64.
 */
import type { Command } from '../../domain/next-steps/command.ts';

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
