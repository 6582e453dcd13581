/**
 * One HTTP request for everything that moves no money: questions and logins. The door of got.
 *
 * No retry, no redirect, no decompression, no cookies, no proxy from the environment; every wait and every
 * size has a limit. What a network or a server can do comes back as a value.
 * Errors:  only an abort by the caller rejects, with the signal's reason.
 */

import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import got, { type OptionsInit } from 'got';
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
  /** How host names are resolved; undefined: as the system does. @internal */
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
  const client = got.extend(optionsOf(settings, agents));
  return {
    exchange: (exchange, signal) => exchangeOnce({ exchange, client, signal }),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function optionsOf(
  settings: ReadClientSettings,
  agent: { http: http.Agent; https: https.Agent },
): OptionsInit {
  const connect = settings.connectTimeoutMs;
  return {
    agent,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    http2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    https: { rejectUnauthorized: true },
    timeout: { lookup: connect, connect, secureConnect: connect, request: settings.timeoutMs },
    headers: { 'user-agent': 'payfile', accept: 'application/json', 'accept-encoding': 'identity' },
  };
}

interface OneExchange {
  readonly exchange: Exchange;
  readonly client: typeof got;
  readonly signal: AbortSignal | undefined;
}

async function exchangeOnce({ exchange, client, signal }: OneExchange): Promise<Reply> {
  signal?.throwIfAborted();
  const stream = client.stream(exchange.url, {
    method: exchange.method,
    headers: { ...exchange.headers },
    // Only with a body: got would otherwise wait for one to be written to the stream.
    ...(exchange.body === undefined ? {} : { body: exchange.body, allowGetBody: true }),
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > BODY_BYTES_MAX) return { kind: 'no_answer', reason: 'answer_too_large' };
      chunks.push(chunk);
    }
    return answerOf(stream.response, Buffer.concat(chunks));
  } catch (error) {
    signal?.throwIfAborted();
    return { kind: 'no_answer', reason: networkReason(error) };
  } finally {
    // A later error of a stream that nobody reads any more would otherwise end the process.
    stream.on('error', () => undefined);
    stream.destroy();
  }
}

interface ResponseHead {
  readonly statusCode: number;
  readonly headers: http.IncomingHttpHeaders;
}

function answerOf(response: ResponseHead | undefined, body: Uint8Array): Reply {
  if (response === undefined) return { kind: 'no_answer', reason: 'answer_missing' };
  return {
    kind: 'answer',
    httpStatus: response.statusCode,
    date: response.headers.date,
    retryAfter: response.headers['retry-after'],
    body: textOf(body),
  };
}
