/**
 * A PostgreSQL server on loopback: one for all tests of a run, with a database of its own for each test file. Where
 * nothing was set up for that, as in a copied tree, each test file has a server.
 */
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import { type RunningPostgres, startPostgres } from './servers.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the server of the run is asked for. */
    postgresDoor: string | undefined;
  }
}

/** Tells whoever asks at the door where the server is, which is started for the first. */
export async function keepPostgres(door: string): Promise<{ end(): Promise<void> }> {
  let starting: Promise<RunningPostgres> | undefined;
  const asked: Server = createServer((socket) => {
    starting ??= startPostgres(['max_connections=300']);
    starting.then(
      ({ place }) => socket.end(JSON.stringify(place)),
      (error: Error) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => {
    asked.listen(door, resolve);
  });
  return {
    async end() {
      asked.close();
      await (await starting?.catch(() => undefined))?.stop();
    },
  };
}

/** A database of its own on the server of the run; it goes when that goes. */
export async function ownDatabase(): Promise<RunningPostgres> {
  const door = inject('postgresDoor');
  if (door === undefined) return startPostgres();
  const place = JSON.parse(await text(connect(door)));
  if ('error' in place) throw new Error(place.error);
  const client = new pg.Client(place);
  await client.connect();
  const database = `tests_${process.pid}_${Date.now()}`;
  await client.query(`CREATE DATABASE ${database}`);
  await client.end();
  return { place: { ...place, database }, stop: async () => undefined };
}
