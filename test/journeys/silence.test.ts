/** A service of which one endpoint hangs, under the whole command: how long it takes, what is said, and the exit code. */
import http from 'node:http';
import type net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  clock,
  type Ended,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../builders/office.ts';

const CEILING = ['--max-total', 'GHS=100000', '--deadline', '10s'];

let live: LiveService;
let office: Office;
let server: http.Server;
let hung = '';
let hangs = 0;
/** When each request came, by the clock of the command. */
let askedMs: number[] = [];

/** The service, but for one endpoint that is never answered. */
beforeAll(async () => {
  live = await startLiveService();
  const target = new URL(live.sandbox.baseUrl);
  server = http.createServer((request, response) => {
    const { url = '', method, headers } = request;
    askedMs.push(clock.monotonicMs());
    if (hung !== '' && `${url}/`.includes(`/${hung}/`)) {
      hangs += 1;
      return;
    }
    const { hostname, port } = target;
    const asked = http.request({ hostname, port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const env = {
    ...live.env,
    PAYFILE_BASE_URL: live.sandbox.baseUrl.replace(target.origin, origin),
    PAYFILE_AUTH_URL: live.sandbox.authUrl.replace(target.origin, origin),
    // Its time goes by as it is, and not by the clock of the command.
    PAYFILE_POST_TIMEOUT_MS: '2000',
  };
  office = openOffice(env);
  expect((await office.payfile('init')).code).toBe(0);
});
afterAll(async () => {
  office.close();
  server.closeAllConnections();
  server.close();
  await live.sandbox.close();
});

/** Calls the command, and lets its time go on while an endpoint hangs. */
async function waitedOut(...words: string[]): Promise<Ended> {
  hangs = 0;
  let isOver = false;
  const ended = office.payfile(...words).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await wait(20);
    if (hangs > 0) clock.advance(500);
  }
  return ended;
}

const accounts = (first: number) => Array.from({ length: 50 }, (_, row) => `10111300${first + row}`);

it('gives up a run whose names hang after the deadline, with 69 and nothing sent', async () => {
  office.file('a.csv', payrollCsv(accounts(10_000).map((account) => [account, '100.00'])));
  hung = 'fisit';
  const beganMs = clock.monotonicMs();
  const ended = await waitedOut('run', 'a.csv', '--batch', 'a', ...CEILING);
  expect(ended.code, ended.stderr).toBe(69);
  expect(clock.monotonicMs() - beganMs).toBeGreaterThan(10_000);
  expect(hangs).toBeGreaterThan(0);
  expect(ended.stderr).toContain(
    'payfile stopped waiting for the service: it gave no usable answer for 10 s. Nothing was sent. Run again when the service answers.\nNext: payfile run a.csv --batch a\n',
  );
  expect(live.sandbox.book.size).toBe(0);
}, 60_000);

it('waits for transfers on the wire after the deadline, says so at once, and asks the service nothing more', async () => {
  office.file('b.csv', payrollCsv(accounts(20_000).map((account) => [account, '100.00'])));
  hung = 'transfer';
  askedMs = [];
  const beganMs = clock.monotonicMs();
  const ended = await waitedOut('run', 'b.csv', '--batch', 'b', ...CEILING, '--json');
  expect(ended.code, ended.stderr).toBe(5);
  expect(ended.json()).toMatchObject({ counts: { in_doubt: 1, approved: 49 } });
  expect(ended.stderr).toMatch(
    /Waiting: the service is silent: it gave no usable answer for 10 s\. No new transfer begins; 1 row on the wire is waited for, until [-0-9]+ [:0-9]+ UTC at the latest\n/,
  );
  expect(Math.max(...askedMs) - beganMs).toBeLessThan(10_000 + 1_000);
  expect(live.sandbox.book.size).toBe(0);
}, 60_000);
