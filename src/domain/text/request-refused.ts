/**
 * A request that is incomplete, contradicts itself, or asks for something that is not allowed. Nothing was done. Exit
 * code 64.
 */
import type { Command } from '../next-steps/command.ts';
import { type Message, SaidError } from './message.ts';

/** The request is incomplete, contradicts itself, or asks for what is not allowed. Nothing was done. Exit code 64. */
export class RequestRefused extends SaidError {
  override readonly name = 'RequestRefused';
  readonly code = 'usage';
  /** What to do instead, where there is something. */
  readonly next: Command | undefined;
  /** The same with words that a person has to fill in. */
  readonly andThen: Command | undefined;
  /** Stands at the end of the message, behind a colon. */
  readonly ending: Command | undefined;
  constructor(message: string | Message, next?: Command, andThen?: Command, ending?: Command) {
    super(message);
    this.next = next;
    this.andThen = andThen;
    this.ending = ending;
  }
}
