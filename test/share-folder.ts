/** Before all tests: one folder for what they share. After them it is gone. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import './builders/command.ts';

export default function shareFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-tests-'));
  // Another user of the machine runs the command in a test.
  chmodSync(folder, 0o755);
  // Whatever Node the tests start keeps here what it compiled; the workers, too.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'payfile-compile-cache');
  project.provide('sharedFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
