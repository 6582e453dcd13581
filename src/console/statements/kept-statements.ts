/**
 * Statements that were brought to be compared: one for each person and batch, in the desk's folder, until the console ends. A
 * newer one takes the place of the one before.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nameOnDisk } from '../files/kept-files.ts';
import type { UploadedFile } from '../server/form.ts';

export interface KeptStatement extends UploadedFile {
  /** In an address; nobody can guess it. */
  readonly id: string;
  readonly batch: string;
  readonly by: string;
}

export interface KeptStatements {
  keep(file: UploadedFile, of: Pick<KeptStatement, 'batch' | 'by'>): Promise<KeptStatement>;
  /** undefined: there is none, or it is about another batch or somebody else's. */
  find(id: string, of: Pick<KeptStatement, 'batch' | 'by'>): KeptStatement | undefined;
}

/** Of one person, so that nobody's statements make those of another go. */
export const STATEMENTS_MAX = 20;

export function createKeptStatements(folder: string): KeptStatements {
  const kept = new Map<string, KeptStatement>();
  const remove = async ({ id, path }: KeptStatement) => {
    kept.delete(id);
    await rm(dirname(path), { recursive: true, force: true });
  };
  return {
    async keep(file, { batch, by }) {
      for (const other of [...kept.values()])
        if (other.batch === batch && other.by === by) await remove(other);
      const [oldest, ...others] = [...kept.values()].filter((other) => other.by === by);
      if (oldest !== undefined && others.length + 1 >= STATEMENTS_MAX) await remove(oldest);
      const id = randomBytes(12).toString('hex');
      await mkdir(join(folder, id), { mode: 0o700 });
      // Messages name a file as it lies there.
      const path = join(folder, id, nameOnDisk(file.name));
      await rename(file.path, path);
      const statement = { ...file, path, id, batch, by };
      kept.set(id, statement);
      return statement;
    },
    find(id, { batch, by }) {
      const found = kept.get(id);
      return found?.batch === batch && found.by === by ? found : undefined;
    },
  };
}
