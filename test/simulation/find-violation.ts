/**
 * Plays histories, in the mixture of every run (any-history.ts), until one shows a violation: in the tree that this file stands
 * in.
 *
 * Usage:   node find-violation.ts HISTORIES FROM. Prints one line of JSON.
 */
import { CoverageTable } from '../simulated-world/coverage.ts';
import { Store } from '../simulated-world/disk.ts';
import { play, playedAs } from './any-history.ts';

export interface Found {
  /** Played in all. */
  readonly histories: number;
  /** undefined: none showed a violation. */
  readonly seed: number | undefined;
  readonly violation: string | undefined;
}

const [histories = 0, from = 1] = process.argv.slice(2).map(Number);
const store = await Store.make();
let found: Found = { histories, seed: undefined, violation: undefined };
for (let seed = from; seed < from + histories && found.seed === undefined; seed += 1) {
  const { violations } = await play(playedAs(seed), { store, coverage: new CoverageTable() });
  const [violation] = violations;
  if (violation !== undefined) found = { histories: seed - from + 1, seed, violation };
}
store.remove();
console.log(JSON.stringify(found));
