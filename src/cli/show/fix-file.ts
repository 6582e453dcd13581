/**
 * `--fix-file [FILE]`: where the fix file goes, and what is said of it. Without a name it stands beside the file
 * that is read, under a name that is free: one that is there already may be half mended.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { argument, type Call, pathFromCwd, UsageError } from '../call.ts';

/** undefined: none was asked for. Throws UsageError where no such file can be meant; call it before anything is read. */
export function fixFilePath(call: Call): string | undefined {
  const { fixFile } = call.flags;
  const source = argument(call, 0);
  if (fixFile === undefined) return undefined;
  if (fixFile === true) return source === '-' ? nameIt() : freeName(source, call);
  if (fixFile === '-' || !/\.xlsx$/i.test(fixFile)) {
    throw new UsageError(`--fix-file is “${fixFile}”; a fix file is a workbook: a name that ends in .xlsx.`);
  }
  if (isSameFile(fixFile, source, call))
    throw new UsageError(`--fix-file names ${source}, the file that is read; name another one.`);
  return fixFile;
}

function nameIt(): never {
  throw new UsageError('Standard input has no name to put beside it: --fix-file FILE.xlsx.');
}

function freeName(source: string, call: Call): string {
  const stem = basename(source)
    .replace(/\.[^.]+$/, '')
    .replace(/\.fix(-\d+)?$/, '');
  for (let number = 1; ; number += 1) {
    const path = join(dirname(source), `${stem}.fix${number === 1 ? '' : `-${number}`}.xlsx`);
    if (lstatSync(pathFromCwd(call, path), { throwIfNoEntry: false }) === undefined) return path;
  }
}

function isSameFile(fixFile: string, source: string, call: Call): boolean {
  if (source === '-') return false;
  const [one, other] = [pathFromCwd(call, fixFile), pathFromCwd(call, source)];
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is not there yet.
    return one === other;
  }
}
