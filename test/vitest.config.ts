import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Tests of real processes, and those that change or measure their own: the disk below it, its clock, its memory.
 * All others leave their process as they found it: one worker runs file after file, and loads the sources once.
 */
const ALONE = [
  'kill/*',
  'planted/*',
  'upgrade/*',
  'failing/words',
  'journeys/package',
  'corpus/size',
  'adapters/files/report/workbook-sheets',
].map((room) => `test/${room}.test.ts`);

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Limits for what hangs, not for what is slow: a busy machine must not turn a test red.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    globalSetup: 'test/share-folder.ts',
    pool: 'forks',
    // One more than the cores of a small machine: many tests wait for the disk or for a process of their own.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: { name: 'sharing', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
});
