/** The temporary folder of one run: in memory if Linux has room there, else in the system's temporary folder. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable with the path of the folder, once it is made. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

const MEMORY = '/dev/shm';
/** A run needs less than half of this. A container has 64 MiB by default. */
const BYTES_MIN = 4 * 2 ** 30;

export function makeRunFolder(): string {
  const folder = folderInMemory() ?? mkdtempSync(join(tmpdir(), 'payfile-tests-'));
  // Other users start the command and the server in this folder.
  chmodSync(folder, 0o755);
  return folder;
}

export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** undefined if there is no folder in memory, or it is unusable. */
function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, process.availableMemory()) < BYTES_MIN) return undefined;
    const folder = mkdtempSync(join(MEMORY, 'payfile-tests-'));
    if (startsPrograms(folder)) return folder;
    removeRunFolder(folder);
  } catch {
    // The folder does not exist, or this user cannot write to it.
  }
  return undefined;
}

/** Whether programs run from this folder: Docker mounts /dev/shm with `noexec`. */
function startsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
