/**
 * HTTP, and nothing else: a request goes through the guards, to its route in the table, and its answer becomes a
 * response. What a page does is in the pages; who is let in is decided in guards.ts, sessions.ts and by the roles here.
 */

import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
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
import { cookieName, markerName, type SessionKey, type SignedIn } from './sessions.ts';
import { receiveUpload } from './uploads.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

export function createApp(routes: readonly Route[], desk: Desk): Fetch {
  const app = new Hono({ getPath: (request) => partedPath(getPath(request)).path });
  app.use(async (c, next) => {
    const { method } = c.req;
    const asked = { method, path: getPath(c.req.raw), header: (name: string) => c.req.header(name) };
    const refusal = refusalOf(asked, desk.port);
    if (refusal === undefined) await next();
    else c.res = shown(refusedPage(refusal), { c, desk, by: undefined });
    for (const [name, value] of Object.entries(HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  for (const route of routes) app.on(route.method, route.path, (c) => visited(route, c, desk));
  app.notFound((c) => shown(refusedPage('no_such_page'), { c, desk, by: signedIn(c, desk) }));
  app.onError((error, c) => {
    const by = signedIn(c, desk);
    const code = codeOf(error);
    if (code === undefined) desk.say(`A page failed, which is a bug of payfile: ${error.message}`);
    // What is wrong with the ledger names its place, which is for nobody who is not in.
    if (by === undefined && code?.startsWith('ledger_') === true) {
      desk.say(error.message);
      return shown(refusedPage('ledger_unusable'), { c, desk, by });
    }
    const answer = shown(errorPage(error), { c, desk, by });
    // What is left of the body is read by nobody.
    if (code === 'upload_too_large') answer.headers.set('connection', 'close');
    return answer;
  });
  return (request) => app.fetch(request);
}

async function visited(route: Route, c: Context, desk: Desk): Promise<Response> {
  const isAgain = c.req.query(RELOADED) !== undefined;
  const by = await stillIn(c, desk, !isAgain);
  const refused = mayNot(route.may, by);
  if (refused !== undefined) {
    const hasPasskeys = refused === 'not_entered' && (await mayUsePasskeys(desk));
    return shown(refusedPage(refused, hasPasskeys), { c, desk, by });
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
    isAgain,
    form: () => (form ??= formIn(c, desk, by?.person.id)),
    signal: c.req.raw.signal,
  };
  try {
    return await answered(await route.handle(visit), { c, desk, by });
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

/** Who is answered, and what they asked for. */
interface Asked {
  readonly c: Context;
  readonly desk: Desk;
  readonly by: SignedIn | undefined;
}

/** A request as a whole takes so many times as long as writing its page. */
const SERVING_TIMES = 3;

/** `own`: of the session that its addresses lead into. */
function shown(page: Page, { c, desk, by }: Asked, own = by?.own ?? ''): Response {
  const began = performance.now();
  const said = by?.said;
  if (by !== undefined) by.said = undefined;
  const { path } = partedPath(getPath(c.req.raw));
  const isAgain = c.req.query(RELOADED) === '';
  const { text } = wholePage(page, { desk, person: by?.person, said, path, query: queryOf(c), isAgain });
  const response = c.html(markupWithin(own, text), page.status ?? 200) as Response;
  if (page.reloadSeconds !== undefined) desk.pace(SERVING_TIMES * (performance.now() - began));
  return response;
}

async function answered(answer: Answer, asked: Asked): Promise<Response> {
  const { c, desk, by } = asked;
  const own = by?.own ?? '';
  switch (answer.kind) {
    case 'page':
      return shown(answer, asked);
    case 'see':
      if (by !== undefined) by.said = answer.said;
      return c.redirect(pathWithin(own, answer.path), 303);
    case 'asset':
      return assetAnswer(answer, c);
    case 'download':
      return downloaded(answer);
    case 'entered': {
      const { secret, own: path, person } = answer.as;
      setCookie(c, cookieName(desk.port), secret, { ...COOKIE, path });
      setCookie(c, markerName(desk.port), person.id, { ...COOKIE, path: MARKED });
      return shown(answer.page, asked, path);
    }
    case 'left':
      desk.sessions.leave(keyOf(c, desk));
      deleteCookie(c, cookieName(desk.port), { ...COOKIE, path: own });
      deleteCookie(c, markerName(desk.port), { ...COOKIE, path: MARKED });
      return c.redirect(answer.path, 303);
  }
}

const COOKIE = { httpOnly: true, sameSite: 'Strict' } as const;
/** The pages that are told whose browser it is. */
const MARKED = '/passkeys';

function assetAnswer({ body, gzipped, type }: Extract<Answer, { kind: 'asset' }>, c: Context): Response {
  const isGzip =
    accepts(c, { header: 'Accept-Encoding', supports: ['gzip'], default: 'identity' }) === 'gzip';
  return new Response(isGzip ? gzipped : body, {
    headers: {
      'content-type': type,
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
    },
  });
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
      ...(isShown && { 'content-security-policy': SHOWN }),
      'content-type': type,
      'content-length': String(size),
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
  });
}
