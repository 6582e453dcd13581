/** The soak runs every test that is not an everyday test once. Its parts name existing files. */
import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT, soakPartsOf } from './soak-parts.ts';

const parts = soakPartsOf({ histories: '1', kills: '1', seed: '1' });
const named = parts.flatMap(({ tests }) => tests);

it('runs each test that is for the soak alone in one part', () => {
  const forSoak = globSync('test/**/*.soak.test.ts', { cwd: ROOT }).sort();
  expect(named.filter((file) => file.endsWith('.soak.test.ts')).sort()).toEqual(forSoak);
});

it('names each test file once, and only existing files', () => {
  expect(named.filter((file, at) => named.indexOf(file) !== at)).toEqual([]);
  expect(named.filter((file) => globSync(file, { cwd: ROOT }).length === 0)).toEqual([]);
});

// Vitest without a file runs everything.
it('has something to do in each part', () => {
  const idle = parts.filter(({ command, tests }) => command.includes('run') && tests.length === 0);
  expect(idle.map(({ name }) => name)).toEqual([]);
});
