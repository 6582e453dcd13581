/**
 * Mutation testing: makes one mistake at a time in a copy of the sources, and prints each one that no test catches.
 * Named mutations are mistakes about money. Small mutants are all small changes of the files that pay money.
 *
 * Usage:   npm run mutation [-- --named | --small] [--only ID[,ID…]|PART-OF-FILE] [--sample N --seed S] [--workers N]
 * Exit:    1 if a named mutation was not caught, or a file's score is below its minimum.
 */
import { parseArgs } from 'node:util';
import { copyTree } from './test-tree.ts';
import { tryNamed } from './try-named.ts';
import { trySmall } from './try-small.ts';

const { values } = parseArgs({
  options: {
    named: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    /** At most so many small mutants of each file, chosen by the seed. */
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});

// An interrupt ends this process in order, so that its copies are removed.
process.once('SIGINT', () => process.exit(130));
// A copy of its own from beginning to end, whatever happens to the sources meanwhile.
const base = copyTree();
const startedMs = performance.now();
const { only, sample } = values;
const choice = {
  only,
  sample: sample === undefined ? undefined : Number(sample),
  seed: Number(values.seed),
};
const benches = { count: Number(values.workers), root: base.path };
const tries = [
  ...(values.small ? [] : [await tryNamed(only, benches)]),
  ...(values.named ? [] : [await trySmall(choice, benches)]),
];
base.remove();
const seconds = Math.round((performance.now() - startedMs) / 1000);
const count = tries.reduce((sum, each) => sum + each.count, 0);
const survived = tries.reduce((sum, each) => sum + each.survived, 0);
console.log(`mutation: ${count} mutants, ${survived} survived unnamed, seed ${values.seed}, ${seconds} s`);
process.exitCode = tries.every(({ isGood }) => isGood) && count > 0 ? 0 : 1;
