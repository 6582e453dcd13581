/**
 * Whatever goes wrong before the first byte of a transfer can leave: it is not sent, it is never in doubt (G9), and
 * the service saw no request.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpPaymentServiceSettings } from '../../src/service/http-payment-service.ts';
import { guardedLookup } from '../../src/service/service-address.ts';
import { type FaultServer, type FaultServerOptions, startFaultServer } from '../fakes/fault-server/server.ts';
import { fixture } from '../fakes/fault-server/tls.ts';
import { testAuthority } from '../fakes/scripted-service.ts';
import { aClient, anOrder, sendOnce } from '../service/a-client.ts';
import { type Middlebox, startMiddlebox } from './middlebox.ts';

const SOAK = process.env['SOAK'] === '1';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(options: FaultServerOptions = {}): Promise<FaultServer> {
  const server = await startFaultServer(options);
  closing.push(() => server.close());
  return server;
}

/** A client that logs in at a good server and posts elsewhere. */
async function clientTo(baseUrl: string, settings: Partial<HttpPaymentServiceSettings> = {}) {
  const { service, log } = aClient(await start(), {
    baseUrl: `${baseUrl}/v1`,
    openAhead: 0,
    certificateAuthority: testAuthority,
    ...settings,
  });
  closing.push(() => service.close());
  return { service, log };
}

/** Every name has these addresses. */
const naming =
  (...addresses: string[]): net.LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: net.isIP(address) }));
    if (options.all === true) callback(null, all);
    else callback(null, addresses[0] ?? '', all[0]?.family);
  };

describe('a name', () => {
  it.each(['ENOTFOUND', 'EAI_AGAIN'])('[N1] that cannot be resolved (%s) is not sent to', async (code) => {
    const lookup: net.LookupFunction = (_host, _options, callback) =>
      callback(Object.assign(new Error('no such name'), { code }), []);
    const { service } = await clientTo('https://pay.example', { lookup });
    expect(await service.prepareSend()).toEqual({ kind: 'not_sent', phase: 'connect', reason: code });
  });

  it.each([
    ['127.0.0.1'],
    ['127.8.9.10'],
    ['0.0.0.0'],
    ['169.254.169.254'],
    ['::1'],
    ['::'],
    ['fe80::1'],
    ['::ffff:127.0.0.1'],
    ['203.0.113.7', '127.0.0.1'],
  ])('[N2] of the service that leads to %s is not sent to, nor shown a password', async (...addresses) => {
    const here = await start({ tls: { certificate: 'test-only' } });
    const lookup = naming(...addresses);
    const address = `https://pay.example:${here.port}`;
    const { service } = await clientTo(address, { lookup });
    const reason = 'HOST_RESOLVES_TO_THIS_MACHINE';
    expect(await service.prepareSend()).toEqual({ kind: 'not_sent', phase: 'connect', reason });
    const { service: other } = await clientTo(address, { lookup, authUrl: `${address}/auth` });
    const unsent = { kind: 'not_sent', phase: 'login', reason: `login: ${reason}` };
    expect(await other.prepareSend()).toEqual(unsent);
    expect(here.connections()).toBe(0);
  });

  it.each([
    ['a public address', 'pay.example', '203.0.113.7'],
    ['a private network', 'pay.corp.example', '10.1.2.3'],
    ['this machine, which is what it says', 'localhost', '127.0.0.1'],
    ['this machine, in the domain for it', 'pay.localhost', '::1'],
  ])('that leads to %s is resolved as ever', async (_what, host, address) => {
    const found = await new Promise((resolve) => {
      guardedLookup(naming(address))(host, { all: true }, (error, all) => resolve(error ?? all));
    });
    expect(found).toEqual([{ address, family: net.isIP(address) }]);
  });
});

describe('a way that is closed', () => {
  it('[N3] on one address is no hindrance when another is open', async () => {
    const server = await start();
    const url = `http://localhost:${server.port}`;
    const lookup = naming('::1', '127.0.0.1');
    const { service } = await clientTo(url, { lookup, authUrl: `${url}/auth` });
    expect((await sendOnce(service)).kind).toBe('accepted');
    expect(server.book.posts).toHaveLength(1);
  });

  it('[N3] on all addresses is not sent over', async () => {
    const server = await start();
    await server.close();
    const { service } = await clientTo(`http://localhost:${server.port}`, {
      lookup: naming('::1', '127.0.0.1'),
    });
    expect(await service.prepareSend()).toMatchObject({
      kind: 'not_sent',
      phase: 'connect',
      reason: 'ECONNREFUSED',
    });
  });

  it('[N4] because nobody answers is not sent over, after the patience for connecting', async () => {
    const { service } = await clientTo(`http://127.0.0.1:${await blackHole()}`, { connectTimeoutMs: 200 });
    const prepared = await service.prepareSend();
    expect(prepared).toEqual({ kind: 'not_sent', phase: 'connect', reason: 'connect_timeout' });
  });

  /** A port whose queue of connections is full and stays full: the next SYN is dropped. */
  async function blackHole(): Promise<number> {
    const code = `require('node:net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){
      console.log(this.address().port);Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)})`;
    const child = spawn(process.execPath, ['-e', code]);
    closing.push(() => child.kill('SIGKILL'));
    const port = Number(await firstLine(child));
    for (let tried = 0; tried < 20; tried += 1) {
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      closing.push(() => socket.destroy());
      const isOpen = await Promise.race([
        once(socket, 'connect').then(() => true),
        new Promise<false>((resolve) => setTimeout(resolve, 100, false)),
      ]);
      if (!isOpen) return port;
    }
    throw new Error('the queue of connections never fills');
  }
});

describe('a certificate', () => {
  it.each([
    ['expired', 'expired', 'CERT_HAS_EXPIRED'],
    ['of another host', 'other-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that nobody signed', 'test-only', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const)(
    '[N7] %s is not sent to, whatever the environment allows',
    async (_what, certificate, reason) => {
      const server = await start({ tls: { certificate } });
      const isTrusted = certificate !== 'test-only';
      const certificateAuthority = isTrusted ? fixture(`${certificate}.cert.pem`) : undefined;
      const { service } = await clientTo(server.url, { certificateAuthority });
      const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
      try {
        expect(await service.prepareSend()).toEqual({ kind: 'not_sent', phase: 'connect', reason });
      } finally {
        if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
        else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      }
      expect(server.book.posts).toEqual([]);
    },
  );

  it('[N8] of ours that is missed only after our side of the handshake leaves the payment in doubt', async () => {
    const server = await start({ tls: { certificate: 'test-only', demandsClientCertificate: true } });
    const { service } = await clientTo(server.url);
    const outcome = await sendOnce(service);
    expect(outcome).toMatchObject({
      kind: 'in_doubt',
      evidence: { errorCode: expect.stringMatching(/^ERR_SSL|^E/) },
    });
    expect(server.book.posts).toEqual([]);
  });

  it('[N8] of ours that is missed before the first byte is written leaves it unsent', async () => {
    const server = await start({ tls: { certificate: 'test-only', demandsClientCertificate: true } });
    const { service } = await clientTo(server.url);
    const prepared = await service.prepareSend();
    if (prepared.kind !== 'prepared') throw new Error(prepared.reason);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await service.send(anOrder(), prepared)).toMatchObject({ kind: 'not_sent', phase: 'ready' });
    expect(server.book.posts).toEqual([]);
  });

  it('[N24] over which only HTTP/2 is spoken is not sent to', async () => {
    const server = await start({ tls: { certificate: 'test-only', alpn: ['h2'] } });
    const { service } = await clientTo(server.url);
    expect(await service.prepareSend()).toMatchObject({ kind: 'not_sent', phase: 'connect' });
    expect(server.book.posts).toEqual([]);
  });
});

describe('a TLS handshake that breaks', () => {
  it(
    '[N5][N6] at any byte of either side leaves the payment unsent',
    async () => {
      const server = await start({ tls: { certificate: 'test-only' } });
      const box = await startMiddlebox(server.port);
      closing.push(() => box.close());
      const { service } = await clientTo(`https://127.0.0.1:${box.port}`, { connectTimeoutMs: 5_000 });
      const wholeHandshake = await bytesOfHandshake(box, service);
      expect(wholeHandshake).toBeGreaterThan(500);
      const step = SOAK ? 1 : 13;
      const wrong: string[] = [];
      for (const side of ['client', 'server'] as const) {
        // The client's hello alone is longer than 250 bytes; what the server says varies by a few bytes each time.
        const last = side === 'client' ? 250 : wholeHandshake - 12;
        for (let atByte = side === 'client' ? 1 : 0; atByte < last; atByte += step) {
          for (const by of ['reset', 'end'] as const) {
            box.breaks = { side, atByte, by };
            const prepared = await service.prepareSend();
            const isRight = prepared.kind === 'not_sent' && prepared.phase === 'connect';
            if (!isRight) wrong.push(`${side} ${atByte} ${by}: ${JSON.stringify(prepared)}`);
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(server.book.posts).toEqual([]);
    },
    SOAK ? 300_000 : 30_000,
  );

  it('[N4] by silence leaves it unsent too', async () => {
    const server = await start({ tls: { certificate: 'test-only' } });
    const box = await startMiddlebox(server.port);
    closing.push(() => box.close());
    const { service } = await clientTo(`https://127.0.0.1:${box.port}`, { connectTimeoutMs: 150 });
    const wholeHandshake = await bytesOfHandshake(box, service);
    for (const atByte of [0, 1, 5, 100, 400, wholeHandshake - 12]) {
      box.breaks = { side: 'server', atByte, by: 'stall' };
      expect(await service.prepareSend()).toMatchObject({ kind: 'not_sent', reason: 'connect_timeout' });
    }
    expect(server.book.posts).toEqual([]);
  });

  /** What the server says until we are connected, in bytes; it says more only after that. */
  async function bytesOfHandshake(box: Middlebox, service: Awaited<ReturnType<typeof clientTo>>['service']) {
    const prepared = await service.prepareSend();
    if (prepared.kind !== 'prepared') throw new Error(prepared.reason);
    prepared.discard();
    return box.said();
  }
});

it('[N27] a process without a file descriptor left does not send, and sends when there is one again', async () => {
  const server = await start();
  const child = spawn('sh', ['-c', `ulimit -n 64; exec "${process.execPath}" "${CHILD}" "${server.url}"`]);
  const lines = await allLines(child);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'not_sent', phase: 'connect', reason: 'EMFILE' },
    { kind: 'accepted' },
  ]);
  expect(server.book.posts).toHaveLength(1);
});

const CHILD = fileURLToPath(new URL('./no-descriptor-child.ts', import.meta.url));

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no stdout');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the child said nothing');
}

async function allLines(child: ChildProcess): Promise<string[]> {
  if (child.stdout === null) throw new Error('the child has no stdout');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  return lines;
}
