/**
 * A metrics file that a collector may read at any moment: written beside its place, then renamed into it. Readable
 * by all, because the collector is another user, and without anything that only some may read.
 *
 * The temporary name does not end in .prom, so that the collector does not take it for a second file.
 */
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const FOR_ALL = 0o644;

/** Why it was not written; undefined when it was. */
export async function writeMetricsFile(path: string, text: string): Promise<string | undefined> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, text, { mode: FOR_ALL, flag: 'wx' });
    await rename(temporary, path);
    return undefined;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  }
}
