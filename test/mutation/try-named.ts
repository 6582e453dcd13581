/** Runs the named mutations, and prints the test that catches each one. */
import { applyMutation, type NamedMutation } from './named-mutation.ts';
import { NAMED_MUTATIONS } from './named-mutations.ts';
import { type Benches, onBenches, type TestBench } from './test-bench.ts';
import { byFile, type Caught, objectionToHealthy, tryMutation } from './verdict.ts';

export interface Tries {
  readonly count: number;
  readonly survived: number;
  readonly isGood: boolean;
}

/** `only`: ids, or a part of a file's path. */
export async function tryNamed(only: string, benches: Benches): Promise<Tries> {
  const ids = only.split(',');
  const mutations = NAMED_MUTATIONS.filter(
    ({ id, changes }) => ids.includes(id) || changes.some(({ file }) => file.includes(only)),
  );
  const unhealthy = await unhealthyTests(mutations, benches);
  const missed: string[] = [];
  await onBenches(mutations, benches, async (mutation, bench) => {
    const from = performance.now();
    const { isCaught, how } = await applyAndTry(mutation, bench, benches.root);
    if (!isCaught) missed.push(mutation.id);
    const took = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${isCaught ? 'caught ' : 'MISSED '} ${mutation.id} (${took} s): ${mutation.wrong}`);
    for (const line of how) console.log(`          ${line}`);
  });
  console.log(`named: ${mutations.length} mutations, ${missed.length} not caught`);
  for (const id of missed) console.log(`  not caught: ${id}`);
  for (const line of unhealthy) console.log(`  ${line}`);
  return { count: mutations.length, survived: missed.length, isGood: missed.length + unhealthy.length === 0 };
}

async function unhealthyTests(
  mutations: readonly NamedMutation[],
  benches: Benches,
): Promise<readonly string[]> {
  const found: string[] = [];
  await onBenches(byFile(mutations.flatMap(({ caughtBy }) => caughtBy)), benches, async (file, bench) => {
    const objection = await objectionToHealthy(file.test, file.titles, bench);
    if (objection !== undefined) found.push(`${file.test}: ${objection}`);
  });
  return found;
}

async function applyAndTry(mutation: NamedMutation, bench: TestBench, root: string): Promise<Caught> {
  try {
    return await tryMutation(mutation.caughtBy, applyMutation(mutation, root), bench);
  } catch (error) {
    return { isCaught: false, how: [error instanceof Error ? error.message : String(error)] };
  }
}
