/**
 * The Cross-Border Transfer Service on one's own machine: an HTTP server on 127.0.0.1 with a book of its own.
 *
 * Why:     every kind of failure can be rehearsed here, and the book says afterwards what was really executed.
 * Errors:  SandboxBookError when the book cannot be opened; the server's own error when the port is taken.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gatewayAnswer, type Reply } from './answer.ts';
import { type Book, type NamedHolder, openBook } from './book.ts';
import { AUTH_PATH, answerRequest, BASE_PATH, type SandboxRequest } from './routes.ts';
import { type SandboxCredentials, type SandboxOptions, settingsFrom } from './sandbox-settings.ts';
import { type SandboxState, stateOf } from './sandbox-state.ts';
import { type ScenarioSettings, USUAL_SCENARIO } from './scenarios.ts';

export { SANDBOX_CREDENTIALS, type SandboxCredentials, type SandboxOptions } from './sandbox-settings.ts';

export interface Sandbox {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly port: number;
  readonly credentials: SandboxCredentials;
  readonly book: Book;
  /** Replaces the scenario; what a scenario has counted or emptied so far stays. */
  setScenario(scenario: Partial<ScenarioSettings>): void;
  /** Whose accounts these are from now on, but for accounts that rehearse trouble. See `takesHolders`. */
  knowHolders(holders: readonly NamedHolder[]): Promise<void>;
  /** Ends all connections, also idle ones, and closes the book. May be called again. */
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 64 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
const CONNECTIONS_MAX = 4096;
const REQUEST_MS_MAX = 30_000;
// Longer than our client keeps an idle connection, so that the client closes it.
const KEEP_ALIVE_MS = 65_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const book = await openBook({
    path: options.bookPath,
    newSeed: settings.newBookSeed,
    entriesMax: settings.bookEntriesMax,
  });
  const state = stateOf(settings, book);
  const server = serverOf(state);
  try {
    await listen(server, options.port ?? 0);
  } catch (error) {
    await book.close();
    throw error;
  }
  if (options.keepProcessAlive === false) server.unref();
  const port = portOf(server);
  let closing: Promise<void> | undefined;
  return {
    baseUrl: `http://127.0.0.1:${port}${BASE_PATH}`,
    authUrl: `http://127.0.0.1:${port}${AUTH_PATH}`,
    port,
    credentials: settings.credentials,
    book,
    setScenario: (scenario) => {
      state.scenario = { ...USUAL_SCENARIO, ...scenario };
    },
    knowHolders: (holders) => state.holders.know(holders),
    close: () => {
      closing ??= stop(server).then(() => book.close());
      return closing;
    },
  };
}

function serverOf(state: SandboxState): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: REQUEST_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => receive(state, request, response),
  );
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

/** Reads the whole body first: a request that breaks off on its way executes nothing. */
function receive(state: SandboxState, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.on('end', () => {
    const body = bytes <= BODY_BYTES_MAX ? Buffer.concat(chunks).toString('utf8') : undefined;
    void serve(state, requestOf(request, body), response);
  });
  // A broken connection is the client's problem, but without a listener it would end this process.
  request.on('error', () => response.destroy());
  response.on('error', () => response.destroy());
}

async function serve(state: SandboxState, request: SandboxRequest, response: ServerResponse): Promise<void> {
  let reply: Reply;
  try {
    reply = await answerRequest(state, request);
  } catch (error) {
    // The book could not be written, so whether the transfer executed is not known: no envelope claims
    // anything.
    reply = { ...gatewayAnswer(502), summary: error instanceof Error ? error.message : 'unexpected error' };
  }
  state.settings.log?.(logLine(request, reply));
  const { latencyMs } = state.settings;
  if (latencyMs > 0) setTimeout(deliver, latencyMs, reply, response).unref();
  else deliver(reply, response);
}

function deliver(reply: Reply, response: ServerResponse): void {
  if (response.destroyed) return;
  if (reply.kind === 'destroyed') {
    response.destroy();
    return;
  }
  const answer = reply.kind === 'cut' ? reply.answer : reply;
  const retryAfter = answer.retryAfterSeconds;
  response.writeHead(answer.httpStatus, {
    'Content-Type': answer.contentType,
    'Content-Length': Buffer.byteLength(answer.body),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
  if (reply.kind === 'cut') {
    response.write(answer.body.slice(0, answer.body.length / 2), () => response.destroy());
    return;
  }
  response.end(answer.body);
}

function requestOf(request: IncomingMessage, body: string | undefined): SandboxRequest {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    contentType: header('content-type'),
    session: { id: header('id'), token: header('token'), expiry: header('expiry') },
    body,
  };
}

/** Names the endpoint only: what follows it in the path may be an account number. */
function logLine(request: SandboxRequest, reply: Reply): string {
  const endpoint = request.url.split(/[/?]/, 3).slice(1).join('/').slice(0, 40);
  const status = reply.kind === 'answer' ? reply.httpStatus : '---';
  return `${request.method} /${endpoint} ${status} ${reply.summary}`;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
