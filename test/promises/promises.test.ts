/** The tables of promises agree with the program, with README and the guides, and with the tests that they name. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FATE, isInProgram, type PromiseRow, proseTables, wordTables } from './fates.ts';
import { known, textsOf } from './known.ts';

const ROOT = join(import.meta.dirname, '../..');
const words = wordTables();
const inProgram = await known();
const prose = [...proseTables()];

it('has a fate for every row', () => {
  const promises = prose.flatMap(([, sections]) => Object.values(sections).flat());
  for (const { fate } of [...Object.values(words).flat(), ...promises]) expect(fate).toMatch(FATE);
});

it('has a table for every kind of word that the program knows', () => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(inProgram).sort());
});

describe.each(Object.entries(words))('%s', (kind, rows) => {
  it('are in the table as the program knows them', () => {
    const promised = rows.filter(isInProgram).flatMap(textsOf);
    const there = inProgram[kind] ?? [];
    expect({
      onlyInProgram: there.filter((text) => !promised.includes(text)),
      onlyInTable: promised.filter((text) => !there.includes(text)),
    }).toEqual({ onlyInProgram: [], onlyInTable: [] });
  });

  it('stand in the table once', () => {
    const texts = rows.flatMap(textsOf);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });
});

/** Headings of a guide, without the lines of code blocks that begin with `#`. */
function headingsIn(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8').replace(/```\w*\n[\s\S]*?```/g, '');
  return [...text.matchAll(/^#{1,3} (.*)$/gm)].map(([, heading = '']) => heading.replace(/\s+/g, ' ').trim());
}

/** Test files and titles that a row names and that are not there. */
function missing({ shown = '' }: PromiseRow): string[] {
  return shown.split(', ').filter((each) => {
    const [name = '', title] = each.split(' › ');
    const path = join(ROOT, 'test', `${name}.test.ts`);
    if (name === '') return false;
    return !existsSync(path) || (title !== undefined && !readFileSync(path, 'utf8').includes(title));
  });
}

describe.each(prose)('%s', (name, sections) => {
  const headings = headingsIn(name === 'README' ? 'README.md' : `src/guide/${name}.md`);

  it('promises something under each of its headings', () => {
    expect(headings.filter((heading) => sections[heading] === undefined)).toEqual([]);
  });

  it('has each heading with a promise that the program keeps', () => {
    const standing = Object.keys(sections).filter((heading) => sections[heading]?.some(isInProgram));
    expect(standing.filter((heading) => !headings.includes(heading))).toEqual([]);
  });

  it('has each promise once, in one sentence of at most twenty words', () => {
    const promises = Object.values(sections)
      .flat()
      .map(({ promise }) => promise);
    expect(promises.filter((promise, at) => promises.indexOf(promise) !== at)).toEqual([]);
    expect(promises.filter((promise) => promise.split(' ').length > 20 || !promise.endsWith('.'))).toEqual(
      [],
    );
  });

  it('names only tests that exist', () => {
    expect(Object.values(sections).flat().filter(isInProgram).flatMap(missing)).toEqual([]);
  });
});

/** Its page is made from the docstrings of the methods, which a table of words has. */
const OF_DOCSTRINGS = 'api';

it('has a table for README and for each guide', () => {
  const guides = (words['guides'] ?? [])
    .filter(isInProgram)
    .flatMap(({ word }) => (word === OF_DOCSTRINGS ? [] : [word]));
  expect(prose.map(([name]) => name).sort()).toEqual(['README', ...guides].sort());
});
