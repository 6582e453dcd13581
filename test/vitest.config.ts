import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that leave their process as they found it: one worker runs file after file, and loads the sources once. */
const SHARING = ['domain', 'contract', 'use-cases', 'faces', 'sandbox'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Limits for what hangs, not for what is slow: a busy machine must not turn a test red.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    globalSetup: 'test/share-folder.ts',
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: SHARING } },
    ],
  },
});
