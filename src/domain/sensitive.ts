/**
 * Text that must not be printed by accident: passwords, tokens, account numbers.
 *
 * Printing one in any way (String, JSON, inspect, template) shows a mask with at most the last four
 * characters. `reveal()` is called only where the text has to leave: a request, the ledger, a report.
 */
const inspect = Symbol.for('nodejs.util.inspect.custom');

export class Sensitive {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Every call to this is a place to review. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return maskOf(this.#text);
  }

  toJSON(): string {
    return maskOf(this.#text);
  }

  [inspect](): string {
    return maskOf(this.#text);
  }
}

/** `0241234567` → `••••4567`; anything of six characters or fewer shows nothing of itself. */
export function maskOf(text: string): string {
  return text.length > 6 ? `••••${text.slice(-4)}` : '••••';
}
