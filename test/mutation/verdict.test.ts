/** A mutation is caught if a test fails by itself in a program that runs. */
import { expect, it } from 'vitest';
import type { BenchResult } from './test-bench.ts';
import type { RunResult } from './tree-runner.ts';
import { objectionToHealthy, tryMutation } from './verdict.ts';

const CAUGHT_BY = [{ test: 'a.test.ts', title: 'pays once' }];
const NOTHING: RunResult = { passed: [], failed: [], broken: undefined, unhandled: [] };
const failed = (message: string, error = 'AssertionError') => ({
  ...NOTHING,
  failed: [{ name: 'a batch pays once', error, message }],
});
const benchWith = (result: BenchResult) => ({ run: async () => result });

it.each<[string, BenchResult, boolean, string]>([
  ['the test turned red', failed('expected 2 to be 1'), true, 'a batch pays once'],
  ['the test stayed green', { ...NOTHING, passed: ['a batch pays once'] }, false, 'stayed green'],
  ['the test hung', { timedOut: true }, false, 'hung'],
  ['the file did not load', { ...NOTHING, broken: 'no such module' }, false, 'could not be run'],
  ['the program is broken', failed('a is not a function', 'TypeError'), false, 'failed for another reason'],
  ['the source is broken', failed('unexpected token', 'SyntaxError'), false, 'failed for another reason'],
])('%s', async (_, result, isCaught, how) => {
  expect(await tryMutation(CAUGHT_BY, [], benchWith(result))).toEqual({
    isCaught,
    how: [expect.stringContaining(how)],
  });
});

it.each<[string, BenchResult, string | undefined]>([
  ['the test is green', { ...NOTHING, passed: ['a batch pays once'] }, undefined],
  ['the test is red', failed('expected 2 to be 1'), 'is red without any mutation'],
  ['no test has the title', { ...NOTHING, passed: ['a batch pays twice'] }, 'has no test'],
])('without a mutation, %s', async (_, result, objection) => {
  const found = await objectionToHealthy('a.test.ts', ['pays once'], benchWith(result));
  if (objection === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(objection);
});
