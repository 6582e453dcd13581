/** A service that pays and says 429 all the same, as cron meets it: the run ends in time, and the next one waits. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { GOOD, openOffice, payrollCsv, startLiveService } from '../builders/office.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Passes everything on to the service, and answers each transfer with 429 once it is executed. */
async function limitingProxy(baseUrl: string, retryAfter: string) {
  const target = new URL(baseUrl);
  const proxy = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const path = `${target.pathname.replace(/\/$/, '')}${url}`;
    const on = http.request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      if (method !== 'POST') {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
        return;
      }
      answer.resume();
      response.writeHead(429, { 'Retry-After': retryAfter, 'Content-Length': '0' }).end();
    });
    request.pipe(on);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  open.push(proxy);
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

it('stops with 6 at once where the wait is longer than the deadline, says until when, and binds the next run', async () => {
  const service = await startLiveService();
  const office = openOffice({
    ...service.env,
    PAYFILE_BASE_URL: await limitingProxy(service.sandbox.baseUrl, '300'),
  });
  open.push(service.sandbox, office);
  const { payfile, file } = office;
  file('may.csv', payrollCsv(GOOD.slice(0, 3).map((account) => [account, '100.00'])));
  await payfile('init');
  const words = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=300.00', '--deadline', '15s'];
  const startMs = performance.now();
  const ended = await payfile(...words);
  expect(ended.code, ended.stderr).toBe(6);
  expect(performance.now() - startMs).toBeLessThan(15_000);
  expect(ended.stderr).toMatch(
    /The service takes no transfers for now \(HTTP 429\)\. It asked to wait until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./,
  );
  expect(ended.stderr).toContain('Next: payfile send may');
  expect(service.sandbox.book.size).toBe(1);
  const again = await payfile('send', 'may', '--deadline', '15s');
  expect(again.code, again.stderr).toBe(6);
  expect(again.stderr).toMatch(/It asked to wait until/);
  expect(service.sandbox.book.size).toBe(1);
}, 60_000);
