/** Makes a shared temporary folder and a shared server before all tests. Removes both after them. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import './builders/command.ts';
import { keepPostgres } from './builders/postgres.ts';
import { makeRunFolder, RUN_FOLDER, removeRunFolder } from './builders/run-folder.ts';

export default async function shareFolder(project: TestProject): Promise<() => Promise<void>> {
  const temporary = process.env[RUN_FOLDER] ?? makeRunFolder();
  // The workers and their children inherit both.
  process.env['TMPDIR'] = temporary;
  const folder = join(temporary, 'shared');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'payfile-compile-cache');
  project.provide('sharedFolder', folder);
  const door = join(folder, 'postgres');
  const postgres = await keepPostgres(door);
  project.provide('postgresDoor', door);
  return async () => {
    await postgres.end();
    removeRunFolder(temporary);
  };
}
