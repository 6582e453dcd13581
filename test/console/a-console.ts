/**
 * A console without sockets: requests go to it as a browser writes them, and its pages come back. Each visitor has a
 * session of its own.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Desk } from '../../src/console/desk.ts';
import { createKeptFiles } from '../../src/console/files/kept-files.ts';
import { createJobs } from '../../src/console/jobs.ts';
import { createPace } from '../../src/console/page/asks-again.ts';
import { createWatching } from '../../src/console/page/watching.ts';
import { commandInWords } from '../../src/console/page/words.ts';
import { ROUTES } from '../../src/console/routes.ts';
import { createApp } from '../../src/console/server/app.ts';
import { pathWithin } from '../../src/console/server/own-path.ts';
import { cookieName, createSessions, createTickets } from '../../src/console/server/sessions.ts';
import { createKeptStatements } from '../../src/console/statements/kept-statements.ts';
import { createTurnsOfConsole } from '../../src/console/turns.ts';
import { type Person, ROLES, type Role } from '../../src/domain/people/person.ts';
import { createPayfile, type Payfile, type PayfileOptions } from '../../src/payfile.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { type BriskClock, createBriskClock } from '../fakes/brisk-clock.ts';

const PORT = 4870;
/** Shorter than ten seconds, the shortest time that payfile waits for an answer. */
const PAUSE_MS_MAX = 9_000;
export const ORIGIN = `http://localhost:${PORT}`;

export interface Visitor {
  /** What the browser keeps, and the path that it keeps it for. */
  readonly cookie: string;
  readonly own: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** A form, sent as the browser sends it. */
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** A form with one file. */
  upload(
    path: string,
    name: string,
    content: string | Uint8Array,
    fields?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** A body of any kind. */
  send(
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** The whole text of a page. */
  page(path: string): Promise<string>;
}

export interface AConsole {
  readonly desk: Desk;
  readonly payfile: Payfile;
  /** A pause takes no time, unless the test has its own clock. */
  readonly clock: BriskClock;
  readonly said: readonly string[];
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
  visitor(id?: string, roles?: readonly Role[], cameWith?: string): Visitor;
  /** When nothing is under way any more. */
  idle(): Promise<void>;
}

interface Around {
  /** The environment of an existing machine; by default, of a new one. */
  readonly env?: Readonly<Record<string, string>>;
  readonly time?: Clock;
  readonly atEnd?: AtEnd;
}

/** Registers a cleanup function; by default for the end of the test. */
export type AtEnd = (end: () => void) => void;

/** Opened once for all tests of a file that only read it or change separate parts. Call it at the top of the file. */
export function shared<Opened>(open: (atEnd: AtEnd) => Promise<Opened>): () => Opened {
  let opened: Opened | undefined;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    opened = await open((end) => ends.unshift(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => {
    if (opened === undefined) throw new TypeError('Use it in a test: it opens before the first test');
    return opened;
  };
}

export function aConsole(
  options: Partial<PayfileOptions> = {},
  { env, time, atEnd = onTestFinished }: Around = {},
): AConsole {
  const folder = mkdtempSync(join(tmpdir(), 'console-test-'));
  const [home, uploads] = [join(folder, 'home'), join(folder, 'uploads')];
  for (const path of [home, uploads]) mkdirSync(path);
  const own = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB', ...options };
  const clock = createBriskClock();
  const payfile = createPayfile(own, {
    env: env ?? { HOME: home },
    place: { inWords: commandInWords },
    clock: time ?? clock.withPauses(PAUSE_MS_MAX),
  });
  const said: string[] = [];
  const now = () => Date.now();
  const desk: Desk = {
    port: PORT,
    environment: payfile.environment,
    sessions: createSessions(now, (line) => said.push(line)),
    tickets: createTickets(now),
    jobs: createJobs(now),
    pace: createPace(now),
    watching: createWatching(now),
    ...createTurnsOfConsole(),
    uploads,
    files: createKeptFiles(uploads, now),
    statements: createKeptStatements(uploads),
    now,
    payfile,
    payfileAs: ({ id, cameWith }) => payfile.as(id, { cameWith }),
    say: (line) => said.push(line),
  };
  const app = createApp(ROUTES, desk);
  atEnd(async () => {
    await desk.jobs.stop();
    await payfile.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const request = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', `localhost:${PORT}`);
    return app(new Request(`${ORIGIN}${path}`, { ...init, headers }));
  };
  return {
    ...{ desk, payfile, clock, said, request },
    visitor: (id = 'ada', roles = ROLES, cameWith) =>
      visitorOf({ id, name: id, roles, ...(cameWith === undefined ? {} : { cameWith }) }, desk, request),
    async idle() {
      while (desk.jobs.underWay().length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    },
  };
}

function visitorOf(person: Person, desk: Desk, request: AConsole['request']): Visitor {
  const { secret, own } = desk.sessions.enter(person);
  const cookie = `${cookieName(PORT)}=${secret}`;
  const sent = { cookie, 'sec-fetch-site': 'same-origin' };
  const ask = async (path: string, init: RequestInit) =>
    without(own, await request(pathWithin(own, path), init));
  const get: Visitor['get'] = (path, headers = {}) => ask(path, { headers: { ...sent, ...headers } });
  return {
    ...{ cookie, own, get },
    post: (path, fields = {}, headers = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: { ...sent, ...headers } }),
    async upload(path, name, content, fields = {}) {
      const body = new FormData();
      for (const [field, value] of Object.entries(fields)) body.append(field, value);
      body.append('file', new File([typeof content === 'string' ? content : Uint8Array.from(content)], name));
      const form = new Response(body);
      // Whole: a form that is still being made complains when nobody reads it to its end.
      const type = form.headers.get('content-type') ?? '';
      const bytes = await form.arrayBuffer();
      return ask(path, { method: 'POST', body: bytes, headers: { ...sent, 'content-type': type } });
    },
    send: (path, body, headers) =>
      ask(path, { method: 'POST', body, duplex: 'half', headers: { ...sent, ...headers } } as RequestInit),
    page: async (path) => (await get(path)).text(),
  };
}

/** Without what is there for the look alone: names of cells on a phone, spaces that do not break. */
function plain(text: string): string {
  return text
    .replaceAll(/ data-name="[^"]*"/g, '')
    .replaceAll(/(?<=\d)\u00a0(?=[A-Z]{3}\b)|(?<=\b[A-Z]{3})\u00a0(?=\d)/g, ' ');
}

/** As the table of routes writes addresses; the session's own path has tests of its own. */
function without(own: string, answer: Response): Response {
  const { status } = answer;
  const headers = new Headers(answer.headers);
  const location = headers.get('location');
  if (location !== null) headers.set('location', location.replace(own, ''));
  if (!/^text\/html/.test(headers.get('content-type') ?? '') || headers.has('content-disposition'))
    return new Response(answer.body, { status, headers });
  const parts = new TransformStream<string, string>({
    transform: (text, controller) => controller.enqueue(plain(text.replaceAll(own, ''))),
  });
  const text = answer.body?.pipeThrough(new TextDecoderStream() as never).pipeThrough(parts);
  return new Response(text?.pipeThrough(new TextEncoderStream()) ?? null, { status, headers });
}
