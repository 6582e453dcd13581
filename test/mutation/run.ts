/**
 * Mutation testing: changes the payout machine, the classifier and money in every small way that is known, and
 * names each change that no test notices.
 *
 * Usage:   npm run mutation [-- --only PART-OF-FILE] [--sample N --seed S] [--workers N]
 * Exit:    1 when a file's score is below its least score.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf } from '../builders/random.ts';
import { type Mutant, mutantsOf, mutate, shownMutant } from './mutants.ts';
import { isNamed, TARGETS, type Target } from './targets.ts';
import { onBenches, type TestBench } from './test-bench.ts';
import { copyTree } from './test-tree.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** At most so many mutants of each file, chosen by the seed. */
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});

const TIMEOUT_MS = 20_000;

type Fate = 'killed' | 'survived' | 'timeout';
interface Tried {
  readonly target: Target;
  readonly source: string;
  readonly mutant: Mutant;
  readonly fate: Fate;
}

// An interrupt ends this process in order, so that its copies are removed.
process.once('SIGINT', () => process.exit(130));
// A copy of its own from beginning to end, whatever happens to the sources meanwhile.
const base = copyTree();
const startedMs = performance.now();
const targets = TARGETS.filter(({ file }) => file.includes(values.only ?? ''));
const work = targets.flatMap((target) => {
  const source = readFileSync(join(base.path, target.file), 'utf8');
  return chosen(mutantsOf(source)).map((mutant) => ({ target, source, mutant }));
});
const tried: Tried[] = [];
await onBenches(
  work,
  { count: Number(values.workers), root: base.path },
  async ({ target, source, mutant }, bench) => {
    const fate = await fateOf({ file: target.file, text: mutate(source, mutant) }, target, bench);
    tried.push({ target, source, mutant, fate });
  },
);
base.remove();
const scores = targets.map(report);
const seconds = Math.round((performance.now() - startedMs) / 1000);
const survived = tried.filter((one) => one.fate === 'survived' && equivalentOf(one) === undefined).length;
console.log(
  `mutation: ${tried.length} mutants, ${survived} survived unnamed, seed ${values.seed}, ${seconds} s`,
);
process.exitCode = scores.every(Boolean) && tried.length > 0 ? 0 : 1;

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

function report(target: Target): boolean {
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
function chosen(mutants: readonly Mutant[]): readonly Mutant[] {
  const most = values.sample === undefined ? mutants.length : Number(values.sample);
  const random = randomOf(Number(values.seed));
  return mutants
    .map((mutant) => ({ mutant, order: random.next() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, most)
    .map(({ mutant }) => mutant);
}
