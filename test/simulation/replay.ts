/**
 * Plays one history again and tells its story:  node test/simulation/replay.ts SEED [--workers] [--trace]
 */
import { CoverageTable } from '../simulated-world/coverage.ts';
import { Store } from '../simulated-world/disk.ts';
import { runHistory } from './history.ts';

const [text, ...flags] = process.argv.slice(2);
const seed = Number(text);
if (!Number.isSafeInteger(seed)) {
  console.error('Which seed?  node test/simulation/replay.ts SEED [--workers] [--trace]');
  process.exit(64);
}
const store = new Store();
try {
  const history = await runHistory(seed, {
    store,
    coverage: new CoverageTable(),
    keepsLines: true,
    hasWorkers: flags.includes('--workers'),
  });
  const { lines, violations, ...facts } = history;
  if (flags.includes('--trace')) for (const line of lines) console.log(line);
  console.log(JSON.stringify(facts, null, 1));
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
} finally {
  store.remove();
}
