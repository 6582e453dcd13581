/**
 * The fault server as a process of its own, under the real command: its book agrees with what the command reports,
 * row by row, whatever goes wrong.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { type Office, openOffice, payrollCsv } from '../builders/office.ts';

const MAIN = fileURLToPath(new URL('../fakes/fault-server/main.ts', import.meta.url));

let server: ChildProcessWithoutNullStreams | undefined;
let office: Office | undefined;
afterEach(() => {
  server?.kill();
  office?.close();
});

async function startProcess(...words: string[]): Promise<Record<string, string>> {
  const child = spawn(process.execPath, [MAIN, ...words]);
  server = child;
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line).env;
  throw new Error('the fault server said nothing');
}

it('[N12][N13][H1][H11] tells each row apart: accepted, refused, in doubt, late', async () => {
  const bookOffice = openOffice();
  office = bookOffice;
  const book = join(bookOffice.folder, 'book.jsonl');
  const byAccountEnding = {
    '502': 'refuse',
    '503': 'lose_end',
    '504': 'late',
    '505': 'gateway_502',
    '506': 'cut',
  };
  const plan = JSON.stringify({ byAccountEnding, turns: ['accept'], lateMs: 3_400 });
  Object.assign(bookOffice.env, await startProcess('--plan', plan, '--book', book), {
    PAYFILE_POST_TIMEOUT_MS: '3000',
  });
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
  expect(ended.stderr).toContain('1 row in doubt answered late: the service has the payment after all');
  const verified = await bookOffice.payfile('verify', 'may');
  expect(verified.code, verified.stdout).toBe(0);
  const posts = readFileSync(book, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'post');
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
  Object.assign(office.env, await startProcess('--plan', '{}'));
  office.file('may.csv', payrollCsv([['1011130024501', '10.00']]));
  // Node reads the environment of a process, so the command has one of its own.
  const words = ['run', 'may.csv', '--batch', 'may', '--new-ledger', '--max-total', 'GHS=10'];
  const ended = await office.start(words).ended;
  proxy.close();
  expect(ended.code, ended.stderr).toBe(0);
  expect(knocks).toBe(0);
});
