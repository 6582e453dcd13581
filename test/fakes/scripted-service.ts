/**
 * A payment service whose every byte is scripted: raw TCP or TLS on loopback. It counts what arrives and
 * answers what the test says, well-formed or not. Its book of requests is the oracle.
 */
import { once } from 'node:events';
import net from 'node:net';
import { httpRequestOf } from './fault-server/http-request.ts';
import { fixture, tlsServer } from './fault-server/tls.ts';

export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The client's port: a fresh one for each connection. */
  readonly clientPort: number;
}

/** Bytes to write as they are, or a function that does what it likes with the socket. */
export type Script = string | ((socket: net.Socket, request: ScriptedRequest) => void);

export interface ScriptedService {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ScriptedRequest[];
  readonly connections: () => number;
  /** `GET /countries`, `POST /transfer`: what to answer, in turn; the last one stays. */
  on(route: string, ...scripts: Script[]): void;
  /** How many requests of this route arrived. */
  count(route: string): number;
  close(): Promise<void>;
}

export interface ScriptedOptions {
  readonly tls?: 'good' | 'other_host' | undefined;
  readonly alpn?: readonly string[] | undefined;
  /** Called for each connection before anything is read. */
  readonly onConnection?: ((socket: net.Socket) => void) | undefined;
}

/** The certificate of the scripted service; trusting it makes its TLS verify. */
export const testAuthority = fixture('test-only.cert.pem');

export async function startScriptedService(options: ScriptedOptions = {}): Promise<ScriptedService> {
  const requests: ScriptedRequest[] = [];
  const scripts = new Map<string, Script[]>();
  const sockets = new Set<net.Socket>();
  let connections = 0;

  const onSocket = (socket: net.Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    options.onConnection?.(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      const turns = scripts.get(routeOf(request)) ?? [json(404, envelope('failed', 44, {}, 'no such route'))];
      const script = turns.length > 1 ? turns.shift() : turns[0];
      if (typeof script === 'string') socket.write(script);
      else script?.(socket, request);
    });
  };
  const server = serverOf(options, onSocket);
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = (server.address() as net.AddressInfo).port;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    on: (route, ...turns) => void scripts.set(route, turns),
    count: (route) => requests.filter((request) => routeOf(request) === route).length,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A whole HTTP answer with a JSON body and its length. */
export function json(httpStatus: number, body: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ 'Content-Type': 'application/json', ...headers });
  const length = Buffer.byteLength(body);
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${httpStatus} Scripted\r\n${head}Content-Length: ${length}\r\n\r\n${body}`;
}

export function envelope(status: string, code: number | string, data: unknown, message = ''): string {
  return JSON.stringify({ status, data, message, code });
}

/** A login answer whose token ends after `lifetimeMs` on a clock at `offsetMinutes`. */
export function session(token: string, expiry: string): string {
  return json(200, envelope('Success', 0, { token, id: 'owner-1', expiry }, 'Login successful'));
}

function serverOf({ tls, alpn }: ScriptedOptions, onSocket: (socket: net.Socket) => void): net.Server {
  if (tls === undefined) return net.createServer(onSocket);
  const certificate = tls === 'good' ? 'test-only' : 'other-host';
  return tlsServer({ certificate, ...(alpn === undefined ? {} : { alpn }) }, onSocket);
}

function routeOf(request: ScriptedRequest): string {
  return `${request.method} ${request.path}`;
}

/** Reads requests one after another from a connection. */
function readRequests(socket: net.Socket, onRequest: (request: ScriptedRequest) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const request = httpRequestOf(pending);
      if (request?.isWhole !== true) return;
      pending = pending.subarray(request.bytes);
      const { method, path, headers, body } = request;
      onRequest({ method, path, headers, body, clientPort: socket.remotePort ?? 0 });
    }
  });
}
