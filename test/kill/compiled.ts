/**
 * The command in few files, built from the sources as they are now, and the preload beside it: the same start a
 * thousand times has to be quick.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileCache } from '../builders/command.ts';

export const NODE = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const BUILDER = fileURLToPath(new URL('../builders/build-command.ts', import.meta.url));

export interface Compiled {
  readonly bin: string;
  /** For NODE_OPTIONS. */
  readonly preload: string;
  /** For NODE_COMPILE_CACHE: a start costs half. */
  readonly cache: string;
  remove(): void;
}

/** `built`: a command that was built already, for all who share it. */
export function compile(built?: string): Compiled {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-compiled-'));
  const own = join(folder, 'node_modules', 'payfile');
  if (built === undefined) execFileSync(NODE, [BUILDER, own], { stdio: 'pipe' });
  const text = readFileSync(new URL('./die-at.ts', import.meta.url), 'utf8');
  const preload = join(folder, 'die-at.mjs');
  writeFileSync(preload, withoutTypes(text));
  return {
    bin: built ?? join(own, 'bin.js'),
    preload: `--import=${pathToFileURL(preload).href}`,
    cache: built === undefined ? join(folder, 'cache') : compileCache().NODE_COMPILE_CACHE,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The notice that this is new in Node has no place in a test's output. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = (() => undefined) as typeof process.emitWarning;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
