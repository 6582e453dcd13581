/** The command was typed in a way that cannot be meant: what was seen, what was expected. Exit code 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
  /** The command to type instead, when there is one. */
  readonly next: string | undefined;
  /** The same with words that a person has to fill in. */
  readonly andThen: string | undefined;
  constructor(message: string, next?: string, andThen?: string) {
    super(message);
    this.next = next;
    this.andThen = andThen;
  }
}
