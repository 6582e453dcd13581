/**
 * Writes one request on one prepared connection, once, and reports what came of it.
 *
 * There is no retry, no redirect, no second connection anywhere below: node:http is given the socket itself.
 * (`agent: false` must never be added: Node would then ignore the socket and open another connection.)
 * Errors:  none; whatever happens is a value, and its phase says whether a byte can have left.
 */
import http from 'node:http';
import { networkReason } from './network-reason.ts';
import type { ReadyConnection } from './ready-connection.ts';

export interface PostOrder {
  readonly connection: ReadyConnection;
  /** `host` or `host:port`. */
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Over the whole exchange, from the first byte written to the last one read. */
  readonly timeoutMs: number;
}

export type PostResult =
  /** The connection ended before the first byte was handed to it. */
  | { readonly kind: 'unsent'; readonly reason: string }
  | {
      readonly kind: 'no_answer';
      readonly phase: 'write' | 'wait' | 'answer';
      readonly errorCode: string;
      readonly bytesWritten: number;
      readonly httpStatus: number | undefined;
      /** What had come of the body. */
      readonly body: Uint8Array;
    }
  | {
      readonly kind: 'answer';
      readonly bytesWritten: number;
      readonly httpStatus: number;
      /** Proven by a Content-Length or by the last chunk; a closed connection proves nothing. */
      readonly complete: boolean;
      readonly retryAfter: string | undefined;
      readonly body: Uint8Array;
    };

const HEADER_BYTES_MAX = 16 * 1024;
const BODY_BYTES_MAX = 1024 * 1024;

export function postTransfer(order: PostOrder): Promise<PostResult> {
  return new Promise((resolve) => {
    const { socket } = order.connection;
    let phase: 'ready' | 'write' | 'wait' | 'answer' = 'ready';
    let response: http.IncomingMessage | undefined;
    let isOver = false;
    const chunks: Buffer[] = [];

    const finish = (result: PostResult) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const cut = (errorCode: string) => {
      if (phase === 'ready') return finish({ kind: 'unsent', reason: errorCode });
      const httpStatus = response?.statusCode;
      const body = Buffer.concat(chunks);
      finish({ kind: 'no_answer', phase, errorCode, bytesWritten: socket.bytesWritten, httpStatus, body });
    };
    const timer = setTimeout(cut, order.timeoutMs, 'timeout');

    const request = http.request(requestOptions(order));
    // The socket is assigned, and not yet written to: from here on a byte may have left.
    request.once('socket', () => {
      phase = 'write';
    });
    request.once('finish', () => {
      if (phase === 'write') phase = 'wait';
    });
    // Once an answer is whole, what follows on the connection changes nothing: its end is on the way.
    request.on('error', (error) => response?.complete !== true && cut(networkReason(error)));
    // Node says close before the end of an answer that is already there; the answer's own events decide then.
    request.on('close', () => response === undefined && cut('closed'));
    // Without a listener Node would keep an upgraded connection open.
    request.on('upgrade', () => cut('upgraded'));
    request.once('response', (incoming) => {
      phase = 'answer';
      response = incoming;
      collect(incoming, { chunks, cut, bytesWritten: () => socket.bytesWritten, finish });
    });
    request.end(order.body);
  });
}

interface Collector {
  readonly chunks: Buffer[];
  readonly cut: (errorCode: string) => void;
  readonly bytesWritten: () => number;
  readonly finish: (result: PostResult) => void;
}

function collect(incoming: http.IncomingMessage, { chunks, cut, bytesWritten, finish }: Collector): void {
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return cut('answer_too_large');
    chunks.push(chunk);
  });
  incoming.on('error', (error) => cut(networkReason(error)));
  incoming.on('close', () => cut('answer_cut'));
  incoming.on('end', () => {
    if (!incoming.complete) return cut('answer_cut');
    finish({
      kind: 'answer',
      bytesWritten: bytesWritten(),
      httpStatus: incoming.statusCode ?? 0,
      complete: isFramed(incoming),
      retryAfter: incoming.headers['retry-after'],
      body: Buffer.concat(chunks),
    });
  });
}

/** Node reports a body that ended with the connection as complete; it only knows that nothing more came. */
function isFramed({ statusCode, headers }: http.IncomingMessage): boolean {
  if (statusCode === 204 || statusCode === 304) return true;
  const isChunked = /(^|,)\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  return isChunked || headers['content-length'] !== undefined;
}

function requestOptions(order: PostOrder): http.RequestOptions {
  return {
    method: 'POST',
    path: order.path,
    createConnection: () => order.connection.socket,
    maxHeaderSize: HEADER_BYTES_MAX,
    setDefaultHeaders: false,
    headers: {
      host: order.host,
      ...order.headers,
      'user-agent': 'payfile',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(order.body),
      connection: 'close',
    },
  };
}
