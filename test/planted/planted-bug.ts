/**
 * A planted bug: a small change of the sources as somebody would really make it, and the tests that have to
 * turn red because of it. The texts to find follow the code: a bug that no longer fits is an error.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../mutation/test-tree.ts';
import type { ChangedFile } from '../mutation/tree-runner.ts';
import type { Catcher } from '../mutation/verdict.ts';

export interface Edit {
  /** From the root of the project. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

export interface PlantedBug extends Edit {
  readonly id: string;
  /** What the bug is, in one sentence. */
  readonly bug: string;
  /** Key of the list of bugs that the suite must catch (must-catch.ts), where it is one of them. */
  readonly mustCatch?: string;
  readonly also?: readonly Edit[];
  readonly caughtBy: readonly Catcher[];
}

/** The files as they are with the bug in them. Throws when the bug does not fit the sources. */
export function plant(bug: PlantedBug, root: string = ROOT): ChangedFile[] {
  const changed = new Map<string, string>();
  for (const { file, find, replace } of [bug, ...(bug.also ?? [])]) {
    const before = changed.get(file) ?? readFileSync(join(root, file), 'utf8');
    const count = before.split(find).length - 1;
    if (count !== 1) throw new Error(`${bug.id}: “${find}” occurs ${count} times in ${file}, expected once`);
    if (find === replace) throw new Error(`${bug.id}: changes nothing in ${file}`);
    changed.set(
      file,
      before.replace(find, () => replace),
    );
  }
  return [...changed].map(([file, text]) => ({ file, text }));
}
