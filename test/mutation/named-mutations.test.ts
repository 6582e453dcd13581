/** Each named mutation fits the sources and names existing tests. Each change fits the intended place. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as change from './changes.ts';
import { applyMutation, changedSource, textWithTitles } from './named-mutation.ts';
import { NAMED_MUTATIONS } from './named-mutations.ts';
import { ROOT } from './test-tree.ts';

/** The changed sources of each mutation, or the reason why it does not fit. */
const applied = NAMED_MUTATIONS.map((mutation) => {
  try {
    return { changed: JSON.stringify(applyMutation(mutation)) };
  } catch (error) {
    return { misfit: error instanceof Error ? error.message : String(error) };
  }
});

describe('the list of named mutations', () => {
  it('fits the sources: each change fits one place, changes it, and the result can be parsed', () => {
    expect(applied.flatMap(({ misfit }) => misfit ?? [])).toEqual([]);
  });

  it('names tests that exist', () => {
    const texts = new Map<string, string>();
    const textOf = (test: string) => {
      const text = texts.get(test) ?? (existsSync(join(ROOT, test)) ? textWithTitles(test) : '');
      texts.set(test, text);
      return text;
    };
    const missing = NAMED_MUTATIONS.flatMap(({ id, caughtBy }) =>
      caughtBy
        .filter(({ test, title }) => title === '' || !textOf(test).includes(title))
        .map(({ test, title }) => `${id}: ${test} “${title}”`),
    );
    expect(missing).toEqual([]);
  });

  it('has each mutation once, with a sentence and a test', () => {
    const ids = NAMED_MUTATIONS.map(({ id }) => id);
    const changes = applied.map(({ changed, misfit }) => changed ?? misfit);
    for (const list of [ids, changes]) expect(list.length - new Set(list).size).toBe(0);
    const isWhole = ({ wrong, caughtBy }: (typeof NAMED_MUTATIONS)[number]) =>
      wrong.endsWith('.') && caughtBy.length > 0;
    expect(NAMED_MUTATIONS.filter((mutation) => !isWhole(mutation))).toEqual([]);
  });
});

const changed = (source: string, name: string, one: change.Change) =>
  changedSource(source, { where: 'x', name, change: one });

describe('a change', () => {
  it.each<[string, change.Change, string]>([
    ['function f() { a(); }', change.returns('1'), 'function f() { return 1; }'],
    ['const f = () => a;', change.returns('1'), 'const f = () => (1);'],
    ['const f = 2;', change.valued('1'), 'const f = 1;'],
    [
      'class f { g() { if (a) b(); if (c) d(); } }',
      change.condition('c', 'true'),
      'class f { g() { if (a) b(); if (true) d(); } }',
    ],
    ['const f = a && b && c;', change.withoutTerm('b'), 'const f = a && true && c;'],
    ['const f = a || (b && c);', change.withoutTerm('a'), 'const f = false || (b && c);'],
    ['function f() { a(); b.c(d); }', change.withoutCall('c'), 'function f() { a(); ; }'],
    ['async function f() { void (await a()); }', change.withoutCall('a'), 'async function f() { ; }'],
    [
      'function f() { if (a) return b; return c; }',
      change.returning('c', '1'),
      'function f() { if (a) return b; return 1; }',
    ],
    ['function f() { throw a; }', change.returningForThrow('a', '1'), 'function f() { return 1; }'],
    ['const f = { a, b: 2 };', change.property('a', '1'), 'const f = { a: 1, b: 2 };'],
    ['const f = [a, b(c), d];', change.withoutElement('c'), 'const f = [a, d];'],
    ['const f = [a, b];', change.withoutElement('b'), 'const f = [a];'],
    ['const f = a(b, c);', change.argument('a', 1, '1'), 'const f = a(b, 1);'],
    ["const f = ['a', 2];", change.literal('a', 'b'), 'const f = ["b", 2];'],
    ['function f() { a(); b(); c(); }', change.earlier('c', 'a'), 'function f() { c();\na(); b(); ; }'],
    [
      'const f = async () => await a.b();',
      change.twice('b'),
      'const f = async () => (await a.b(), await a.b());',
    ],
    ["const f = 'a AND b = ?';", change.inSql(' AND b = ?', ''), "const f = 'a';"],
    [
      "const f = (a) => { switch (a) { case 'b': return 1; case 'c': return 2; } };",
      change.inCase('c', change.returning('', '3')),
      "const f = (a) => { switch (a) { case 'b': return 1; case 'c': return 3; } };",
    ],
  ])('%s', (source, one, expected) => {
    expect(changed(source, 'f', one)).toBe(expected);
  });

  it('is refused if it fits no place, fits several places or changes nothing, and shows the places', () => {
    const source = 'function f() { if (a) b(); if (a) c(); }';
    expect(() => changed(source, 'g', change.returns('1'))).toThrow('0 places are named g');
    expect(() => changed(source, 'f', change.condition('d', 'true'))).toThrow('fits 0 places in f');
    expect(() => changed(source, 'f', change.condition('a', 'true'))).toThrow(
      'fits 2 places in f, expected one\n  a\n  a',
    );
    expect(() => changed('const f = 1;', 'f', change.valued('1'))).toThrow('changes nothing');
    expect(() => changed('const f = 1;', 'f', change.valued('('))).toThrow();
  });
});
