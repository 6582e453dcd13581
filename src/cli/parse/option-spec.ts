/** A flag with its help and its value. */
export interface OptionSpec {
  readonly flags: string;
  readonly text: string;
  /** `before` is the value from an earlier use of the same flag. */
  readonly parse?: (text: string, before: never) => unknown;
  /** Its value if the user types none. */
  readonly valueIfBare?: string;
}

/** `mayBePaid` → `--may-be-paid`. */
export const flagOf = (name: string) =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
