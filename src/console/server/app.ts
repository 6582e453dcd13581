/**
 * HTTP, and nothing else: a request goes through the guards, to its route in the table, and its answer becomes a
 * response. What a page does is in the pages; who is let in is decided in guards.ts, sessions.ts and by the roles here.
 */

import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { getCookie } from 'hono/cookie';
import { getPath } from 'hono/utils/url';
import { mayDo } from '../../domain/people/person.ts';
import type { Desk } from '../desk.ts';
import { codeOf, errorPage, refusedPage } from '../page/errors.ts';
import { RELOADED, wholePage } from '../page/layout.ts';
import { mayUsePasskeys } from '../people/signing.ts';
import { type Form, FormRefused, formOf } from './form.ts';
import { HEADERS, refusalOf } from './guards.ts';
import { markupWithin, partedPath, pathWithin } from './own-path.ts';
import type { Answer, May, Page, Route, Visit } from './route.ts';
import { cookieName, type Entered, markerName, type SessionKey, type SignedIn } from './sessions.ts';
import { receiveUpload } from './uploads.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

export function createApp(routes: readonly Route[], desk: Desk): Fetch {
  const app = new Hono({ getPath: (request) => partedPath(getPath(request)).path });
  app.use(async (c, next) => {
    const { method } = c.req;
    const asked = { method, path: getPath(c.req.raw), header: (name: string) => c.req.header(name) };
    const refusal = refusalOf(asked, desk.port);
    if (refusal === undefined) await next();
    else c.res = respond(refusedPage(refusal), seenBy(c, desk, undefined));
  });
  for (const route of routes) app.on(route.method, route.path, (c) => visited(route, c, desk));
  app.notFound((c) => respond(refusedPage('no_such_page'), seenBy(c, desk, signedIn(c, desk))));
  app.onError((error, c) => {
    const by = signedIn(c, desk);
    const code = codeOf(error);
    if (code === undefined) desk.say(`A page failed, which is a bug of payfile: ${error.message}`);
    // What is wrong with the ledger names its place, which is for nobody who is not in.
    if (by === undefined && code?.startsWith('ledger_') === true) {
      desk.say(error.message);
      return respond(refusedPage('ledger_unusable'), seenBy(c, desk, by));
    }
    const answer = respond(errorPage(error), seenBy(c, desk, by));
    // What is left of the body is read by nobody.
    if (code === 'upload_too_large') answer.headers.set('connection', 'close');
    return answer;
  });
  return (request) => app.fetch(request);
}

async function visited(route: Route, c: Context, desk: Desk): Promise<Response> {
  const by = await stillIn(c, desk, isUse(c));
  const refused = mayNot(route.may, by);
  if (refused !== undefined) {
    const hasPasskeys = refused === 'not_entered' && (await mayUsePasskeys(desk));
    return respond(refusedPage(refused, hasPasskeys), seenBy(c, desk, by));
  }
  const query = queryOf(c);
  let form: Promise<Form> | undefined;
  const visit: Visit = {
    desk,
    get person() {
      if (by === undefined) throw new TypeError('Nobody entered on a route for anyone');
      return by.person;
    },
    marked: markedOf(c, desk),
    get payfile() {
      return desk.payfileAs(this.person);
    },
    part: (name) => c.req.param(name) ?? '',
    query,
    form: () => (form ??= formIn(c, desk, by?.person.id)),
    signal: c.req.raw.signal,
  };
  try {
    return await answered(await route.handle(visit), c, seenBy(c, desk, by));
  } finally {
    // What nobody moved away is kept by nobody.
    const file = (await form?.catch(() => undefined))?.file;
    if (file !== undefined) await rm(file.path, { force: true });
  }
}

function signedIn(c: Context, desk: Desk, isUse = false): SignedIn | undefined {
  return desk.sessions.find(keyOf(c, desk), isUse);
}

/** A passkey may have been removed in a terminal. */
async function stillIn(c: Context, desk: Desk, isUse: boolean): Promise<SignedIn | undefined> {
  const cameWith = signedIn(c, desk)?.person.cameWith;
  if (cameWith !== undefined) {
    const { isKnown } = await desk.payfile.people.hasPasskey({ credentialId: cameWith });
    if (!isKnown) desk.sessions.endOf(cameWith);
  }
  return signedIn(c, desk, isUse);
}

/** A page that asks again by itself is no person who does something. */
const isUse = (c: Context): boolean => c.req.query(RELOADED) === undefined;

/** As pages know it: links that they make of it are followed by a person. */
function queryOf(c: Context): URLSearchParams {
  const { searchParams } = new URL(c.req.url);
  searchParams.delete(RELOADED);
  return searchParams;
}

function keyOf(c: Context, desk: Desk): SessionKey {
  const { own } = partedPath(getPath(c.req.raw));
  return { own, secret: getCookie(c, cookieName(desk.port)) ?? '' };
}

function markedOf(c: Context, desk: Desk): string | undefined {
  const person = getCookie(c, markerName(desk.port));
  return person !== undefined && desk.sessions.isIn(person) ? person : undefined;
}

function mayNot(may: May, by: SignedIn | undefined): 'not_entered' | 'other_role' | undefined {
  if (may === 'anyone') return undefined;
  if (by === undefined) return 'not_entered';
  return mayDo(by.person, may) ? undefined : 'other_role';
}

const FORM_BYTES_MAX = 256 * 1024;

/** Only who is in may send a file: each takes a descriptor and up to its whole size on disk. */
async function formIn(c: Context, desk: Desk, by: string | undefined): Promise<Form> {
  const hasFile = /^multipart\/form-data/i.test(c.req.header('content-type') ?? '');
  if (!hasFile || by === undefined) return formOf(await textOf(c));
  return desk.arriving.take(by, () => receiveUpload(c.req.header(), c.req.raw.body, desk.uploads));
}

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
  /** Of the page, as the table of routes knows it. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The page asks again by itself while work goes on. */
  readonly isAgain: boolean;
}

function seenBy(c: Context, desk: Desk, by: SignedIn | undefined): Seen {
  return {
    desk,
    by,
    path: partedPath(getPath(c.req.raw)).path,
    query: queryOf(c),
    isAgain: c.req.query(RELOADED) === '',
  };
}

/** `own`: of the session that its addresses lead into. */
function respond(page: Page, { desk, by, ...seen }: Seen, own = by?.own ?? ''): Response {
  const said = by?.said;
  if (by !== undefined) by.said = undefined;
  const { text } = wholePage(page, { desk, person: by?.person, said, ...seen });
  const headers = { ...HEADERS, 'content-type': 'text/html; charset=utf-8' };
  return new Response(markupWithin(own, text), { status: page.status ?? 200, headers });
}

/** `cookies`: with what the browser keeps from now on. */
function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
  return answer;
}

async function answered(answer: Answer, c: Context, seen: Seen): Promise<Response> {
  const { desk, by } = seen;
  const own = by?.own ?? '';
  switch (answer.kind) {
    case 'page':
      return respond(answer, seen);
    case 'see':
      if (by !== undefined) by.said = answer.said;
      return leading(pathWithin(own, answer.path));
    case 'asset':
      return assetAnswer(answer, c);
    case 'download':
      return downloaded(answer);
    case 'entered':
      return withCookies(respond(answer.page, seen, answer.as.own), cookiesOf(desk.port, answer.as));
    case 'left': {
      desk.sessions.leave(keyOf(c, desk));
      const gone = cookiesOf(desk.port, { own, secret: '', person: { id: '' } });
      return withCookies(
        leading(answer.path),
        gone.map((cookie) => `${cookie}; Max-Age=0`),
      );
    }
  }
}

function assetAnswer({ body, gzipped, type }: Extract<Answer, { kind: 'asset' }>, c: Context): Response {
  const isGzip =
    accepts(c, { header: 'Accept-Encoding', supports: ['gzip'], default: 'identity' }) === 'gzip';
  return new Response(isGzip ? gzipped : body, {
    headers: {
      ...HEADERS,
      'content-type': type,
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
    },
  });
}

function leading(location: string): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, location } });
}

function cookiesOf(
  port: number,
  { own, secret, person }: SessionKey & { readonly person: Pick<Entered['person'], 'id'> },
): readonly string[] {
  return [
    `${cookieName(port)}=${secret}; Path=${own}; HttpOnly; SameSite=Strict`,
    `${markerName(port)}=${encodeURIComponent(person.id)}; Path=/passkeys; HttpOnly; SameSite=Strict`,
  ];
}

/** A report has its style in itself, and its own policy that allows only that. */
const SHOWN = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

async function downloaded(answer: Extract<Answer, { kind: 'download' }>): Promise<Response> {
  const { path, name, type, isShown = false } = answer;
  const { size } = await stat(path);
  const stream = createReadStream(path).on('close', () => void rm(path, { force: true }));
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    headers: {
      ...HEADERS,
      ...(isShown && { 'content-security-policy': SHOWN }),
      'content-type': type,
      'content-length': String(size),
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
  });
}
