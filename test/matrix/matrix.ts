/**
 * The fault matrix: each fault by its number, the tests that carry the number in their names, and the planted
 * bugs that turn those tests red.
 *
 * A bug guards the faults whose numbers stand in the names of the tests that catch it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLANTED_BUGS } from '../planted/all-bugs.ts';
import { type Catcher, ROOT, textWithTitles } from '../planted/planted-bug.ts';
import { FILE_ROWS } from './file-rows.ts';
import type { MatrixRows } from './matrix-row.ts';
import { OWN_ROWS } from './own-rows.ts';
import { WIRE_ROWS } from './wire-rows.ts';

export const ROWS: MatrixRows = { ...WIRE_ROWS, ...OWN_ROWS, ...FILE_ROWS };

const TAG = /\[([NHETLBF]\d{1,2})\]/g;
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

export interface TaggedTest {
  readonly file: string;
  /** As it stands in the source. */
  readonly title: string;
  readonly tags: readonly string[];
}

/** Every text in the tests that carries numbers of the matrix. */
export function taggedTests(): TaggedTest[] {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.ts$/.test(path) && !/^(planted\/bugs|matrix|mutation)\b/.test(path),
  );
  return files.flatMap((path) => {
    const file = `test/${path.replaceAll('\\', '/')}`;
    return taggedIn(readFileSync(join(ROOT, file), 'utf8')).map((tagged) => ({ file, ...tagged }));
  });
}

function taggedIn(source: string): Omit<TaggedTest, 'file'>[] {
  const literals = [...source.matchAll(LITERAL)].map(([literal]) => literal.slice(1, -1));
  return literals.flatMap((title) => {
    const tags = tagsIn(title);
    return tags.length === 0 ? [] : [{ title, tags }];
  });
}

function tagsIn(text: string): string[] {
  return [...text.matchAll(TAG)].map(([, tag = '']) => tag);
}

/** The numbers that a catcher answers for: those in its own words, else those of the tests that they name. */
function tagsOf({ test, title }: Catcher): string[] {
  const own = tagsIn(title);
  if (own.length > 0) return own;
  return taggedIn(textWithTitles(test)).flatMap((tagged) =>
    tagged.title.includes(title) ? tagged.tags : [],
  );
}

export interface Tied {
  readonly id: string;
  readonly what: string;
  readonly tests: readonly TaggedTest[];
  /** Ids of planted bugs. */
  readonly guards: readonly string[];
  readonly leftOut: string | undefined;
}

export function tiedRows(tests: readonly TaggedTest[] = taggedTests()): Tied[] {
  const guards = PLANTED_BUGS.map(({ id, caughtBy }) => ({ id, tags: new Set(caughtBy.flatMap(tagsOf)) }));
  return Object.entries(ROWS).map(([id, { what, leftOut }]) => ({
    id,
    what,
    leftOut,
    tests: tests.filter(({ tags }) => tags.includes(id)),
    guards: guards.filter(({ tags }) => tags.has(id)).map((guard) => guard.id),
  }));
}
