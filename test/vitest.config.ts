import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests of real processes, and those that change or measure their own: the disk below it, its clock, its memory.
 * All others leave their process as they found it: one worker runs file after file, and loads the sources once.
 */
const ALONE = [
  'kill/*',
  'guards',
  'failing/words',
  'journeys/package',
  'corpus/size',
  'files/report/workbook-sheets',
].flatMap((room) => [`test/${room}.test.ts`, `test/${room}.soak.test.ts`]);

/** Rooms whose files take seconds begin first: a long file at the end would keep one worker busy, and the others idle. */
const LONG_FIRST = [
  'kill',
  'ledger',
  'cli',
  'console',
  'simulation',
  'journeys',
  'failing',
  'wire',
  'use-cases',
  'payfile',
  'stories',
  'corpus',
  'files',
  'service',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const at = LONG_FIRST.findIndex((room) => moduleId.includes(`/test/${room}/`));
      return (project.name === 'alone' ? 0 : 100) + (at === -1 ? LONG_FIRST.length : at);
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** Tests that only the soak runs (soak-parts.ts). The soak sets SOAK=1. */
const IS_SOAK = process.env['SOAK'] === '1';
const LONGER = IS_SOAK ? [] : ['test/**/*.soak.test.ts'];

/**
 * The soak tries twenty times as much. Histories of many crashes take minutes where each opens a ledger on a server
 * (on-postgres.ts).
 */
const LIMIT_MS = IS_SOAK || process.env['TEST_LEDGER_SERVER'] !== undefined ? 600_000 : 90_000;

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // Pages and workbooks show times in the zone of the machine.
    env: { TZ: 'UTC' },
    // Limits for what hangs, not for what is slow: a busy machine must not turn a test red.
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    globalSetup: 'test/share-folder.ts',
    setupFiles: ['test/end-children.ts', 'test/fixed-seed.ts', 'test/limited-waits.ts'],
    pool: 'forks',
    // Two more than the cores of a small machine: many tests wait for the disk or for a process of their own.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...LONGER],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude: LONGER } },
    ],
  },
});
