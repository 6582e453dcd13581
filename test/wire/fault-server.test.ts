/**
 * The real command against the fault server. The server's book agrees with the command's report, row by row, with every
 * fault.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Office, openOffice, payrollCsv } from '../builders/office.ts';
import { planned } from '../fakes/fault-server/plan.ts';
import { type FaultServer, startFaultServer } from '../fakes/fault-server/server.ts';

let server: FaultServer | undefined;
let office: Office | undefined;
afterEach(async () => {
  await server?.close();
  office?.close();
});

async function start(plan: object) {
  server = await startFaultServer(planned(JSON.stringify(plan)));
  const env = {
    PAYFILE_BASE_URL: `${server.url}/v1`,
    PAYFILE_AUTH_URL: `${server.url}/auth`,
    PAYFILE_ID: 'fault-server-user',
    PAYFILE_PASSWORD: 'fault-server-password',
    PAYFILE_SOURCE: 'GB',
  };
  return { book: server.book, env };
}

it('[N12][N13][H1][H11] tells each row apart: accepted, refused, in doubt, late', async () => {
  const bookOffice = openOffice();
  office = bookOffice;
  const byAccountEnding = {
    '502': 'refuse',
    '503': 'lose_end',
    '504': 'late',
    '505': 'gateway_502',
    '506': 'cut',
  };
  const { book, env } = await start({ byAccountEnding, turns: ['accept'], lateMs: 3_400 });
  Object.assign(bookOffice.env, env, { PAYFILE_POST_TIMEOUT_MS: '3000' });
  const endings = ['501', '502', '503', '504', '505', '506', '507'];
  bookOffice.file('may.csv', payrollCsv(endings.map((ending) => [`1011130024${ending}`, '10.00'])));
  const run = [
    'run',
    'may.csv',
    '--batch',
    'may',
    '--new-ledger',
    '--max-total',
    'GHS=70',
    '--report',
    'may.json',
  ];
  const ended = await bookOffice.payfile(...run);
  expect(ended.code, ended.stderr).toBe(5);
  const report = JSON.parse(readFileSync(join(bookOffice.folder, 'may.json'), 'utf8'));
  const statuses = report.rows.map(({ status }: { status: string }) => status);
  expect(statuses).toEqual(['settled', 'failed', 'in_doubt', 'settled', 'in_doubt', 'in_doubt', 'settled']);
  expect(ended.stderr).toContain(
    'late answers came for 1 row in doubt: the service has accepted the payment after all',
  );
  const verified = await bookOffice.payfile('verify', 'may');
  expect(verified.code, verified.stdout).toBe(0);
  const { posts } = book;
  const executed = posts.filter((post) => post.executed).map(({ account }) => account.slice(-3));
  expect(posts).toHaveLength(7);
  expect(executed.sort()).toEqual(['501', '503', '504', '506', '507']);
  const tags = report.rows.map(({ tag }: { tag: string }) => tag);
  expect(posts.map(({ note }) => note.slice(0, 11)).sort()).toEqual([...tags].sort());
});

it('[N9] goes straight to the service, whatever proxies the environment names', async () => {
  let knocks = 0;
  const proxy = net.createServer((socket) => {
    knocks += 1;
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  office = openOffice({
    ...Object.fromEntries(names.map((name) => [name, address])),
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: '',
  });
  Object.assign(office.env, (await start({})).env);
  office.file('may.csv', payrollCsv([['1011130024501', '10.00']]));
  // Node reads the environment of a process, so the command has one of its own.
  const words = ['run', 'may.csv', '--batch', 'may', '--new-ledger', '--max-total', 'GHS=10'];
  const ended = await office.start(words).ended;
  proxy.close();
  expect(ended.code, ended.stderr).toBe(0);
  expect(knocks).toBe(0);
});
