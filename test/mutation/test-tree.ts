/** A copy of the project in a temporary folder. Changes there do not affect the project. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const COPIED = ['src', 'test', 'samples', 'package.json', 'tsconfig.json', 'README.md', 'LICENSE'];

export interface TestTree {
  readonly path: string;
  remove(): void;
}

export function copyTree(root: string = ROOT): TestTree {
  const path = mkdtempSync(join(tmpdir(), 'payfile-tree-'));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove);
  for (const name of COPIED)
    if (existsSync(join(root, name))) cpSync(join(root, name), join(path, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  return { path, remove };
}
