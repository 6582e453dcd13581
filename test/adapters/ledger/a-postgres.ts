/** A PostgreSQL server for the tests of one file. */
import { afterAll, beforeAll } from 'vitest';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { type RunningPostgres, startPostgres } from '../../builders/postgres.ts';

let places = 0;

/** `place` is a ledger of its own each time. */
export function aPostgres(settings: readonly string[] = []): { place(): ServerPlace } {
  let server: RunningPostgres;
  beforeAll(async () => {
    server = await startPostgres(settings);
  });
  afterAll(() => server.stop());
  return {
    place() {
      places += 1;
      return { ...server.place, schema: `ledger_${places}` };
    },
  };
}
