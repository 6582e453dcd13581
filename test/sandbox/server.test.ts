/** Starting, stopping, waiting and logging. */
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { aTransfer, call, get, pay, sessionOf } from './a-client.ts';

it('ends promptly although connections are open: idle, in mid-request, waiting for an answer', async () => {
  const sandbox = await startSandbox({ latencyMs: 60_000 });
  const sockets = [connect(sandbox.port, '127.0.0.1'), connect(sandbox.port, '127.0.0.1')];
  for (const socket of sockets) socket.on('error', () => undefined);
  sockets[1]?.write('POST /v1/transfer HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
  const agent = new Agent({ keepAlive: true });
  const waiting = call(`${sandbox.baseUrl}/countries`, { agent }).catch((error: Error) => error.message);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const started = performance.now();
  await sandbox.close();
  expect(performance.now() - started).toBeLessThan(500);
  expect(await waiting).toMatch(/socket hang up|ECONNRESET/);
  await sandbox.close();
  await expect(call(`${sandbox.baseUrl}/countries`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  agent.destroy();
});

it('ends promptly with a kept-alive connection that has had its answer', async () => {
  const sandbox = await startSandbox();
  const agent = new Agent({ keepAlive: true });
  expect((await call(`${sandbox.baseUrl}/countries`, { agent })).status).toBe(401);
  const started = performance.now();
  await sandbox.close();
  expect(performance.now() - started).toBeLessThan(500);
  agent.destroy();
});

it('refuses to start on a taken port, and gives the book back', async () => {
  const sandbox = await startSandbox();
  await expect(startSandbox({ port: sandbox.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await sandbox.close();
});

it('refuses settings that make no sense', async () => {
  await expect(startSandbox({ latencyMs: -1 })).rejects.toThrow('latencyMs is -1');
  await expect(startSandbox({ speedFactor: Number.NaN })).rejects.toThrow('speedFactor');
});

it('executes before it waits, and answers no sooner than its latency', async () => {
  const sandbox = await startSandbox({ latencyMs: 80 });
  const session = await sessionOf(sandbox);
  const started = performance.now();
  const answer = pay(sandbox, session, aTransfer());
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(sandbox.book.size).toBe(1);
  expect((await answer).json.code).toBe(0);
  expect(performance.now() - started).toBeGreaterThanOrEqual(79);
  await sandbox.close();
});

it('finishes demonstration transfers within three seconds, and quotes what really happens', async () => {
  const sandbox = await startSandbox();
  const session = await sessionOf(sandbox);
  const { Source, Destination } = aTransfer();
  const { data } = (await get(sandbox, `/rates/${Source}/${Destination}/10`, session)).json;
  await pay(sandbox, session, aTransfer());
  const [entry] = sandbox.book.entries();
  const [first, last] = entry?.transitions ?? [];
  expect((last?.at ?? 0) - (first?.at ?? 0)).toBe(1000);
  expect((data as { speed: number }).speed).toBe(1);
  await sandbox.close();
});

it('executes nothing for a request that breaks off on its way', async () => {
  const sandbox = await startSandbox();
  const session = await sessionOf(sandbox);
  const body = JSON.stringify(aTransfer());
  const socket = connect(sandbox.port, '127.0.0.1');
  const head = [
    'POST /v1/transfer HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `id: ${session.id}`,
    `token: ${session.token}`,
    `expiry: ${session.expiry}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${body.slice(0, -1)}`);
  await new Promise((resolve) => socket.on('close', resolve).resume());
  expect(sandbox.book.size).toBe(0);
  await sandbox.close();
});

it('logs one line per request without tokens, passwords and account numbers', async () => {
  const lines: string[] = [];
  const sandbox = await startSandbox({ log: (line) => lines.push(line) });
  const session = await sessionOf(sandbox);
  await pay(sandbox, session, aTransfer());
  await get(sandbox, `/fisit/${aTransfer().Fi}/0244123456`, session);
  await get(sandbox, '/nowhere?token=0244123456', session);
  expect(lines).toEqual([
    'POST /auth/login 200 code 0',
    expect.stringMatching(/^POST \/v1\/transfer 200 code 0: executed trf-\w{20}$/),
    'GET /v1/fisit 200 code 0',
    'GET /v1/nowhere 404 code 13: No such endpoint',
  ]);
  expect(lines.join()).not.toMatch(new RegExp(`${session.token}|${sandbox.credentials.password}|0244123456`));
  await sandbox.close();
});
