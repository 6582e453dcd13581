/** Runs every small mutant of some files, and prints each one that no test catches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf } from '../builders/random.ts';
import { type Mutant, mutantsOf, mutate, shownMutant } from './mutants.ts';
import { isNamed, TARGETS, type Target } from './targets.ts';
import { type Benches, onBenches, type TestBench } from './test-bench.ts';
import type { Tries } from './try-named.ts';

const TIMEOUT_MS = 20_000;

export interface Choice {
  /** Part of the path of a file. */
  readonly only: string;
  /** At most so many mutants of each file, chosen by the seed. */
  readonly sample: number | undefined;
  readonly seed: number;
}

type Fate = 'killed' | 'survived' | 'timeout';
interface Tried {
  readonly target: Target;
  readonly source: string;
  readonly mutant: Mutant;
  readonly fate: Fate;
}

export async function trySmall(choice: Choice, benches: Benches): Promise<Tries> {
  const targets = TARGETS.filter(({ file }) => file.includes(choice.only));
  const work = targets.flatMap((target) => {
    const source = readFileSync(join(benches.root, target.file), 'utf8');
    return chosen(mutantsOf(source), choice).map((mutant) => ({ target, source, mutant }));
  });
  const tried: Tried[] = [];
  await onBenches(work, benches, async ({ target, source, mutant }, bench) => {
    const fate = await fateOf({ file: target.file, text: mutate(source, mutant) }, target, bench);
    tried.push({ target, source, mutant, fate });
  });
  const scores = targets.map((target) => report(target, tried));
  const survived = tried.filter((one) => one.fate === 'survived' && equivalentOf(one) === undefined);
  return { count: tried.length, survived: survived.length, isGood: scores.every(Boolean) };
}

async function fateOf(
  changed: { file: string; text: string },
  { tests }: Target,
  bench: TestBench,
): Promise<Fate> {
  for (const test of tests) {
    const result = await bench.run({ changed: [changed], test, titles: [] }, TIMEOUT_MS);
    if ('timedOut' in result) return 'timeout';
    const isRed = result.failed.length + result.unhandled.length > 0 || result.broken !== undefined;
    if (isRed) return 'killed';
  }
  return 'survived';
}

function report(target: Target, tried: readonly Tried[]): boolean {
  const mine = tried.filter((one) => one.target === target);
  const survivors = mine
    .filter(({ fate }) => fate === 'survived')
    .sort((one, other) => one.mutant.start - other.mutant.start);
  const unnamed = survivors.filter((one) => equivalentOf(one) === undefined);
  const timeouts = mine.filter(({ fate }) => fate === 'timeout').length;
  const counted = mine.length - (survivors.length - unnamed.length);
  const score = counted === 0 ? 100 : (100 * (counted - unnamed.length)) / counted;
  console.log(
    `${target.file}: ${mine.length} mutants, ${mine.length - survivors.length - timeouts} killed, ${timeouts} hung, ` +
      `${survivors.length - unnamed.length} equivalent, ${unnamed.length} survived: ${score.toFixed(1)} % (at least ${target.scoreMin} %)`,
  );
  for (const one of survivors) {
    const why = equivalentOf(one);
    console.log(
      `  ${why === undefined ? 'SURVIVED' : 'equivalent'} ${shownMutant(one.mutant)}${why === undefined ? '' : `  (${why})`}`,
    );
  }
  return score >= target.scoreMin;
}

function equivalentOf({ target, source, mutant }: Tried): string | undefined {
  return target.equivalents.find((named) => isNamed(named, mutant, source))?.why;
}

/** The same mutants for the same seed. */
function chosen(mutants: readonly Mutant[], { sample = mutants.length, seed }: Choice): readonly Mutant[] {
  const random = randomOf(seed);
  return mutants
    .map((mutant) => ({ mutant, order: random.next() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, sample)
    .map(({ mutant }) => mutant);
}
