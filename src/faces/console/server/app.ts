/**
 * HTTP, and nothing else: a request goes through the guards, to its route in the table, and its answer becomes a
 * response. What a page does is in the pages; who is let in is decided in guards.ts, sessions.ts and by the roles here.
 */

import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { mayDo } from '../../../domain/people/person.ts';
import type { Html } from '../../../views/html.ts';
import type { Desk } from '../desk.ts';
import { codeOf, errorPage, refusedPage } from '../page/errors.ts';
import { wholePage } from '../page/layout.ts';
import { FormRefused, formOf } from './form.ts';
import { HEADERS, refusalOf } from './guards.ts';
import type { Answer, May, Page, Route, Visit } from './route.ts';
import { cookieName, type SignedIn } from './sessions.ts';
import { receiveUpload } from './uploads.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

export function createApp(routes: readonly Route[], desk: Desk): Fetch {
  const app = new Hono();
  app.use(async (c, next) => {
    const { method } = c.req;
    const refusal = refusalOf({ method, header: (name) => c.req.header(name) }, desk.port);
    if (refusal === undefined) await next();
    else c.res = respond(refusedPage(refusal), { desk, by: undefined });
  });
  for (const route of routes) app.on(route.method, route.path, (c) => visited(route, c, desk));
  app.notFound((c) => respond(refusedPage('no_such_page'), { desk, by: signedIn(c, desk) }));
  app.onError((error, c) => {
    if (codeOf(error) === undefined) desk.say(`A page failed, which is a bug of payfile: ${error.message}`);
    return respond(errorPage(error), { desk, by: signedIn(c, desk) });
  });
  return (request) => app.fetch(request);
}

async function visited(route: Route, c: Context, desk: Desk): Promise<Response> {
  const by = signedIn(c, desk, c.req.header('accept')?.includes('text/event-stream') !== true);
  const refused = mayNot(route.may, by);
  if (refused !== undefined) return respond(refusedPage(refused), { desk, by });
  const visit: Visit = {
    desk,
    by,
    get payfile() {
      if (by === undefined) throw new TypeError('Nobody entered on a route for anyone');
      return desk.payfileAs(by.person);
    },
    part: (name) => c.req.param(name) ?? '',
    query: new URL(c.req.url).searchParams,
    form: async () => formOf(await textOf(c)),
    upload: () => receiveUpload(c.req.header(), c.req.raw.body, desk.uploads),
    signal: c.req.raw.signal,
  };
  return answered(await route.handle(visit), c, { desk, by });
}

function signedIn(c: Context, desk: Desk, isUse = true): SignedIn | undefined {
  return desk.sessions.find(getCookie(c, cookieName(desk.port)), isUse);
}

function mayNot(may: May, by: SignedIn | undefined): 'not_entered' | 'other_role' | undefined {
  if (may === 'anyone') return undefined;
  if (by === undefined) return 'not_entered';
  return mayDo(by.person, may) ? undefined : 'other_role';
}

const FORM_BYTES_MAX = 256 * 1024;

/** Throws FormRefused. */
async function textOf(c: Context): Promise<string> {
  if (!/^application\/x-www-form-urlencoded/i.test(c.req.header('content-type') ?? ''))
    throw new FormRefused('This address takes a form of the console.');
  const { body } = c.req.raw;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > FORM_BYTES_MAX) throw new FormRefused('The form is too long.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

interface Seen {
  readonly desk: Desk;
  readonly by: SignedIn | undefined;
}

function respond(page: Page, seen: Seen, headers: Readonly<Record<string, string>> = {}): Response {
  const said = seen.by?.said;
  if (seen.by !== undefined) seen.by.said = undefined;
  const { text } = wholePage(page, { desk: seen.desk, person: seen.by?.person, said });
  return new Response(text, {
    status: page.status ?? 200,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

async function answered(answer: Answer, c: Context, seen: Seen): Promise<Response> {
  const { desk, by } = seen;
  switch (answer.kind) {
    case 'page':
      return respond(answer, seen);
    case 'part':
      return new Response(answer.body.text, {
        headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' },
      });
    case 'see':
      if (by !== undefined) by.said = answer.said;
      return new Response(null, { status: 303, headers: { ...HEADERS, location: answer.path } });
    case 'asset': {
      const kept = { 'cache-control': 'private, max-age=31536000, immutable' };
      return new Response(answer.body, { headers: { ...HEADERS, 'content-type': answer.type, ...kept } });
    }
    case 'download':
      return downloaded(answer);
    case 'events':
      return watched(answer.watch, c.req.raw.signal);
    case 'entered':
      return respond(answer.page, seen, { 'set-cookie': cookie(desk.port, answer.session) });
    case 'left': {
      desk.sessions.leave(getCookie(c, cookieName(desk.port)));
      const gone = { location: answer.path, 'set-cookie': `${cookie(desk.port, '')}; Max-Age=0` };
      return new Response(null, { status: 303, headers: { ...HEADERS, ...gone } });
    }
  }
}

function cookie(port: number, secret: string): string {
  return `${cookieName(port)}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
}

async function downloaded({ path, name, type }: Extract<Answer, { kind: 'download' }>): Promise<Response> {
  const { size } = await stat(path);
  const stream = createReadStream(path).on('close', () => void rm(path, { force: true }));
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    headers: {
      ...HEADERS,
      'content-type': type,
      'content-length': String(size),
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
  });
}

/** A comment now and then, so that a browser that went away is noticed. */
const HEARTBEAT_MS = 15_000;

function watched(watch: Extract<Answer, { kind: 'events' }>['watch'], signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let end = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        // A browser that does not read gets no queue without an end.
        if ((controller.desiredSize ?? 0) > -100) controller.enqueue(encoder.encode(text));
      };
      const send = (part: Html) => write(`data: ${part.text.replaceAll(/\r?\n|\r/g, '\ndata: ')}\n\n`);
      const beat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
      const stop = watch(send);
      end = () => {
        clearInterval(beat);
        stop();
      };
      signal.addEventListener('abort', end, { once: true });
    },
    cancel: () => end(),
  });
  return new Response(stream, { headers: { ...HEADERS, 'content-type': 'text/event-stream' } });
}
