/** Every route against everybody who may knock: who is let in is the same for all, and no route is forgotten. */
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/console/routes.ts';
import { DEEDS, ROLES, type Role } from '../../src/domain/people/person.ts';
import { aConsole, ORIGIN } from './a-console.ts';

/** Who may do what at each address. A route that is not here fails; so does one that is gone. */
const TABLE: Readonly<Record<string, (typeof ROUTES)[number]['may']>> = {
  'GET /assets/:name': 'anyone',
  'GET /enter/:ticket': 'anyone',
  'GET /enter': 'anyone',
  'POST /enter': 'anyone',
  'GET /passkeys/:ticket': 'anyone',
  'POST /passkeys/:ticket': 'anyone',
  'POST /passkey': 'administer',
  'GET /people': 'look',
  'POST /people/:person/ticket': 'administer',
  'POST /people/passkeys/:credential/remove': 'administer',
  'GET /left': 'anyone',
  'POST /leave': 'look',
  'GET /': 'look',
  'GET /batches/:batch': 'look',
  'GET /batches/:batch/plan': 'look',
  'POST /batches/:batch/approval': 'approve',
  'POST /batches/:batch/price': 'price',
  'POST /batches/:batch/send': 'send',
  'POST /batches/:batch/settle': 'send',
  'POST /batches/:batch/pause': 'send',
  'POST /batches/:batch/resume': 'send',
  'GET /new': 'bring',
  'POST /readings/:name/forget': 'bring',
  'GET /lists': 'look',
  'POST /uploads': 'bring',
  'POST /uploads/sample': 'bring',
  'POST /uploads/:upload/remove': 'bring',
  'GET /uploads/:upload': 'bring',
  'POST /uploads/:upload/columns': 'bring',
  'POST /uploads/:upload/answers': 'bring',
  'GET /uploads/:upload/corrected.xlsx': 'bring',
  'POST /uploads/:upload/plan': 'bring',
  'GET /batches/:batch/held': 'look',
  'POST /batches/:batch/held': 'approve',
  'GET /batches/:batch/history': 'look',
  'GET /batches/:batch/reports': 'look',
  'GET /report': 'look',
  'POST /report': 'see_accounts',
  'GET /reports': 'look',
  'GET /template.xlsx': 'look',
  'GET /sandbox-statement.csv': 'look',
  'GET /health': 'look',
  'POST /health/:work': 'look',
  'GET /batches/:batch/statement': 'look',
  'POST /batches/:batch/statement': 'rule',
  'POST /batches/:batch/statement/accept': 'rule',
  'GET /batches/:batch/rows/:row': 'look',
  'POST /batches/:batch/rows/:row/release': 'approve',
  'POST /batches/:batch/rows/:row/withdraw': 'approve',
  'POST /batches/:batch/rows/:row/accept': 'rule',
  'POST /batches/:batch/rows/:row/reissue': 'bring',
  'POST /batches/:batch/rows/:row/correct': 'bring',
  'POST /batches/:batch/rows/:row/ruling': 'rule',
  'POST /batches/:batch/rows/:row/account': 'see_accounts',
};

/** No batch, row, file or country is called so. */
const pathOf = (path: string) => path.replaceAll(/:\w+/g, 'none').replace(/^\/template.*/, '$&?country=none');

it('knows every route of the table, and lets nobody do more than the table says', () => {
  const found = Object.fromEntries(ROUTES.map(({ method, path, may }) => [`${method} ${path}`, may]));
  expect(found).toEqual(TABLE);
});

it('changes nothing by a GET: what changes anything is a POST with a deed, a passkey or a ticket', () => {
  const open = ROUTES.filter(({ method, may }) => method === 'POST' && may === 'anyone');
  expect(open.map(({ path }) => path)).toEqual(['/enter', '/passkeys/:ticket']);
});

it('answers at localhost and its own port only', async () => {
  const { request } = aConsole();
  for (const { method, path } of ROUTES)
    for (const host of [
      '127.0.0.1:4870',
      'localhost:4871',
      'localhost',
      'evil.example:4870',
      'evil.localhost:4870',
    ])
      expect([path, host, (await request(pathOf(path), { method, headers: { host } })).status]).toEqual([
        path,
        host,
        421,
      ]);
});

it('takes no action from another origin, whoever is signed in', async () => {
  const { visitor } = aConsole();
  const ada = visitor();
  const others = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '', origin: 'null' },
  ];
  for (const { method, path } of ROUTES)
    if (method === 'POST')
      for (const headers of others)
        expect([path, headers, (await ada.post(pathOf(path), {}, headers)).status]).toEqual([
          path,
          headers,
          403,
        ]);
});

it('takes an old browser by its origin, and no request without one', async () => {
  const { request, visitor } = aConsole();
  visitor();
  const post = (headers: Record<string, string>) => request('/leave', { method: 'POST', headers });
  expect((await post({})).status).toBe(403);
  expect((await post({ origin: 'http://localhost:4871' })).status).toBe(403);
  expect((await post({ origin: ORIGIN })).status).toBe(401);
});

it('lets nobody in without a session', async () => {
  const { request } = aConsole();
  for (const { method, path, may } of ROUTES) {
    if (may === 'anyone') continue;
    const answer = await request(pathOf(path), { method, headers: { 'sec-fetch-site': 'same-origin' } });
    expect([path, answer.status]).toEqual([path, 401]);
  }
});

it('lets each role do its own deeds, and refuses the others', async () => {
  const { visitor } = aConsole();
  for (const { method, path, may } of ROUTES) {
    if (may === 'anyone' || path === '/leave') continue;
    for (const role of ROLES) {
      const one = visitor(`one-${role}`, [role]);
      const answer = method === 'GET' ? await one.get(pathOf(path)) : await one.post(pathOf(path));
      const isRefused = answer.status === 403;
      await answer.body?.cancel();
      expect([method, path, role, isRefused]).toEqual([
        method,
        path,
        role,
        !DEEDS[may].includes(role as Role as never),
      ]);
    }
  }
});

it('sends the same guards with every answer, found or not', async () => {
  const { visitor, request } = aConsole();
  const answers = [
    await visitor().get('/'),
    await visitor().get('/nothing/here'),
    await request('/'),
    await request('/assets/x'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  }
});

it('lets in once by a link, and says aloud when it comes again', async () => {
  const { desk, request, said } = aConsole();
  const ticket = desk.tickets.issue({ id: 'ada', name: 'ada', roles: ROLES });
  const first = await request(`/enter/${ticket}`);
  const [cookie = ''] = first.headers.getSetCookie();
  expect([
    first.status,
    (await request(`/enter/${ticket}`)).status,
    (await request('/enter/other')).status,
  ]).toEqual([200, 403, 403]);
  const own =
    /^payfile-4870=[\w-]{43}; Path=(\/s-[\w-]{22}); HttpOnly; SameSite=Strict$/.exec(cookie)?.[1] ?? '';
  expect(await first.text()).toContain(`content="0; url=${own}/"`);
  expect(said).toEqual([expect.stringContaining('a second time')]);
  const inside = await request(`${own}/`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
  expect(inside.status).toBe(200);
});
