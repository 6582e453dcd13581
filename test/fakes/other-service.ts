/**
 * Another service that speaks the same interface and is unlike the sandbox in everything the interface leaves
 * open: numeric ids, upper-case words, every code as text, HTTP 200 for everything, code 1 for every refusal,
 * another path prefix, another time zone, pretty-printed JSON, statuses of its own, no lower-case phone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherService {
  readonly env: Record<string, string>;
  readonly executed: readonly Record<string, unknown>[];
  readonly logins: () => number;
  close(): Promise<void>;
}

export interface OtherServiceOptions {
  /** Minutes east of UTC in which its clock is set. */
  readonly zoneMinutes: number;
  readonly tokenSeconds: number;
  /** What it lists by path, in place of its own countries and institutions. */
  readonly lists?: Readonly<Record<string, unknown>>;
}

const LISTS: Readonly<Record<string, unknown>> = {
  '/api/cbt/countries': [
    { id: 826, name: 'UNITED KINGDOM', phone: 44, iso: 'gb', rate: 1 },
    { id: 288, name: 'GHANA', phone: '+233', iso: 'gh', rate: 15.25, continent: 'Africa' },
  ],
  '/api/cbt/fis/288': [
    { id: 300591, name: 'MTN MoMo', Logo: '', Charges: 0, Currency: 'ghs' },
    { id: 300304, name: 'Ghana Commercial Bank', Logo: '', Charges: 1.5, Currency: 'GHS' },
  ],
};

export async function startOtherService(options: OtherServiceOptions): Promise<OtherService> {
  const executed: Record<string, unknown>[] = [];
  const tokens = new Map<string, number>();
  let logins = 0;

  const stamp = (at: number) => {
    const iso = new Date(at + options.zoneMinutes * 60_000).toISOString();
    return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
  };
  const yes = (data: unknown) => ({
    status: 'SUCCESS',
    data,
    message: 'OK',
    code: '0',
    fetched: stamp(Date.now()),
  });
  const no = (message: string) => ({ status: 'FAILED', data: {}, message, code: '1' });

  function login(body: Record<string, unknown>) {
    logins += 1;
    if (body['id'] !== 'acme' || body['password'] !== 'canary-password-1') return no('user does not exist');
    const token = `canary-token-${logins}`;
    tokens.set(token, Date.now() + options.tokenSeconds * 1000);
    return yes({ token, id: 77_001, expiry: stamp(Date.now() + options.tokenSeconds * 1000) });
  }

  function transfer(body: Record<string, unknown>) {
    if (body['AccountNo'] === '0244000009') return no('account cannot be credited');
    executed.push(body);
    return yes({ id: 9_007_199_254_741_000 + 2 * executed.length });
  }

  function answer(
    method: string,
    path: string,
    headers: IncomingMessage['headers'],
    body: Record<string, unknown>,
  ): unknown {
    if (path === '/sso/v2/login') return login(body);
    const until = tokens.get(String(headers['token']));
    if (
      headers['id'] !== '77001' ||
      until === undefined ||
      until < Date.now() ||
      headers['expiry'] === undefined
    ) {
      return no('please log in');
    }
    if (method === 'POST' && path === '/api/cbt/transfer') return transfer(body);
    if (path === '/api/cbt/profile') return yes({ anything: [1, 2, 3] });
    const listed = (options.lists ?? LISTS)[path];
    if (listed !== undefined) return yes(listed);
    if (path.startsWith('/api/cbt/fisit/'))
      return path.endsWith('0244000008') ? no('unknown') : yes({ name: 'MENSAH AMA' });
    if (/^\/api\/cbt\/rates\/826\/288\/[\d.]+$/.test(path)) return yes({ rate: 15.25, speed: 1, fees: 0.99 });
    if (/^\/api\/cbt\/rates\/826\/288$/.test(path)) return yes({ rate: 15.25 });
    const looked = /^\/api\/cbt\/transaction\/(\d+)$/.exec(path);
    if (looked === null) return no('no such thing');
    const order = executed[Number(BigInt(looked[1] ?? '0') - 9_007_199_254_741_000n) / 2 - 1];
    if (order === undefined) return no('not found');
    const Date_ = `${stamp(Date.now()).slice(0, 16)}pm`;
    return yes({
      id: looked[1],
      amount: order['Amount'],
      receiver: order['Name'],
      Date: Date_,
      Status: 'FINISHED',
      Bank: 'MTN MoMo',
      destination: 'GHANA',
    });
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      const path = decodeURIComponent(request.url ?? '');
      const said = JSON.stringify(answer(request.method ?? '', path, request.headers, body), null, 2);
      response.writeHead(200, { 'content-type': 'text/json; charset=UTF-8', connection: 'close' });
      response.end(said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    executed,
    logins: () => logins,
    env: {
      PAYFILE_BASE_URL: `${origin}/api/cbt/`,
      PAYFILE_AUTH_URL: `${origin}/sso/v2`,
      PAYFILE_ID: 'acme',
      PAYFILE_PASSWORD: 'canary-password-1',
      PAYFILE_SOURCE: 'GB',
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
