/** What each connection to a server is given, whatever the server says; and what stands between that would take it away. */
import { createServer, type Socket } from 'node:net';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { connectPg, pgError, poolOf } from '../../src/ledger/pg-connection.ts';
import { q } from '../../src/ledger/sql.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { onBoth } from './both-databases.ts';

const SETTINGS = ['synchronous_commit', 'idle_in_transaction_session_timeout', 'idle_session_timeout'];
const WANTED = ['on', '2s', '0'];

/** Told to whoever logs in: that it may, a number of a session that is none of the server's, and that it may ask. */
const LOGGED_IN = Buffer.from(
  '52 00000008 00000000 4b 0000000c 00000063 00000001 5a 00000005 49'.replaceAll(' ', ''),
  'hex',
);

/**
 * A pooler: each client speaks with whichever session of the server was free last, until its transaction (or, of `session`,
 * its connection) is over. Just enough of the protocol for that.
 */
async function pooler(place: ServerPlace, mode: 'transaction' | 'session'): Promise<ServerPlace> {
  const [idle, sockets]: [Socket[], Socket[]] = [[], []];
  const session = async () => {
    const { schema: _schema, tls: _tls, ...where } = place;
    const client = new pg.Client(where);
    client.on('error', () => undefined);
    await client.connect();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.removeAllListeners('data');
    sockets.push(stream);
    return stream;
  };
  const server = createServer((client) => {
    sockets.push(client);
    let own: Promise<Socket> | undefined;
    const take = async () => {
      const upstream = idle.pop() ?? (await session());
      upstream.removeAllListeners('data').on('data', (data) => {
        // The last message of an answer says whether a transaction is open.
        const isOver = data.subarray(-6).equals(Buffer.from('5a0000000549', 'hex'));
        if (isOver && mode === 'transaction') {
          own = undefined;
          idle.push(upstream);
        }
        client.write(data);
      });
      return upstream;
    };
    client.once('data', () => {
      client.write(LOGGED_IN);
      client.on('data', (data) => {
        own ??= take();
        void own.then((upstream) => upstream.write(data));
      });
    });
    client.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { ...place, port: (server.address() as { port: number }).port };
}

const ofServer = (code: string) => Object.assign(new Error('it said so'), { severity: 'FATAL', code });

it.each<[string, Error]>([
  ['a reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['an end', new Error('Connection terminated unexpectedly')],
  ['a client that is over', new Error('Client has encountered a connection error and is not queryable')],
  ['no answer', new Error('Query read timeout')],
  ['a server that is shut down', ofServer('57P01')],
  ['a server that crashed', ofServer('57P02')],
  ['a server that starts', ofServer('57P03')],
  ['a protocol that broke off', ofServer('08P01')],
  ['too many connections', ofServer('53300')],
  ['no memory', ofServer('53200')],
  ['a disk that fails', ofServer('58030')],
  ['an internal error', ofServer('XX000')],
  ['a transaction that stood still', ofServer('25P03')],
  ['a password that the server refuses', ofServer('28P01')],
  ['a database that is gone', ofServer('3D000')],
])('tells %s as a server that cannot be reached, which is neither damage nor a bug', (_what, error) => {
  expect(pgError(error, 'postgres://x', true)).toMatchObject({
    code: 'ledger_unreachable',
    isFinal: true,
    isUnknown: true,
    message: expect.stringContaining('What it wrote last is not known here.'),
  });
});

it('leaves what is neither server nor connection as it is', () => {
  for (const error of [new TypeError('x is not a function'), ofServer('42601')])
    expect(pgError(error, 'postgres://x')).toBe(error);
});

onBoth(
  (place) => {
    it('tells a connection that is lost inside of a guarded statement to whoever asked, and nobody else', async () => {
      const at = await place();
      const { parts } = await at.open();
      const unheard: unknown[] = [];
      const hear = (error: unknown) => unheard.push(error);
      process.on('unhandledRejection', hear);
      onTestFinished(() => void process.off('unhandledRejection', hear));
      const lost = parts.writer.write(async ({ sql, guarded }) => {
        const pid = (await sql.get(q`SELECT pg_backend_pid() AS pid`))?.['pid'];
        await at.exec(`SELECT pg_terminate_backend(${pid}, 5000)`);
        await guarded(() => sql.get(q`SELECT 1 AS one`));
      });
      await expect(lost).rejects.toMatchObject({ code: 'ledger_unreachable' });
      await new Promise(setImmediate);
      expect(unheard).toEqual([]);
    });

    it('gives every guarantee to each connection, whatever is the default of its database', async () => {
      const at = await place();
      if (at.server === undefined) throw new TypeError('no server');
      const database = at.server.database;
      await at.exec(
        `ALTER DATABASE ${database} SET synchronous_commit TO off; ALTER DATABASE ${database} SET idle_session_timeout TO 60000`,
      );
      onTestFinished(() => at.exec(`ALTER DATABASE ${database} RESET ALL`));
      const opened = await at.open();
      const settings = q`SELECT name, CASE WHEN unit = 'ms' AND setting <> '0' THEN (setting::int / 1000) || 's' ELSE setting END AS is
        FROM pg_settings WHERE name IN ('synchronous_commit', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;
      const wanted = new Map(SETTINGS.map((name, n) => [name, WANTED[n]]));
      const given = (rows: readonly { readonly [key: string]: unknown }[]) =>
        new Map(rows.map(({ name, is }) => [name, is]));
      expect(given(await opened.parts.read.all(settings))).toEqual(wanted);
      expect(given(await opened.parts.writer.write(({ sql }) => sql.all(settings)))).toEqual(wanted);
    });

    it('keeps every guarantee when the server’s defaults change while it works, also on connections made after that', async () => {
      const at = await place();
      if (at.server === undefined) throw new TypeError('no server');
      const { database, user } = at.server;
      const opened = await at.open();
      const { read, writer } = opened.parts;
      const isOn = q`SELECT current_setting('synchronous_commit') AS is`;
      const both = async () => [
        (await read.get(isOn))?.['is'],
        await writer.write(async ({ sql }) => (await sql.get(isOn))?.['is']),
      ];
      expect(await both()).toEqual(['on', 'on']);
      await at.exec(
        `ALTER DATABASE ${database} SET synchronous_commit TO off; ALTER ROLE ${user} IN DATABASE ${database} SET synchronous_commit TO off`,
      );
      onTestFinished(() =>
        at.exec(`ALTER DATABASE ${database} RESET ALL; ALTER ROLE ${user} IN DATABASE ${database} RESET ALL`),
      );
      expect(await both()).toEqual(['on', 'on']);
      // More than the pool has at hand.
      const more = await Promise.all(
        Array.from({ length: 4 }, () =>
          read.get(q`SELECT pg_sleep(0.2), current_setting('synchronous_commit') AS is`),
        ),
      );
      expect(more.map((row) => row?.['is'])).toEqual(['on', 'on', 'on', 'on']);
      const later = await at.open();
      expect(await later.parts.writer.write(async ({ sql }) => (await sql.get(isOn))?.['is'])).toBe('on');
    });

    it('refuses a pooler that gives each transaction another session, and takes one that keeps it', async () => {
      const at = await place();
      if (at.server === undefined) throw new TypeError('no server');
      const client = await connectPg(await pooler(at.server, 'session'));
      await client.end();
      await expect(connectPg(await pooler(at.server, 'transaction'))).rejects.toMatchObject({
        code: 'ledger_unsupported',
      });
    });

    it('hears of a connection that breaks off while it is asked, as of any other error', async () => {
      const at = await place();
      if (at.server === undefined) throw new TypeError('no server');
      const pool = poolOf(at.server, { max: 1 });
      const client = await pool.connect();
      const asked = client.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      // Nobody has to listen: without a listener this would end the process.
      expect(client.listenerCount('error')).toBeGreaterThan(0);
      stream.destroy();
      expect(pgError(await asked, 'postgres://x')).toMatchObject({ code: 'ledger_unreachable' });
      client.release(true);
      await pool.end();
    });

    it('tells a server that is away as that', async () => {
      const at = await place();
      if (at.server === undefined) throw new TypeError('no server');
      const away = { ...at.server, port: 1 };
      await expect(connectPg(away)).rejects.toMatchObject({ code: 'ledger_unreachable' });
    });
  },
  ['pg'],
);
