/** Another user of the machine, for tests that root runs. The other user may be unable to enter the clone. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { commandPath } from './command.ts';

export const NOBODY = 65_534;

/** Changes a process of root to the other user. It keeps Node and the sources that it loaded from the clone before. */
export const BECOME_NOBODY = `process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY});`;

const CLONE = new URL('../../', import.meta.url);

/** Copies the built command and its version into a new folder. It copies nothing else from the clone. */
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
