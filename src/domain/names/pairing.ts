/**
 * Pairs the words of two names: the same word first, then spellings, then initials. As many pairs as can be, so that
 * it makes no difference which of the two names comes first.
 */
import { type Likeness, likenessOf } from './spelling.ts';

export interface Pair {
  /** `same`: letter for letter, an initial included; `initial`: one side is the first letter of the other; `cut`: cut off. */
  readonly kind: 'same' | 'initial' | 'cut' | Likeness;
  /** Positions in the two names. */
  readonly left: number;
  readonly right: number;
}

export interface Pairing {
  /** By position in the left name. */
  readonly pairs: readonly Pair[];
  readonly leftOver: readonly number[];
  readonly rightOver: readonly number[];
}

type Words = readonly string[];

export function pairUp(left: Words, right: Words): Pairing {
  const pairs: Pair[] = [];
  let leftOver: readonly number[] = [...left.keys()];
  let rightOver: readonly number[] = [...right.keys()];
  const take = (fits: (one: string, other: string) => Pair['kind'] | undefined) => {
    const found = mostPairs(
      leftOver,
      rightOver,
      (one, other) => fits(left[one] ?? '', right[other] ?? '') !== undefined,
    );
    for (const [one, other] of found) {
      const kind = fits(left[one] ?? '', right[other] ?? '');
      if (kind !== undefined) pairs.push({ kind, left: one, right: other });
    }
    leftOver = leftOver.filter((at) => !found.some(([one]) => one === at));
    rightOver = rightOver.filter((at) => !found.some(([, other]) => other === at));
  };
  take((one, other) => (one === other ? 'same' : undefined));
  take((one, other) => (one.length > 1 && other.length > 1 ? likenessOf(one, other) : undefined));
  take((one, other) => (isInitialOf(one, other) || isInitialOf(other, one) ? 'initial' : undefined));
  return { pairs: pairs.sort((one, other) => one.left - other.left), leftOver, rightOver };
}

/** The largest set of pairs that fit, each position used once (augmenting paths; a name has few words). */
export function mostPairs(
  left: readonly number[],
  right: readonly number[],
  fits: (one: number, other: number) => boolean,
): readonly (readonly [number, number])[] {
  const takenBy = new Map<number, number>();
  const place = (one: number, seen: Set<number>): boolean =>
    right.some((other) => {
      if (seen.has(other) || !fits(one, other)) return false;
      seen.add(other);
      const before = takenBy.get(other);
      if (before !== undefined && !place(before, seen)) return false;
      takenBy.set(other, one);
      return true;
    });
  for (const one of left) place(one, new Set());
  return [...takenBy].map(([other, one]) => [one, other] as const);
}

/** The order of one name's words in the other: the same, with the last ones moved to the front, or mixed. */
export function orderOf({ pairs }: Pick<Pairing, 'pairs'>): 'same' | 'turned' | 'mixed' {
  const falls = pairs.filter(({ right }, at) => {
    const next = pairs[(at + 1) % pairs.length];
    return next !== undefined && next.right < right;
  }).length;
  if (falls > 1) return 'mixed';
  const [first] = pairs;
  return first === undefined || pairs.every(({ right }) => right >= first.right) ? 'same' : 'turned';
}

function isInitialOf(short: string, long: string): boolean {
  return short.length === 1 && /[a-z]/.test(short) && long.length > 1 && long.startsWith(short);
}
