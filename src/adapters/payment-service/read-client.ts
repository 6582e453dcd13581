/**
 * One HTTP request for everything that moves no money: questions and logins.
 *
 * node:http as it is: no retry, no redirect, no decompression, no cookies, no proxy from the environment; every wait and
 * every size has a limit. A third of the time that a client library needs, and names and quotes are most requests of a run.
 * What a network or a server can do comes back as a value.
 * Errors:  only an abort by the caller rejects, with the signal's reason.
 */

import http from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { guardedLookup, networkReason } from './service-address.ts';
import { textOf } from './service-text.ts';

export interface Exchange {
  /** What is asked, for logs; never a path, which may hold an account number. */
  readonly endpoint: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string | undefined;
}

export type Reply = Answer | NoAnswer;

export interface Answer {
  readonly kind: 'answer';
  readonly httpStatus: number;
  readonly date: string | undefined;
  readonly retryAfter: string | undefined;
  /** undefined when the bytes are not UTF-8. */
  readonly body: string | undefined;
}

interface NoAnswer {
  readonly kind: 'no_answer';
  /** A short code such as ECONNREFUSED; never text from the network. */
  readonly reason: string;
}

export type ExchangeOnce = (exchange: Exchange, signal?: AbortSignal) => Promise<Reply>;

interface ReadClientSettings {
  /** Over the whole exchange. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** How many transfers go out at once: as many questions can be asked at once, too. */
  readonly concurrency: number;
  /** PEM of an authority to trust instead of the system's; undefined for the usual ones. */
  readonly certificateAuthority: string | undefined;
  /** How host names are resolved; undefined: as the system does. */
  readonly lookup?: LookupFunction | undefined;
}

interface ReadClient {
  readonly exchange: ExchangeOnce;
  readonly close: () => void;
}

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
const SOCKETS_LEAST = 64;

export function createReadClient(settings: ReadClientSettings): ReadClient {
  const ca = settings.certificateAuthority;
  const maxSockets = Math.max(SOCKETS_LEAST, settings.concurrency);
  const shared = { keepAlive: true, maxSockets, lookup: guardedLookup(settings.lookup) };
  const agents = {
    http: new http.Agent(shared),
    https: new https.Agent({
      ...shared,
      ALPNProtocols: ['http/1.1'],
      // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing here.
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
    }),
  };
  return {
    exchange: (exchange, signal) => exchangeOnce(exchange, { settings, agents }, signal),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Client {
  readonly settings: ReadClientSettings;
  readonly agents: { readonly http: http.Agent; readonly https: https.Agent };
}

async function exchangeOnce(
  exchange: Exchange,
  client: Client,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const cut = (reason: string) => resolve({ kind: 'no_answer', reason });
  const timer = setTimeout(cut, client.settings.timeoutMs, 'ETIMEDOUT');
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let request: http.ClientRequest | undefined;
  let isAnswering = false;
  try {
    request = requestOf(exchange, client);
    request.on('socket', (socket) => limitConnecting(socket, client.settings.connectTimeoutMs, cut));
    request.on('error', (error) => cut(networkReason(error)));
    // Node says close before the end of an answer that is already there; the answer's own events decide then.
    request.on('close', () => !isAnswering && cut('answer_missing'));
    // Without a listener Node would keep an upgraded connection open.
    request.on('upgrade', () => cut('upgraded'));
    request.on('response', (response) => {
      isAnswering = true;
      collect(response, resolve);
    });
    request.end(exchange.body);
    const reply = await promise;
    // A connection with an answer on it that was not read to its end is good for no other question.
    if (reply.kind === 'no_answer') request.destroy();
    return reply;
  } catch (error) {
    request?.destroy();
    signal?.throwIfAborted();
    return { kind: 'no_answer', reason: networkReason(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function requestOf({ method, url, headers, body }: Exchange, { agents }: Client): http.ClientRequest {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = {
    method,
    maxHeaderSize: HEADER_BYTES_MAX,
    headers: {
      'user-agent': 'payfile',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...headers,
      ...length,
    },
  };
  return url.startsWith('https:')
    ? https.request(url, { ...options, agent: agents.https })
    : http.request(url, { ...options, agent: agents.http });
}

/** One that is kept open from an earlier question is connected already. */
function limitConnecting(socket: Socket, connectTimeoutMs: number, cut: (reason: string) => void): void {
  if (!socket.connecting) return;
  const timer = setTimeout(cut, connectTimeoutMs, 'ETIMEDOUT');
  const stop = () => clearTimeout(timer);
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
}

function collect(response: http.IncomingMessage, tell: (reply: Reply) => void): void {
  const cut = (reason: string) => tell({ kind: 'no_answer', reason });
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return cut('answer_too_large');
    chunks.push(chunk);
  });
  response.on('error', (error) => cut(networkReason(error)));
  response.on('close', () => cut('answer_cut'));
  response.on('end', () => {
    if (!response.complete) return cut('answer_cut');
    tell({
      kind: 'answer',
      httpStatus: response.statusCode ?? 0,
      date: response.headers.date,
      retryAfter: response.headers['retry-after'],
      body: textOf(Buffer.concat(chunks)),
    });
  });
}
