/**
 * Whether a mutation was caught: the named tests pass without it, and each of them fails with it by its own assertion.
 * A test that did not run has caught nothing.
 */
import type { BenchResult, TestBench } from './test-bench.ts';
import type { ChangedFile, FailedTest } from './tree-runner.ts';

export interface Catcher {
  /** A test file, from the root of the project. */
  readonly test: string;
  /** A part of the title of a test or of its group. */
  readonly title: string;
}

type Bench = Pick<TestBench, 'run'>;

export interface Caught {
  readonly isCaught: boolean;
  /** The result per test file. */
  readonly how: readonly string[];
}

const TIMEOUT_MS = 180_000;
/** Errors of a program that is broken rather than wrong. */
const BROKEN = /is not a function|is not defined|Cannot read propert|before initialization/;

export async function tryMutation(
  caughtBy: readonly Catcher[],
  changed: readonly ChangedFile[],
  bench: Bench,
): Promise<Caught> {
  const how: string[] = [];
  for (const { test, titles } of byFile(caughtBy)) {
    const result = await bench.run({ changed, test, titles }, TIMEOUT_MS);
    const objection = objectionTo(result, titles);
    if (objection !== undefined)
      return { isCaught: false, how: [...how, `${test} ${titles.join(', ')}: ${objection}`] };
    how.push(`${test}: ${'failed' in result ? (result.failed[0]?.name ?? '') : ''}`);
  }
  return { isCaught: true, how };
}

/** Why tests with these titles fail without a mutation; undefined if all of them pass. */
export async function objectionToHealthy(
  test: string,
  titles: readonly string[],
  bench: Bench,
): Promise<string | undefined> {
  const result = await bench.run({ changed: [], test, titles }, TIMEOUT_MS);
  if ('timedOut' in result) return 'did not end in time';
  if (result.broken !== undefined) return result.broken;
  const [failed] = result.failed;
  if (failed !== undefined) return `is red without any mutation: ${failed.name}: ${failed.message}`;
  if (result.unhandled.length > 0) return `has an error that nobody caught: ${result.unhandled[0]}`;
  const missing = titles.find((title) => !result.passed.some((name) => name.includes(title)));
  return missing === undefined ? undefined : `has no test “${missing}”`;
}

function objectionTo(result: BenchResult, titles: readonly string[]): string | undefined {
  if ('timedOut' in result) return 'hung, which says nothing';
  if (result.broken !== undefined) return `could not be run: ${result.broken}`;
  const survived = titles.find((title) => !result.failed.some(({ name }) => name.includes(title)));
  if (survived !== undefined)
    return `“${survived}” stayed green${result.unhandled.map((error) => ` (unhandled: ${error})`).join('')}`;
  const broken = result.failed.find(isBroken);
  return broken === undefined ? undefined : `failed for another reason: ${broken.error}: ${broken.message}`;
}

function isBroken({ error, message }: FailedTest): boolean {
  return error === 'SyntaxError' || error === 'ReferenceError' || BROKEN.test(message);
}

export function byFile(catchers: readonly Catcher[]): { test: string; titles: string[] }[] {
  const titles = new Map<string, string[]>();
  for (const { test, title } of catchers)
    titles.set(test, [...new Set([...(titles.get(test) ?? []), title])]);
  return [...titles].map(([test, list]) => ({ test, titles: list }));
}
