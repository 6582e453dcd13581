import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    // Limits for what hangs, not for what is slow: a busy machine must not turn a test red.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    globalSetup: 'test/share-folder.ts',
    pool: 'forks',
    maxWorkers: 2,
  },
});
