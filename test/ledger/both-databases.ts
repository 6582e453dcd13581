/**
 * Runs tests on both databases: a file in a folder of its own, and a schema of its own on the server of the run.
 */
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import type { Dialect } from '../../src/ledger/sql.ts';
import { ownDatabase } from '../builders/postgres.ts';
import type { RunningPostgres } from '../builders/servers.ts';
import { filePlace, type Place, serverPlace } from './new-ledgers.ts';

/** Of tests of what one program does on both: every day on a file, with SOAK=1 on each. */
export const DIALECTS: readonly Dialect[] = process.env['SOAK'] === '1' ? ['sqlite', 'pg'] : ['sqlite'];

/** `tests` are run on each; `place()` is a new ledger. */
export function onBoth(
  tests: (place: () => Promise<Place>, dialect: Dialect) => void,
  dialects: readonly Dialect[] = ['sqlite', 'pg'],
): void {
  for (const dialect of dialects)
    describe(dialect, () => {
      const ends: (() => Promise<unknown>)[] = [];
      let server: RunningPostgres | undefined;
      let places = 0;
      beforeAll(async () => {
        if (dialect === 'pg') server = await ownDatabase();
      });
      afterEach(async () => {
        for (const end of ends.splice(0).reverse()) await end();
      });
      afterAll(() => server?.stop());
      tests(async () => {
        places += 1;
        if (server === undefined) return filePlace(ends);
        return serverPlace({ ...server.place, schema: `ledger_${places}` }, ends);
      }, dialect);
    });
}
