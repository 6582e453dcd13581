/** A session: what has to fit, which addresses lie in it, where one may come from, and what ends with it. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ROUTES } from '../../src/console/routes.ts';
import { markupWithin, partedPath, pathWithin } from '../../src/console/server/own-path.ts';
import { ROLES } from '../../src/domain/people/person.ts';
import { html } from '../../src/views/html.ts';
import { anAuthenticator } from '../builders/authenticator.ts';
import { aConsole, ORIGIN, type Visitor } from './a-console.ts';

const OWN = `/s-${'a'.repeat(22)}`;

afterEach(() => void vi.useRealTimers());

it('is found by its cookie and its path together, and by neither alone', async () => {
  const { visitor, request } = aConsole();
  const [ada, eve] = [visitor('ada'), visitor('eve')];
  const status = async (path: string, cookie?: string) =>
    (await request(path, { headers: cookie === undefined ? {} : { cookie } })).status;
  expect(await status(`${ada.own}/`, ada.cookie)).toBe(200);
  expect(await status(`${ada.own}/`)).toBe(401);
  expect(await status(`${ada.own}/`, eve.cookie)).toBe(401);
  expect(await status(`${eve.own}/`, ada.cookie)).toBe(401);
  expect(await status('/', ada.cookie)).toBe(401);
  // A browser sends the cookie of the longer path first; another program can set one for every path.
  const both = await request(`${ada.own}/`, { headers: { cookie: `${ada.cookie}; ${eve.cookie}` } });
  expect(await both.text()).toContain('<span>ada</span>');
});

it('leaves outside what anybody may open, and nothing else', () => {
  for (const { path, may } of ROUTES) {
    expect([path, pathWithin(OWN, path)]).toEqual([path, may === 'anyone' ? path : OWN + path]);
    const within = partedPath(OWN + path).path;
    expect([path, within]).toEqual([path, may === 'anyone' ? OWN + path : path]);
  }
});

it('puts its path before the addresses of our own markup, and changes no text', async () => {
  const text = ' href="/x" action="/x';
  const markup = html`<meta http-equiv="refresh" content="0; url=/"><link href="/assets/a.css">
<form action="/leave"><a href="/">${text}</a><a href="" title="${text}">#</a><a href="/left">x</a>
<input value="${' href='}"/>`.text;
  expect(markupWithin(OWN, markup)).toBe(
    markup
      .replace('url=/', `url=${OWN}/`)
      .replace('action="/leave"', `action="${OWN}/leave"`)
      .replace('<a href="/">', `<a href="${OWN}/">`),
  );
  const { visitor, request } = aConsole();
  const ada = visitor();
  const file = `Reference,Country,Institution,Account,Name,Amount\nX-1,Ghana,GCB Bank,1011130024576," href=""/x",oops\n`;
  const { headers } = await ada.upload('/uploads', 'a.csv', file);
  const rows = `${ada.own}${headers.get('location')}`;
  const page = await (await request(rows, { headers: { cookie: ada.cookie } })).text();
  expect(page).toContain(' href=&quot;/x');
  expect(page).not.toContain(`href=&quot;${ada.own}`);
  expect(page).toContain(`action="${rows}`);
});

it('answers no GET that another page makes, but a link that leads to the door', async () => {
  const { visitor, request } = aConsole();
  const ada = visitor();
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
  const picture = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  for (const site of ['same-site', 'cross-site'])
    for (const { method, path } of ROUTES) {
      if (method !== 'GET') continue;
      const at = path.replaceAll(/:\w+/g, 'none');
      const isDoor = path === '/' || /^\/(enter|passkeys)/.test(path);
      for (const how of [link, frame, picture]) {
        const headers = { 'sec-fetch-site': site, ...how };
        const bare = await (await request(at, { headers: { ...headers, cookie: ada.cookie } })).text();
        expect([at, how, bare.includes('Not from here')]).toEqual([at, how, !(isDoor && how === link)]);
        if (pathWithin(OWN, at) !== at) expect([at, (await ada.get(at, headers)).status]).toEqual([at, 403]);
      }
    }
});

it('takes GET and POST only: a HEAD makes no file and uses no ticket up', async () => {
  const { visitor, request, desk } = aConsole();
  const { own, cookie } = visitor();
  const head = await request(`${own}/template.xlsx`, { method: 'HEAD', headers: { cookie } });
  expect([head.status, readdirSync(desk.uploads)]).toEqual([405, []]);
  const ticket = desk.tickets.issue({ id: 'ada', name: 'ada', roles: ROLES });
  expect((await request(`/enter/${ticket}`, { method: 'HEAD' })).status).toBe(405);
  expect((await request(`/enter/${ticket}`)).status).toBe(200);
});

it('forgets the cookies of who leaves', async () => {
  const ada = aConsole().visitor();
  const gone = (await ada.post('/leave')).headers.getSetCookie();
  expect(gone).toEqual([
    `payfile-4870=; Max-Age=0; Path=${ada.own}; HttpOnly; SameSite=Strict`,
    'payfile-4870-is=; Max-Age=0; Path=/passkeys; HttpOnly; SameSite=Strict',
  ]);
  expect((await ada.get('/')).status).toBe(401);
});

it('is ended by no other person’s coming in, and says so where one comes in too often', async () => {
  const { visitor, said } = aConsole();
  const isIn = async (one: Visitor | undefined) => (await one?.get('/'))?.status === 200;
  const eve = visitor('eve');
  const adas = Array.from({ length: 10 }, () => visitor('ada'));
  expect([await isIn(eve), await isIn(adas[0]), said]).toEqual([true, true, []]);
  const eleventh = visitor('ada');
  expect([await isIn(eve), await isIn(adas[0]), await isIn(adas[1]), await isIn(eleventh)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(said).toEqual([expect.stringContaining('payfile ended the oldest one')]);
});

it('tells nobody who is not in where the ledger is', async () => {
  const ledger = join(tmpdir(), 'no-such-folder', 'ledger.db');
  const url = 'http://localhost:9';
  const service = { baseUrl: url, authUrl: url, id: 'x', password: 'y' };
  const { request, visitor, said } = aConsole({ sandbox: false, ledger, service });
  const answer = await request('/enter');
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain('no-such-folder');
  expect(said.join()).toContain(ledger);
  expect(await visitor().page('/')).toContain(ledger);
});

it('ends after two hours without a press, though a page without script reloads itself', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { desk, visitor } = aConsole();
  const ada = visitor();
  let end = () => {};
  const what = { about: 'health:checks', doing: 'Checking', by: 'ada' };
  desk.jobs.begin(what, () => new Promise((resolve) => (end = () => resolve(undefined))));
  const [, again = ''] = /content="2; url=([^"]*)"/.exec(await ada.page('/health?x=1&y')) ?? [];
  expect(again).toBe('?x=1&amp;y=&amp;reloaded=');
  const reloaded = `/health${again.replaceAll('&amp;', '&')}`;
  expect(await ada.page(reloaded)).toContain(`url=${again}"`);
  for (let times = 0; times < 12; times += 1) {
    vi.advanceTimersByTime(600_000);
    expect((await ada.get(reloaded)).status).toBe(200);
  }
  vi.advanceTimersByTime(60_000);
  expect((await ada.get(reloaded)).status).toBe(401);
  end();
});

it('ends when its passkey was removed in another process, also for a page that asks again by itself', async () => {
  const { desk, payfile, visitor } = aConsole({ people: { eve: ['viewer'] } });
  const key = anAuthenticator();
  const { ticket } = await payfile.people.invite({ person: 'eve' });
  const { options } = await payfile.people.registration({ ticket });
  await payfile.people.register({ ticket, answer: key.make(options, ORIGIN), origin: ORIGIN });
  const eve = visitor('eve', ['viewer'], key.credentialId);
  expect((await eve.get('/')).status).toBe(200);
  await payfile.people.removePasskey({ credentialId: key.credentialId });
  // Also for a page that only asks again by itself.
  expect((await eve.get('/health?reloaded=')).status).toBe(401);
  expect(desk.sessions.isIn('eve')).toBe(false);
  const other = visitor('eve', ['viewer'], key.credentialId);
  expect((await other.get('/')).status).toBe(401);
  expect(await other.page('/')).not.toContain('href="/enter"');
});

it('offers a passkey to the user of the link who never had one, and the sign-in by passkey once there is one', async () => {
  const { payfile, request, visitor } = aConsole();
  const nobody = async () => (await request('/', { headers: { 'sec-fetch-site': 'none' } })).text();
  const ada = visitor();
  expect([(await ada.page('/')).includes('Register a passkey'), (await nobody()).includes('/enter')]).toEqual(
    [true, false],
  );
  const key = anAuthenticator();
  const ticket =
    /^\/passkeys\/(.+)$/.exec((await ada.post('/passkey')).headers.get('location') ?? '')?.[1] ?? '';
  const { person, options } = await payfile.people.registration({ ticket });
  await payfile.people.register({ ticket, answer: key.make(options, ORIGIN), origin: ORIGIN });
  expect([person, (await ada.page('/')).includes('Register a passkey')]).toEqual(['ada', false]);
  expect(await nobody()).toContain('href="/enter"');
});

it('offers no passkey where four eyes or a role forbid it', async () => {
  for (const options of [{ policy: { fourEyes: true } }, { people: { ada: ['maker'] } }] as const) {
    const { visitor } = aConsole(options);
    const ada = visitor('ada', 'people' in options ? options.people.ada : undefined);
    expect(await ada.page('/')).not.toContain('Register a passkey');
  }
});
