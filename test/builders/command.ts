/**
 * The real command for tests that start processes: built from the sources once for a whole run of the tests, by
 * the first that asks for it. Where nothing was set up for that, as in a copied tree, it is the sources themselves.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for what all test files of one run share. */
    sharedFolder: string | undefined;
  }
}

const SOURCES = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const BUILDER = fileURLToPath(new URL('./build-command.ts', import.meta.url));
const WAIT_MS_MAX = 60_000;

/** The program to give to Node. */
export function commandPath(): string {
  const folder = inject('sharedFolder');
  return folder === undefined ? SOURCES : join(builtIn(folder), 'bin.js');
}

/** For a process with an environment of its own: where one run keeps what Node compiled. */
export function compileCache(): { readonly NODE_COMPILE_CACHE: string } {
  const { NODE_COMPILE_CACHE } = process.env;
  return { NODE_COMPILE_CACHE: NODE_COMPILE_CACHE ?? join(tmpdir(), 'payfile-compile-cache') };
}

function builtIn(folder: string): string {
  // Below a folder of this name Node does not warn of what packages do.
  const built = join(folder, 'node_modules', 'payfile');
  if (!existsSync(built) && !isBuiltHere(folder, built)) waitFor(built);
  return built;
}

/** False when another worker has begun already. */
function isBuiltHere(folder: string, built: string): boolean {
  const draft = join(folder, 'draft');
  try {
    mkdirSync(draft);
  } catch {
    return false;
  }
  const { status, stderr } = spawnSync(process.execPath, [BUILDER, draft], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The command could not be built: ${stderr}`);
  letOthersRead(draft);
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  chmodSync(modules, 0o755);
  renameSync(draft, built);
  return true;
}

/** Needed if other users cannot read this user's files by default. */
function letOthersRead(folder: string): void {
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
}

function waitFor(path: string): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; !existsSync(path); waitedMs += 50) {
    if (waitedMs >= WAIT_MS_MAX) throw new Error(`Nobody built ${path}`);
    Atomics.wait(nothing, 0, 0, 50);
  }
}
