/**
 * Plants each bug in turn and shows the test that catches it.
 *
 * Usage:   npm run planted [-- --only ID[,ID…]] [--file PART-OF-TEST-PATH] [--workers N]
 * Exit:    1 when a bug was not caught, or a test is red without any bug.
 */
import { parseArgs } from 'node:util';
import { onBenches, type TestBench } from '../mutation/test-bench.ts';
import { copyTree } from '../mutation/test-tree.ts';
import { byFile, type Caught, objectionToHealthy, tryMutation } from '../mutation/verdict.ts';
import { PLANTED_BUGS } from './all-bugs.ts';
import { MUST_CATCH } from './must-catch.ts';
import { type PlantedBug, plant } from './planted-bug.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    file: { type: 'string' },
    workers: { type: 'string', default: '2' },
  },
});
// An interrupt ends this process in order, so that its copies are removed.
process.once('SIGINT', () => process.exit(130));
// A copy of its own from beginning to end, whatever happens to the sources meanwhile.
const base = copyTree();
const benches = { count: Number(values.workers), root: base.path };
const ids = values.only?.split(',');
const bugs = PLANTED_BUGS.filter(
  ({ id, caughtBy }) =>
    (ids?.includes(id) ?? true) && caughtBy.some(({ test }) => test.includes(values.file ?? '')),
);
/** By the id of a bug, the first test that caught it. */
const catches = new Map<string, string>();
const startedMs = performance.now();
const unhealthy = await unhealthyTests();
const missed = await tryAll();
base.remove();
const seconds = Math.round((performance.now() - startedMs) / 1000);
if (ids === undefined) printMustCatch();
console.log(
  `planted: ${bugs.length} bugs, ${bugs.length - missed.length} caught, ${missed.length} not caught, ${seconds} s`,
);
for (const { id } of missed) console.log(`  not caught: ${id}`);
for (const [test, why] of unhealthy) console.log(`  ${test}: ${why}`);
process.exitCode = missed.length + unhealthy.size > 0 || bugs.length === 0 ? 1 : 0;

async function unhealthyTests(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await onBenches(byFile(bugs.flatMap(({ caughtBy }) => caughtBy)), benches, async (file, bench) => {
    const objection = await objectionToHealthy(file.test, file.titles, bench);
    if (objection !== undefined) found.set(file.test, objection);
  });
  return found;
}

async function tryAll(): Promise<PlantedBug[]> {
  const missedBugs: PlantedBug[] = [];
  await onBenches(bugs, benches, async (bug, bench) => {
    const from = performance.now();
    const { isCaught, how } = await plantAndTry(bug, bench);
    if (isCaught) catches.set(bug.id, how[0] ?? '');
    else missedBugs.push(bug);
    const took = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${isCaught ? 'caught ' : 'MISSED '} ${bug.id} (${took} s): ${bug.bug}`);
    for (const line of how) console.log(`          ${line}`);
  });
  return missedBugs;
}

async function plantAndTry(bug: PlantedBug, bench: TestBench): Promise<Caught> {
  try {
    return await tryMutation(bug.caughtBy, plant(bug, base.path), bench);
  } catch (error) {
    return { isCaught: false, how: [error instanceof Error ? error.message : String(error)] };
  }
}

function printMustCatch(): void {
  console.log('\nBugs that the suite must catch:');
  for (const [key, listed] of Object.entries(MUST_CATCH)) {
    console.log(`  ${listed.bug}${listed.leftOut === undefined ? '' : `: ${listed.leftOut}`}`);
    for (const { id } of PLANTED_BUGS.filter(({ mustCatch }) => mustCatch === key))
      console.log(`      ${id}: ${catches.get(id) ?? 'NOT CAUGHT'}`);
  }
}
