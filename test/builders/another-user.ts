/** Another user of the machine, for tests that root runs. That user may be unable to enter the clone. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { commandPath } from './command.ts';

export const NOBODY = 65_534;

/** What a process of root runs to become that user's. Node and the sources that it loaded before may lie in the clone. */
export const BECOME_NOBODY = `process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY});`;

const CLONE = new URL('../../', import.meta.url);

/** Copies the built command into a new folder. Its version comes with it, and nothing else that it reads in the clone. */
export function bringCommand(folder: string): string {
  const built = dirname(commandPath());
  mkdirSync(folder);
  for (const name of readdirSync(built)) {
    const text = readFileSync(join(built, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(CLONE.href, pathToFileURL(`${folder}/`).href));
  }
  copyFileSync(fileURLToPath(new URL('package.json', CLONE)), join(folder, 'package.json'));
  return join(folder, basename(commandPath()));
}
