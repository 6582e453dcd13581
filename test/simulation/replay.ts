/**
 * Plays one history again and tells its story:  node test/simulation/replay.ts SEED [--office | --wire] [--workers] [--trace]
 */
import { CoverageTable } from '../simulated-world/coverage.ts';
import { Store } from '../simulated-world/disk.ts';
import { play, playedAs } from './any-history.ts';

const [text, ...flags] = process.argv.slice(2);
const seed = Number(text);
if (!Number.isSafeInteger(seed)) {
  console.error('Which seed?  node test/simulation/replay.ts SEED [--office | --wire] [--workers] [--trace]');
  process.exit(64);
}
const store = await Store.make();
try {
  const asMany = playedAs(seed);
  const said = {
    seed,
    kind: flags.includes('--wire') ? 'wire' : 'office',
    hasWorkers: flags.includes('--workers'),
  } as const;
  const isSaid = flags.includes('--wire') || flags.includes('--office');
  const world = { store, coverage: new CoverageTable(), keepsLines: true };
  const history = await play(isSaid ? said : asMany, world);
  const { lines, violations, ...facts } = history;
  if (flags.includes('--trace')) for (const line of lines) console.log(line);
  console.log(JSON.stringify(facts, null, 1));
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
} finally {
  store.remove();
}
