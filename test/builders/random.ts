/**
 * Chance, all of it from one seed: the same seed gives the same numbers on every machine.
 *
 * Source:  sfc32 by Chris Doty-Humphrey, seeded by splitmix32.
 */

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  /** A whole number from the first to the last, both included. */
  between(first: number, last: number): number;
  chance(probability: number): boolean;
  pick<Value>(list: readonly Value[]): Value;
  /** A stream of its own, so that one user's draws do not move another's. */
  fork(): Random;
}

export function randomOf(seed: number): Random {
  const mix = splitMix(seed);
  let [a, b, c, counter] = [mix(), mix(), mix(), 1];
  const draw = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 12; warmUp += 1) draw();
  const next = () => draw() / 0x1_0000_0000;
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (first, last) => first + below(last - first + 1),
    chance: (probability) => next() < probability,
    pick(list) {
      if (list.length === 0) throw new RangeError('Nothing to pick from');
      // Inside the list by the line above; a value may be undefined itself.
      return list[below(list.length)] as (typeof list)[number];
    },
    fork: () => randomOf(draw()),
  };
}

function splitMix(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}
