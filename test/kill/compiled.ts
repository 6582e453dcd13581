/**
 * The command as it is published, compiled from the sources as they are now, in a folder of its own; and the
 * preload beside it. Compiled once per process; it starts in half the time of the sources.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const NODE = join(ROOT, 'node_modules/.bin/node');

export interface Compiled {
  readonly bin: string;
  /** For NODE_OPTIONS. */
  readonly preload: string;
  /** For NODE_COMPILE_CACHE: a start costs half. */
  readonly cache: string;
  remove(): void;
}

export function compile(): Compiled {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-compiled-'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const flags = [
    '-p',
    join(ROOT, 'tsconfig.json'),
    '--outDir',
    join(folder, 'dist'),
    '--declaration',
    'false',
  ];
  // Another person's half-written file must not stop this: what does not type still compiles.
  execFileSync(NODE, [tsc, ...flags, '--noCheck'], { stdio: 'pipe' });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'preload'));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const text = readFileSync(new URL('./die-at.ts', import.meta.url), 'utf8');
  const preload = join(folder, 'preload', 'die-at.mjs');
  writeFileSync(preload, withoutTypes(text));
  return {
    bin: join(folder, 'dist/faces/cli/bin.js'),
    preload: `--import=${pathToFileURL(preload).href}`,
    cache: join(folder, 'cache'),
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
