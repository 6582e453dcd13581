/** The three headers: all are checked, on every endpoint, until the expiry has passed. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import {
  aTransfer,
  call,
  get,
  JSON_TYPE,
  login,
  pay,
  profile,
  type SessionHeaders,
  sessionOf,
} from './a-client.ts';

let sandbox: Sandbox;
const start = async (options: SandboxOptions = {}) => {
  sandbox = await startSandbox(options);
  return sessionOf(sandbox);
};
afterEach(() => sandbox.close());

const UNAUTHORIZED = [401, 'failed', {}];

describe('the three headers', () => {
  it.each(['id', 'token', 'expiry'])(
    'refuses a transfer without %s, and executes nothing',
    async (header) => {
      const { [header as keyof SessionHeaders]: _, ...rest } = await start();
      const { status, json } = await pay(sandbox, rest as SessionHeaders, aTransfer());
      expect([status, json.status, json.data, json.code]).toEqual([...UNAUTHORIZED, 1]);
      expect(sandbox.book.size).toBe(0);
    },
  );

  it.each([
    ['id', 'sandbox'],
    ['token', 'x'.repeat(32)],
    ['expiry', '31/12/2099 23:59:59'],
  ])('refuses a wrong %s beside two right ones', async (header, value) => {
    const session = await start();
    const { status, json } = await get(sandbox, '/countries', { ...session, [header]: value });
    expect([status, json.status, json.data, json.code]).toEqual([...UNAUTHORIZED, 1]);
  });

  it('guards all eight endpoints, and unknown paths as well', async () => {
    await start();
    const paths = [
      '/transaction/x',
      '/rates/a/b/1',
      '/rates/a/b',
      '/fis/a',
      '/countries',
      '/fisit/a/b',
      '/profile',
      '/x',
    ];
    const answers = await Promise.all(paths.map((path) => call(`${sandbox.baseUrl}${path}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(401));
  });

  it('lets several sessions live side by side', async () => {
    const first = await start();
    const second = await sessionOf(sandbox);
    expect(second.token).not.toBe(first.token);
    expect((await profile(sandbox, first)).json.code).toBe(0);
    expect((await profile(sandbox, second)).json.code).toBe(0);
  });
});

describe('expiry', () => {
  it('ends a session one instant after the second that its expiry names', async () => {
    let now = Date.UTC(2026, 0, 31, 23, 50, 0);
    const session = await start({ clock: () => now, tokenTtlSeconds: 600, zoneOffsetMinutes: -300 });
    expect(session.expiry).toBe('31/01/2026 19:00:00');
    now += 600_000;
    expect((await profile(sandbox, session)).status).toBe(200);
    now += 1;
    const ended = await profile(sandbox, session);
    expect([ended.status, ended.json.code, ended.json.message]).toEqual([401, 1, 'Session expired']);
    const again = await sessionOf(sandbox);
    expect((await profile(sandbox, again)).status).toBe(200);
  });
});

describe('login', () => {
  it('takes the credentials it was started with', async () => {
    const credentials = { id: 'acme', password: 'correct horse' };
    await start({ credentials });
    expect((await login(sandbox, credentials)).json.code).toBe(0);
    expect((await login(sandbox, { id: 'sandbox', password: 'sandbox-password' })).json.code).toBe(1);
  });

  it.each([
    ['no JSON', '{"id":', 400],
    ['a list', '[]', 400],
    ['a number', '7', 400],
    ['a key said twice', '{"id":"a","id":"b"}', 400],
  ])('refuses a body that is %s', async (_, body, expected) => {
    await start();
    const url = `${sandbox.authUrl}/login`;
    const { status, json } = await call(url, { method: 'POST', headers: JSON_TYPE, body });
    expect([status, json.status, json.data]).toEqual([expected, 'failed', {}]);
  });

  it('refuses a body without its content type, and one that is too large', async () => {
    const session = await start();
    const url = `${sandbox.authUrl}/login`;
    expect((await call(url, { method: 'POST', body: JSON.stringify(sandbox.credentials) })).status).toBe(415);
    const large = await pay(sandbox, session, aTransfer({ Note: 'x'.repeat(70_000) }));
    expect([large.status, large.json.status, sandbox.book.size]).toEqual([413, 'failed', 0]);
  });
});
