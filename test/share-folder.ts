/** Before all tests: a folder and a server for what they share. After them both are gone. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import './builders/command.ts';
import { keepPostgres } from './builders/postgres.ts';

export default async function shareFolder(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-tests-'));
  // Another user of the machine runs the command in a test.
  chmodSync(folder, 0o755);
  // Whatever Node the tests start keeps here what it compiled; the workers, too.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'payfile-compile-cache');
  project.provide('sharedFolder', folder);
  const door = join(folder, 'postgres');
  const postgres = await keepPostgres(door);
  project.provide('postgresDoor', door);
  return async () => {
    await postgres.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
