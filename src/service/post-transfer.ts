/**
 * Writes one request on one prepared connection, once, and returns the result.
 *
 * There is no retry, no redirect, no second connection anywhere below: node:http is given the socket itself.
 * (`agent: false` must never be added: Node would then ignore the socket and open another connection.)
 * Errors:  none; whatever happens is a value, and its phase says whether a byte can have left.
 */
import http from 'node:http';
import type { LateAnswer } from '../ports/payment-service.ts';
import type { ReadyConnection } from './one-use-connections.ts';
import { networkReason } from './service-address.ts';

export interface PostOrder {
  readonly connection: ReadyConnection;
  /** `host` or `host:port`. */
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Over the whole exchange, from the first byte written to the last one read. */
  readonly timeoutMs: number;
  /** How much longer the connection is listened to after that; 0: not at all. */
  readonly lateAnswerMs: number;
  /** Ends that listening. */
  readonly closing: AbortSignal;
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
      /** After a timeout, when the connection was still open. */
      readonly late?: LateAnswer<PostAnswer>;
    }
  | PostAnswer;

export interface PostAnswer {
  readonly kind: 'answer';
  readonly bytesWritten: number;
  readonly httpStatus: number;
  /** Proven by a Content-Length or by the last chunk; a closed connection proves nothing. */
  readonly complete: boolean;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  readonly body: Uint8Array;
}

const HEADER_BYTES_MAX = 16 * 1024;
const BODY_BYTES_MAX = 1024 * 1024;

export function postTransfer(order: PostOrder): Promise<PostResult> {
  return new Promise((resolve) => {
    const { socket } = order.connection;
    let phase: 'ready' | 'write' | 'wait' | 'answer' = 'ready';
    let response: http.IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    const end = endOnce(order, resolve);

    const noAnswer = (errorCode: string): PostResult => {
      if (phase === 'ready') return { kind: 'unsent', reason: errorCode };
      const httpStatus = response?.statusCode;
      const body = Buffer.concat(chunks);
      return { kind: 'no_answer', phase, errorCode, bytesWritten: socket.bytesWritten, httpStatus, body };
    };
    const cut = (errorCode: string) => end.finish(noAnswer(errorCode));
    end.whenPatienceEnds(() => noAnswer('timeout'));

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
      collect(incoming, { chunks, cut, bytesWritten: () => socket.bytesWritten, finish: end.finish });
    });
    request.end(order.body);
  });
}

interface End {
  /** What came of the request; the first call counts. The connection is destroyed. */
  readonly finish: (result: PostResult) => void;
  /** Gives up waiting for the result, and listens on where an answer can still come. */
  readonly whenPatienceEnds: (soFar: () => PostResult) => void;
}

function endOnce(order: PostOrder, resolve: (result: PostResult) => void): End {
  const { connection, timeoutMs, lateAnswerMs, closing } = order;
  let tell = resolve;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const finish = (result: PostResult) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    connection.socket.destroy();
    tell(result);
  };
  const listenOn = (soFar: () => PostResult) => {
    const result = soFar();
    if (result.kind !== 'no_answer' || lateAnswerMs === 0 || closing.aborted) return finish(result);
    const late = Promise.withResolvers<PostAnswer | undefined>();
    const giveUp = () => finish(soFar());
    tell = (later) => {
      closing.removeEventListener('abort', giveUp);
      late.resolve(later.kind === 'answer' ? later : undefined);
    };
    closing.addEventListener('abort', giveUp);
    timer = setTimeout(giveUp, lateAnswerMs);
    resolve({ ...result, late: { answer: late.promise, stop: giveUp } });
  };
  return {
    finish,
    whenPatienceEnds: (soFar) => {
      timer = setTimeout(listenOn, timeoutMs, soFar);
    },
  };
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
      date: incoming.headers.date,
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
