/**
 * The fault server: the whole service over raw TCP or TLS on loopback, with every fault a network or a service can
 * have, and its own book of what arrived and what was executed. Nothing here is shared with the product but the
 * stamp format, so its book is the oracle.
 *
 * In a test:   `const server = await startFaultServer({ next: () => ({ executes: true }) })`; `server.book.posts`.
 * Addresses:   `${url}/v1` for the service, `${url}/auth` for the login.
 */
import { once } from 'node:events';
import net from 'node:net';
import { accepted, answerTo, isLoggedIn } from './answers.ts';
import { type Book, openBook, type Posted } from './book.ts';
import type { Ending, Fault } from './fault.ts';
import { type HttpRequest, httpRequestOf } from './http-request.ts';
import { type TlsFault, tlsServer } from './tls.ts';

export interface FaultServerOptions {
  /** What goes wrong with the next transfer; asked once per request, with its order when it could be read. */
  readonly next?: (order: Order) => Fault;
  readonly tls?: TlsFault | undefined;
  /** What happens to a connection as soon as it is there, before TLS; undefined: nothing. */
  readonly onConnection?: ((socket: net.Socket) => void) | undefined;
  readonly port?: number;
  readonly tokenSeconds?: number;
}

export interface Order {
  readonly account: string;
  readonly amount: string;
  readonly name: string;
  readonly note: string;
}

export interface FaultServer {
  readonly url: string;
  readonly port: number;
  readonly book: Book;
  /** Connections so far, and those open now. */
  readonly connections: () => number;
  readonly open: () => number;
  /** Replaces what goes wrong from now on. */
  next: (order: Order) => Fault;
  /** Whether questions are answered; else their connections are reset. */
  answersQuestions: boolean;
  close(): Promise<void>;
}

export async function startFaultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const book = openBook();
  const sessions = { tokens: new Set<string>(), tokenSeconds: options.tokenSeconds ?? 3_600 };
  const raw = new Map<number | undefined, net.Socket>();
  let connections = 0;
  const serve = (socket: net.Socket) => {
    const talk: Talk = { socket, raw: raw.get(socket.remotePort) ?? socket, book, sessions, server };
    socket.on('error', () => undefined);
    serveConnection(talk);
  };
  const listening = options.tls === undefined ? net.createServer(serve) : tlsServer(options.tls, serve);
  listening.on('connection', (socket: net.Socket) => {
    connections += 1;
    const port = socket.remotePort;
    raw.set(port, socket);
    socket.on('error', () => undefined);
    socket.on('close', () => raw.delete(port));
    options.onConnection?.(socket);
  });
  listening.listen(options.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as net.AddressInfo;
  const server: FaultServer = {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    book,
    connections: () => connections,
    open: () => raw.size,
    answersQuestions: true,
    next: options.next ?? (() => ({ executes: true })),
    close: async () => {
      listening.close();
      for (const socket of raw.values()) socket.destroy();
    },
  };
  return server;
}

interface Talk {
  readonly socket: net.Socket;
  /** Below TLS, for a reset. */
  readonly raw: net.Socket;
  readonly book: Book;
  readonly sessions: { readonly tokens: Set<string>; readonly tokenSeconds: number };
  readonly server: FaultServer;
}

/** Reads requests one after another; what comes after a broken transfer is not read any more. */
function serveConnection(talk: Talk): void {
  let pending = Buffer.alloc(0);
  let fault: Fault | undefined;
  let isBroken = false;
  talk.socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (!isBroken) {
      const request = httpRequestOf(pending);
      if (request === undefined) return;
      const isTransfer = request.method === 'POST' && request.path.endsWith('/transfer');
      if (isTransfer) {
        fault ??= talk.server.next(orderOf(request));
        if (breaksRequest(talk, request, fault)) {
          isBroken = true;
          return;
        }
      }
      if (!request.isWhole) return;
      pending = pending.subarray(request.bytes);
      if (isTransfer) answerTransfer(talk, request, fault ?? { executes: true });
      else answerQuestion(talk, request);
      fault = undefined;
    }
  });
}

/** True when the connection was broken at the byte named, or is to be left alone from there on. */
function breaksRequest(talk: Talk, request: HttpRequest, fault: Fault): boolean {
  const { breakRequest } = fault;
  if (breakRequest === undefined || request.bytes < breakRequest.atByte) return false;
  const bytes = breakRequest.atByte;
  note(talk, request, {
    bytes,
    complete: request.isWhole && bytes >= request.bytes,
    executes: fault.executes,
  });
  end(talk, breakRequest.by);
  return true;
}

function answerQuestion(talk: Talk, request: HttpRequest): void {
  const path = belowPrefix(request.path);
  if (talk.server.answersQuestions)
    talk.socket.write(answerTo({ ...request, path }, talk.book, talk.sessions));
  else end(talk, 'reset');
}

function answerTransfer(talk: Talk, request: HttpRequest, fault: Fault): void {
  if (!isLoggedIn(request.headers, talk.sessions)) {
    note(talk, request, { bytes: request.bytes, complete: true, executes: false });
    talk.socket.write(answerTo({ ...request, path: '/transfer' }, talk.book, talk.sessions));
    return;
  }
  const posted = note(talk, request, { bytes: request.bytes, complete: true, executes: fault.executes });
  const write = () => void writeAnswer(talk, posted, fault);
  if (fault.delayMs === undefined) write();
  else setTimeout(write, fault.delayMs);
}

async function writeAnswer(talk: Talk, posted: Posted, fault: Fault): Promise<void> {
  const { socket, book } = talk;
  // A latin1 text stands for bytes as they are; the answers of the service are ASCII.
  const whole = Buffer.from((fault.answer ?? accepted)(posted.transferId ?? 'tr-0'), 'latin1');
  const { breakAnswer } = fault;
  const bytes = whole.subarray(0, breakAnswer?.atByte ?? whole.length);
  book.answered({ number: posted.number, bytes: bytes.length, whole: bytes.length === whole.length });
  await writeSlowly(socket, bytes, fault);
  if (breakAnswer === undefined) return;
  // Time for the bytes to be read: a reset may overtake them.
  if (bytes.length > 0 && breakAnswer.by === 'reset') await pause(RESET_AFTER_MS);
  end(talk, breakAnswer.by);
}

const RESET_AFTER_MS = 5;

function end({ socket, raw }: Talk, by: Ending): void {
  if (by === 'reset') raw.resetAndDestroy();
  if (by === 'end') socket.end();
}

function note(
  { socket, book }: Talk,
  request: HttpRequest,
  { bytes, complete, executes }: { bytes: number; complete: boolean; executes: boolean },
): Posted {
  return book.post({
    clientPort: socket.remotePort ?? 0,
    bytes,
    complete,
    executed: executes,
    transferId: executes ? book.nextTransferId() : undefined,
    ...orderOf(request),
  });
}

function orderOf({ body }: HttpRequest): Order {
  const text = (name: string) => new RegExp(`"${name}":"?((?:[^"\\\\,}]|\\\\.)*)`).exec(body)?.[1] ?? '';
  return { account: text('AccountNo'), amount: text('Amount'), name: text('Name'), note: text('Note') };
}

const belowPrefix = (path: string) => path.replace(/^\/(v1|auth)/, '');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const written = (socket: net.Socket, bytes: Uint8Array) =>
  new Promise<void>((resolve) => (bytes.length === 0 ? resolve() : socket.write(bytes, () => resolve())));

async function writeSlowly(socket: net.Socket, bytes: Uint8Array, { rest, dripMs }: Fault): Promise<void> {
  if (dripMs !== undefined) return drip(socket, bytes, dripMs);
  if (rest === undefined) return written(socket, bytes);
  await written(socket, bytes.subarray(0, rest.fromByte));
  await pause(rest.afterMs);
  await written(socket, bytes.subarray(rest.fromByte));
}

async function drip(socket: net.Socket, bytes: Uint8Array, everyMs: number): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at += 1) {
    await written(socket, bytes.subarray(at, at + 1));
    await pause(everyMs);
  }
}
