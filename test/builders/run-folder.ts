/** The temporary folder of one run: in memory where Linux has room for it there, else where the system keeps such folders. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the variable with the folder that was made already. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

const MEMORY = '/dev/shm';
/** A run fills less than half of it. A container has 64 MiB there by default. */
const BYTES_MIN = 4 * 2 ** 30;

export function makeRunFolder(): string {
  const folder = folderInMemory() ?? mkdtempSync(join(tmpdir(), 'payfile-tests-'));
  // Other users start the command and the server in here.
  chmodSync(folder, 0o755);
  return folder;
}

export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** undefined where there is none, or none that is good enough. */
function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, process.availableMemory()) < BYTES_MIN) return undefined;
    const folder = mkdtempSync(join(MEMORY, 'payfile-tests-'));
    if (startsPrograms(folder)) return folder;
    removeRunFolder(folder);
  } catch {
    // There is no such folder, or this user may not write there.
  }
  return undefined;
}

/** Docker mounts it with `noexec`. */
function startsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
