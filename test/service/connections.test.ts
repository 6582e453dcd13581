/**
 * Connections for transfers: whatever fails before the first byte is "not sent", and nothing is ever written
 * to a connection that may be closing.
 */
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/outside/system-clock.ts';
import type { Destination, ReadyConnection } from '../../src/service/one-use-connections.ts';
import { OneUseConnections } from '../../src/service/one-use-connections.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';
import {
  envelope,
  json,
  type ScriptedOptions,
  type ScriptedService,
  startScriptedService,
  testAuthority,
} from '../fakes/scripted-service.ts';
import { aClient, anOrder, letLogIn } from './a-client.ts';

const opened: ScriptedService[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((scripted) => scripted.close()));
});

async function start(options: ScriptedOptions = {}): Promise<ScriptedService> {
  const scripted = await startScriptedService(options);
  letLogIn(scripted);
  scripted.on('POST /v1/transfer', json(200, envelope('success', 0, { id: 'tr_1' })));
  opened.push(scripted);
  return scripted;
}

function to(scripted: ScriptedService, changes: Partial<Destination> = {}): Destination {
  return {
    hostname: '127.0.0.1',
    port: scripted.port,
    secure: false,
    connectTimeoutMs: 500,
    certificateAuthority: undefined,
    ...changes,
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('sends nothing to a service with an invalid handshake', async () => {
  const rubbish = (socket: net.Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  const { port, requests } = await start({ onConnection: rubbish });
  const { service } = aClient(await start(), {
    baseUrl: `https://127.0.0.1:${port}/v1`,
    connectTimeoutMs: 300,
  });
  expect(await service.prepareSend()).toMatchObject({ kind: 'not_sent', phase: 'connect' });
  expect(requests).toHaveLength(0);
  await service.close();
});

describe('over TLS', () => {
  it('a transfer is accepted when the certificate is good, and no byte is written before it is sent', async () => {
    const scripted = await start({ tls: 'good' });
    const { service } = aClient(scripted, { certificateAuthority: testAuthority });
    const prepared = await service.prepareSend();
    if (prepared.kind !== 'prepared') throw new Error(prepared.reason);
    await pause(50);
    expect(scripted.count('POST /v1/transfer')).toBe(0);
    const outcome = await service.send(anOrder(), prepared);
    expect(outcome).toMatchObject({ kind: 'accepted', evidence: { phase: 'answer' } });
    if (outcome.kind === 'accepted') expect(outcome.evidence.bytesWritten).toBeGreaterThan(200);
    expect(scripted.count('POST /v1/transfer')).toBe(1);
    await service.close();
  });
});

describe('a prepared connection that changed is not written to', () => {
  it.each<[string, (socket: net.Socket) => void]>([
    ['the other side ended it', (socket) => void socket.end()],
    ['the other side reset it', (socket) => socket.resetAndDestroy()],
    [
      '[N19] something was said on it before us',
      (socket) => void socket.write(json(200, envelope('success', 0, { id: 'x' }))),
    ],
  ])('because %s', async (_what, change) => {
    const sockets: net.Socket[] = [];
    const scripted = await start({ onConnection: (socket) => sockets.push(socket) });
    const { service } = aClient(scripted);
    const prepared = await service.prepareSend();
    if (prepared.kind !== 'prepared') throw new Error(prepared.reason);
    const last = sockets.at(-1);
    if (last !== undefined) change(last);
    await pause(30);
    expect(await service.send(anOrder(), prepared)).toMatchObject({ kind: 'not_sent', phase: 'ready' });
    expect(scripted.count('POST /v1/transfer')).toBe(0);
    await service.close();
  });
});

describe('connections opened ahead', () => {
  it('are none for a single transfer, and never more than the limit', async () => {
    const scripted = await start();
    const connections = new OneUseConnections({ destination: to(scripted), openAhead: 3 }, systemClock);
    const taken: ReadyConnection[] = [await connections.take()];
    await pause(20);
    expect(scripted.connections()).toBe(1);
    for (let count = 0; count < 10; count += 1) taken.push(await connections.take());
    await pause(20);
    expect(scripted.connections()).toBeLessThanOrEqual(14);
    expect(new Set(taken.map(({ localPort }) => localPort)).size).toBe(11);
    for (const connection of taken) connection.discard();
    connections.close();
  });

  it('are thrown away after two seconds', async () => {
    const clock = createJumpingClock();
    const scripted = await start();
    const connections = new OneUseConnections({ destination: to(scripted), openAhead: 2 }, clock);
    const first = await connections.take();
    const second = await connections.take();
    await pause(20);
    const before = scripted.connections();
    expect(before).toBeGreaterThan(2);
    clock.advance(2_500);
    const third = await connections.take();
    expect(third.isUsable()).toBe(true);
    expect(scripted.connections()).toBeGreaterThan(before);
    for (const connection of [first, second, third]) connection.discard();
    connections.close();
  });

  it('and closed by the service meanwhile are never handed out', async () => {
    const sockets: net.Socket[] = [];
    const scripted = await start({ onConnection: (socket) => sockets.push(socket) });
    const connections = new OneUseConnections({ destination: to(scripted), openAhead: 4 }, systemClock);
    for (let count = 0; count < 4; count += 1) (await connections.take()).discard();
    await pause(20);
    for (const socket of sockets) socket.end();
    await pause(20);
    const taken = await connections.take();
    expect(taken.isUsable()).toBe(true);
    taken.discard();
    connections.close();
  });

  it('leave nobody waiting when they fail, when a caller stops, or when all is closed', async () => {
    const silent = net.createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const port = (silent.address() as net.AddressInfo).port;
    const destination = to(await start(), { port, secure: true, connectTimeoutMs: 100 });
    const connections = new OneUseConnections({ destination, openAhead: 4 }, systemClock);
    const stop = new AbortController();
    const stopped = connections.take(stop.signal);
    stop.abort(new Error('stopped by hand'));
    await expect(stopped).rejects.toThrow('stopped by hand');
    const failed = await Promise.allSettled(Array.from({ length: 5 }, () => connections.take()));
    expect(failed.map((result) => result.status)).toEqual(Array(5).fill('rejected'));
    const waiting = connections.take();
    connections.close();
    await expect(waiting).rejects.toThrow('aborted');
    await expect(connections.take()).rejects.toThrow('closed');
    silent.close();
  });
});
