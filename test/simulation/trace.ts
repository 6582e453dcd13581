/**
 * What happened in a history: the last lines for people, and a hash of all of them that shows whether two runs
 * of one seed went the same way. Lines hold nothing that another run could not repeat.
 */
const LINES_KEPT = 4_000;

export class Trace {
  readonly #lines: string[] = [];
  readonly #keepsLines: boolean;
  #hash = 0x811c9dc5;
  #count = 0;

  constructor(keepsLines: boolean) {
    this.#keepsLines = keepsLines;
  }

  add(atMs: number, who: string, what: string): void {
    const line = `${atMs.toFixed(0)} ${who} ${what}`;
    this.#count += 1;
    for (let index = 0; index < line.length; index += 1)
      this.#hash = Math.imul(this.#hash ^ line.charCodeAt(index), 0x01000193);
    if (!this.#keepsLines) return;
    if (this.#lines.length >= LINES_KEPT) this.#lines.splice(0, LINES_KEPT / 2);
    this.#lines.push(line);
  }

  hash(): string {
    return `${(this.#hash >>> 0).toString(16).padStart(8, '0')}-${this.#count}`;
  }

  lines(): readonly string[] {
    return this.#lines;
  }
}
