/** PostgreSQL for the tests of one file. */
import { afterAll, beforeAll } from 'vitest';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { ownDatabase } from '../builders/postgres.ts';
import type { RunningPostgres } from '../builders/servers.ts';

let places = 0;

/** `place` is a ledger of its own each time. */
export function aPostgres(): { place(): ServerPlace } {
  let server: RunningPostgres;
  beforeAll(async () => {
    server = await ownDatabase();
  });
  afterAll(() => server.stop());
  return {
    place() {
      places += 1;
      return { ...server.place, schema: `ledger_${places}` };
    },
  };
}
