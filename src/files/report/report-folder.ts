/**
 * A folder of files that appears whole or not at all: written beside its place, then renamed. A folder with files is never
 * replaced: old files would stay among the new.
 *
 * Errors:  ReportUnwritable with the place, the reason and what to do.
 */
import { mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { said } from '../../domain/text/message.ts';
import { type MayWrite, unwritable } from './report-file.ts';

export interface ReportFolder {
  /** Where the files are written until the folder is in its place. */
  readonly beside: string;
  /** Does a part of the work; what goes wrong on the disk is a ReportUnwritable. */
  tried<Result>(work: Promise<Result>): Promise<Result>;
  putInPlace(): Promise<void>;
  abort(): Promise<void>;
}

/** `isOnlyBeside`: the files are wanted for a while, and no folder stands there at the end. */
export async function openReportFolder(
  path: string,
  what: string,
  { mayWrite, isOnlyBeside = false }: { readonly mayWrite: MayWrite; readonly isOnlyBeside?: boolean },
): Promise<ReportFolder> {
  const advice = isOnlyBeside ? said`Make it again elsewhere.` : said`Name a folder that is new or empty.`;
  const tried = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((cause) => {
      throw unwritable(path, cause, { what, advice });
    });
  await mayWrite(path);
  const target = join(await tried(realpath(dirname(resolve(path)))), basename(resolve(path)));
  if (!isOnlyBeside) await tried(requireFree(target));
  const beside = await tried(mkdtemp(join(dirname(target), `.${basename(target)}.`)));
  return {
    beside,
    tried,
    async putInPlace() {
      await mayWrite(path);
      await tried(rename(beside, target));
    },
    abort: () => rm(beside, { recursive: true, force: true }),
  };
}

async function requireFree(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) throw Object.assign(new Error('not empty'), { code: 'ENOTEMPTY' });
}
