/**
 * The sockets. `localhost` is two addresses, and a browser may try either: both are taken, so that no other program of
 * this machine can answer in the console's name.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { PortTaken } from '../../payfile.ts';

const ADDRESSES = ['127.0.0.1', '::1'] as const;
const CONNECTIONS_MAX = 500;
const HEADERS_MS_MAX = 10_000;
/** A large file over a slow disk. */
const REQUEST_MS_MAX = 5 * 60_000;
const TRIES_MAX = 20;

export interface Listening {
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** `open` makes the answers, once the port is known. Port 0: any that is free. Errors: PortTaken. */
export async function listen(
  wanted: number,
  open: (port: number) => (request: Request) => Response | Promise<Response>,
): Promise<Listening> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const servers: Server[] = [];
    try {
      return await onAll(wanted, open, servers);
    } catch (error) {
      await Promise.all(servers.map(closed));
      if (!isTaken(error)) throw error;
      if (wanted !== 0) throw new PortTaken(wanted);
    }
  }
  throw new PortTaken(wanted);
}

async function onAll(
  wanted: number,
  open: Parameters<typeof listen>[1],
  servers: Server[],
): Promise<Listening> {
  let fetch: ReturnType<typeof open> | undefined;
  let port = wanted;
  for (const address of ADDRESSES) {
    const server = createAdaptorServer({
      fetch: (request) => fetch?.(request) ?? new Response(null, { status: 503 }),
    }) as Server;
    server.maxConnections = CONNECTIONS_MAX;
    server.headersTimeout = HEADERS_MS_MAX;
    server.requestTimeout = REQUEST_MS_MAX;
    server.listen({ port, host: address, ipv6Only: address === '::1' });
    try {
      await once(server, 'listening');
    } catch (error) {
      // A machine without IPv6 has one address of the two.
      if (address === '::1' && !isTaken(error)) continue;
      throw error;
    }
    servers.push(server);
    port = (server.address() as AddressInfo).port;
  }
  fetch = open(port);
  return {
    port,
    close: async () => {
      await Promise.all(servers.map(closed));
    },
  };
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

async function closed(server: Server): Promise<void> {
  const end = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await end;
}
