/**
 * Runs tests in a copied tree with some files changed. It is a separate process with one Vitest, so a run takes little
 * more time than its tests. The bench can kill it if a change makes a test hang.
 *
 * Usage:   node tree-runner.ts TREE, with RunOrder and RunResult as IPC messages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node';

export interface ChangedFile {
  /** From the root of the project. */
  readonly file: string;
  readonly text: string;
}

export interface RunOrder {
  readonly changed: readonly ChangedFile[];
  readonly test: string;
  /** Empty: all tests of the file. */
  readonly titles: readonly string[];
}

export interface RunResult {
  readonly passed: readonly string[];
  readonly failed: readonly FailedTest[];
  /** Why the file could not run; tests that did not run prove nothing. */
  readonly broken: string | undefined;
  /** Errors outside every test. */
  readonly unhandled: readonly string[];
}

export interface FailedTest {
  readonly name: string;
  readonly error: string;
  readonly message: string;
}

const NOTHING: RunResult = { passed: [], failed: [], broken: undefined, unhandled: [] };

async function main(tree: string): Promise<void> {
  const vitest = await createVitest('test', {
    root: tree,
    config: false,
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    watch: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: [{}],
  });
  // Orders run one after another, because the next order needs the files unchanged.
  let turn: Promise<unknown> = Promise.resolve();
  process.on('message', (order: RunOrder) => {
    turn = turn.then(async () => process.send?.(await runChanged(vitest, tree, order)));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

async function runChanged(vitest: Vitest, tree: string, order: RunOrder): Promise<RunResult> {
  const before = order.changed.map(({ file }) => ({ file, text: readFileSync(join(tree, file), 'utf8') }));
  try {
    change(vitest, tree, order.changed);
    return await runTests(vitest, tree, order);
  } catch (error) {
    return { ...NOTHING, broken: String(error) };
  } finally {
    change(vitest, tree, before);
  }
}

function change(vitest: Vitest, tree: string, files: RunOrder['changed']): void {
  for (const { file, text } of files) {
    writeFileSync(join(tree, file), text);
    vitest.invalidateFile(join(tree, file));
  }
}

async function runTests(vitest: Vitest, tree: string, { test, titles }: RunOrder): Promise<RunResult> {
  if (titles.length === 0) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(new RegExp(titles.map(literally).join('|')));
  const path = join(tree, test);
  const specifications = (await vitest.globTestSpecifications([path])).filter(
    ({ moduleId }) => moduleId === path,
  );
  if (specifications.length === 0) return { ...NOTHING, broken: `there is no ${test}` };
  // Vitest keeps both between runs. Results of an earlier run must not count for this one.
  vitest.state.clearErrors();
  const result = await vitest.runTestSpecifications(specifications, false);
  const testModules = result.testModules.filter(({ moduleId }) => moduleId === path);
  const cases = testModules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string) => cases.filter((one) => one.result().state === state);
  return {
    passed: inState('passed').map(({ fullName }) => fullName),
    failed: inState('failed').map(failureOf),
    broken: brokenOf(testModules),
    unhandled: vitest.state.getUnhandledErrors().map(messageOf),
  };
}

function failureOf(test: TestCase): FailedTest {
  const [error] = test.result().errors ?? [];
  return { name: test.fullName, error: error?.name ?? 'Error', message: error?.message ?? '' };
}

function brokenOf(modules: readonly TestModule[]): string | undefined {
  const errors = modules.flatMap((module) => [
    ...module.errors(),
    ...[...module.children.allSuites()].flatMap((suite) => [...suite.errors()]),
  ]);
  return errors[0]?.message;
}

function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : JSON.stringify(error);
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

await main(process.argv[2] ?? '');
