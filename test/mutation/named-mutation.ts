/**
 * A named mutation: a change of a named function that makes one mistake about money, and the everyday tests that fail.
 *
 * Errors:  throws if a change does not fit the source exactly once, and shows the places found.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Change, Edit } from './changes.ts';
import { namedNodes, parseSource } from './syntax-tree.ts';
import { ROOT } from './test-tree.ts';
import type { ChangedFile } from './tree-runner.ts';
import type { Catcher } from './verdict.ts';

export interface NamedMutation {
  readonly id: string;
  /** The mistake about the money, in one sentence. */
  readonly wrong: string;
  readonly changes: readonly Place[];
  readonly caughtBy: readonly Catcher[];
}

export interface Place {
  /** From the root of the project. */
  readonly file: string;
  /** A function, a `const`, `Class.method`, or a nested one: `outer.inner`. */
  readonly name: string;
  readonly change: Change;
}

/** A mutation of one place. */
export function mutation(
  id: string,
  wrong: string,
  [file, name, change]: readonly [file: string, name: string, change: Change],
  ...caughtBy: readonly (readonly [test: string, title: string])[]
): NamedMutation {
  return {
    id,
    wrong,
    changes: [{ file, name, change }],
    caughtBy: caughtBy.map(([test, title]) => ({ test, title })),
  };
}

/** Adds a second change, for two places that keep the same promise. */
export function andAlso(
  first: NamedMutation,
  [file, name, change]: readonly [file: string, name: string, change: Change],
): NamedMutation {
  return { ...first, changes: [...first.changes, { file, name, change }] };
}

/** The changed files of a mutation. */
export function applyMutation(
  { id, changes }: Pick<NamedMutation, 'id' | 'changes'>,
  root: string = ROOT,
): ChangedFile[] {
  const texts = new Map<string, string>();
  for (const { file, name, change } of changes) {
    const before = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
    texts.set(file, changedSource(before, { where: `${id}: ${file}`, name, change }));
  }
  return [...texts].map(([file, text]) => ({ file, text }));
}

/** The text of a source with one change. */
export function changedSource(
  source: string,
  { where, name, change }: { readonly where: string } & Pick<Place, 'name' | 'change'>,
): string {
  const targets = namedNodes(parseSource(source), name);
  const [target] = targets;
  if (target === undefined || targets.length > 1)
    throw new Error(`${where}: ${targets.length} places are named ${name}, expected one`);
  const fits = change(target, ({ start, end }) => source.slice(start, end));
  const [edits] = fits;
  if (edits === undefined || fits.length > 1)
    throw new Error(
      `${where}: the change fits ${fits.length} places in ${name}, expected one${shown(source, fits)}`,
    );
  const text = edited(source, edits);
  if (text === source) throw new Error(`${where}: the change of ${name} changes nothing`);
  parseSource(text);
  return text;
}

function edited(source: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce((text, { start, end, after }) => text.slice(0, start) + after + text.slice(end), source);
}

function shown(source: string, fits: readonly (readonly Edit[])[]): string {
  const found = fits.map(([edit]) => source.slice(edit?.start, edit?.end).replace(/\s+/g, ' '));
  return found.map((text) => `\n  ${text.slice(0, 120)}`).join('');
}

/** The text of a test file and of all suites that it imports. It has all titles of the file's tests. */
export function textWithTitles(test: string, root: string = ROOT): string {
  const texts = new Map<string, string>();
  const read = (path: string): void => {
    if (texts.has(path)) return;
    const text = readFileSync(path, 'utf8');
    texts.set(path, text);
    for (const [, from = ''] of text.matchAll(/from '(\.[^']+)'/g)) {
      const imported = resolve(dirname(path), from);
      if (!relative(join(root, 'test'), imported).startsWith('..')) read(imported);
    }
  };
  read(join(root, test));
  return [...texts.values()].join('\n');
}
