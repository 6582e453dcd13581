/** Commands are shown as data, so whoever types one must find it: its verb and its flags are those that payfile takes. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/parse/command-table.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/parse/flags.ts';

const SOURCE = globSync('src/{domain,use-cases,operations}/**/*.ts').map((path) =>
  readFileSync(path, 'utf8'),
);

function shown(pattern: RegExp): readonly string[] {
  return SOURCE.flatMap((text) => [...text.matchAll(pattern)].map(([, word = '']) => word));
}

it('shows no command and no flag that payfile does not take', async () => {
  const own = (await Promise.all(COMMANDS.map(({ declare }) => declare()))).flatMap(({ options }) => options);
  const flags = new Set(
    [...own, ...GLOBAL_OPTIONS].flatMap((each) => each.flags.match(/--?[a-z][a-z-]*/g) ?? []),
  );
  const verbs = new Set(COMMANDS.map(({ name }) => name));
  const shownVerbs = shown(/\b(?:command|forRow|forBatch|batchCommand)\(\s*'([a-z]+)'/g);
  const shownFlags = shown(/[[{,(] *\n? *'(--?[a-z][a-z-]*)'(?=[\],:])/g);
  expect(shownVerbs.length).toBeGreaterThan(100);
  expect(shownFlags.length).toBeGreaterThan(100);
  expect(shownVerbs.filter((verb) => !verbs.has(verb))).toEqual([]);
  expect(shownFlags.filter((flag) => !flags.has(flag) && flag !== '--help')).toEqual([]);
});

it('shows no agreement that could be pasted: only a person says which plan was seen, what is repeated and how much', () => {
  const agreements = shown(/'--(?:repeats|digest|max-total)', *([^\s])/g);
  expect(agreements.length).toBeGreaterThan(3);
  expect(agreements.filter((next) => next !== '{')).toEqual([]);
});
