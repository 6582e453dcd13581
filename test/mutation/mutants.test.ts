/** The mutants are those that were meant: each change once, in the right place, never in a type. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mutantsOf, mutate, shownMutant } from './mutants.ts';
import { isNamed, TARGETS } from './targets.ts';
import { ROOT } from './test-tree.ts';

const shown = (source: string) => mutantsOf(source).map((mutant) => mutate(source, mutant));

it.each<[string, readonly string[]]>([
  ['x = a < b', ['x = a <= b', 'x = a >= b', ';']],
  ['x = a && b', ['x = a', 'x = b', 'x = a || b', ';']],
  ['x = a ?? b', ['x = a', 'x = b', ';']],
  ['x = !a', ['x = a', ';']],
  ['x = 3n', ['x = 4n', ';']],
  ['x = 0', ['x = 1', 'x = (-1)', ';']],
  ["x = 'ü' + y", ["x = 'ü' - y", "x = '' + y", ';']],
  ["const t: 'a' | 'b' = f<'c'>();", []],
  ["import { a } from 'b';", []],
  ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
  ['x = [a, b]', ['x = [b]', 'x = [a]', ';']],
  ['x = { a: 1 }', ['x = {  }', 'x = { a: 2 }', 'x = { a: 0 }', ';']],
  ['const f = () => a;', ['const f = () => undefined;']],
  ['x = a.trim()', ['x = a', ';']],
  ['x = /^a{1,3}$/', ['x = /a{1,3}$/', 'x = /^a{1,3}/', 'x = /^a{1,4}$/', 'x = /^a{1,2}$/', ';']],
])('%s', (source, expected) => {
  expect(shown(source).sort()).toEqual([...expected].sort());
});

it('says on one line what was changed where', () => {
  const [first] = mutantsOf('const f = (a: number) =>\n  a <\n  3;\n');
  expect(first === undefined ? '' : shownMutant(first)).toBe('2: a < 3 → undefined');
});

it.each(TARGETS)('forgives in $file only mutants that there are, and never many', ({ file, equivalents }) => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const mutants = mutantsOf(source);
  const found = equivalents.map((named) => ({
    mutant: named.mutant,
    times: mutants.filter((mutant) => isNamed(named, mutant, source)).length,
  }));
  expect(found.filter(({ times }) => times < 1 || times > 4)).toEqual([]);
});
