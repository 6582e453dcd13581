/** Sums by a key, in flat memory: how reports count. */

export type Mutable<Sum> = { -readonly [Key in keyof Sum]: Sum[Key] };

export class Tallies<Sum> {
  readonly #sums = new Map<string, Sum>();

  /** The sum of this key, to be added to. */
  of(key: string, first: () => Sum): Sum {
    const sum = this.#sums.get(key) ?? first();
    this.#sums.set(key, sum);
    return sum;
  }

  /** In the order of their keys. */
  all(): readonly Sum[] {
    return [...this.#sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }
}
