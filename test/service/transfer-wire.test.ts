/**
 * One transfer on the wire, against a service that does every wrong thing after (or before) it has read the
 * request. In every case the service sees the request at most once, and the outcome is the promised one.
 */
import type net from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SendOutcome } from '../../src/ports/payment-service.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';
import {
  envelope,
  json,
  type Script,
  type ScriptedService,
  startScriptedService,
} from '../fakes/scripted-service.ts';
import { ACCOUNT, aClient, anOrder, letLogIn, sendOnce, TOKEN } from './a-client.ts';

let scripted: ScriptedService;
beforeEach(async () => {
  scripted = await startScriptedService();
  letLogIn(scripted);
});
afterEach(() => scripted.close());

const TRANSFER = 'POST /v1/transfer';
const POSTED = envelope('success', 0, { id: 'tr_1' }, 'posted');
const ACCEPTED = json(200, POSTED);
const thenEnds = (bytes: string) => (socket: net.Socket) => void socket.end(bytes);
const thenResets = (bytes: string) => (socket: net.Socket) =>
  void socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20));
const BODY_LATIN1 = POSTED.replace('posted', 'post\u00e9');
const NOT_UTF8 = `HTTP/1.1 200 OK\r\nContent-Length: ${BODY_LATIN1.length}\r\n\r\n${BODY_LATIN1}`;
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const packed = (cutBytes: number) => {
  const body = gzipSync(POSTED);
  const kept = body.subarray(0, body.length - cutBytes);
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${kept.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), kept]);
};
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

function word(outcome: SendOutcome): string {
  if (outcome.kind === 'in_doubt') return outcome.reason;
  return outcome.kind === 'turned_away' ? outcome.why : outcome.kind;
}

describe('what the service sees', () => {
  it('is the order, digit by digit, in one request with the three headers', async () => {
    scripted.on(TRANSFER, ACCEPTED);
    const { service } = aClient(scripted);
    const outcome = await sendOnce(service);
    const request = scripted.requests.at(-1);
    expect(request?.body).toBe(
      '{"Source":"gh","Destination":"ke","Amount":1500.25,"Fi":"fi-7","Note":"PF-ABCDEFGH May salary",' +
        `"AccountNo":"${ACCOUNT}","Name":"Amina Wanjirũ","Phone":"+254700000000"}`,
    );
    expect(request?.headers).toMatchObject({
      host: `127.0.0.1:${scripted.port}`,
      id: 'owner-1',
      token: TOKEN,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(request?.body ?? '')),
      connection: 'close',
    });
    expect(outcome).toMatchObject({ kind: 'accepted', transferId: 'tr_1' });
    if (outcome.kind !== 'accepted') return;
    expect(outcome.evidence).toMatchObject({
      attempt: 1,
      phase: 'answer',
      httpStatus: 200,
      code: '0',
      message: 'posted',
    });
    expect(outcome.evidence.fragment).toBe(POSTED);
    expect(outcome.evidence.bytesWritten).toBeGreaterThan(200);
    expect(outcome.evidence.localPort).toBe(request?.clientPort);
    await service.close();
  });

  it('[N23] comes on a connection of its own for each transfer, with concurrency or without', async () => {
    scripted.on(TRANSFER, ACCEPTED);
    const { service } = aClient(scripted, { openAhead: 4 });
    for (let sent = 0; sent < 10; sent += 1) await sendOnce(service);
    await Promise.all(Array.from({ length: 10 }, () => sendOnce(service)));
    const ports = scripted.requests.filter(({ method, path }) => `${method} ${path}` === TRANSFER);
    expect(new Set(ports.map(({ clientPort }) => clientPort)).size).toBe(20);
    await service.close();
  });
});

describe('an answer', () => {
  it.each<[string, Script, string]>([
    ['success', ACCEPTED, 'accepted'],
    [
      'success in chunks',
      CHUNKED + chunk(POSTED.slice(0, 9)) + chunk(POSTED.slice(9)) + chunk(''),
      'accepted',
    ],
    ['[N20] success after 100', `HTTP/1.1 100 Continue\r\n\r\n${ACCEPTED}`, 'accepted'],
    ['[N20] success after 103', `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ACCEPTED}`, 'accepted'],
    ['[H15] success in HTML clothing', json(200, POSTED, { 'Content-Type': 'text/html' }), 'accepted'],
    ['[H17] success with a cookie', json(200, POSTED, { 'Set-Cookie': 'a=b' }), 'accepted'],
    ['[H17] success with a byte order mark', json(200, `\uFEFF${POSTED}`), 'accepted'],
    [
      '[H17] success in an odd charset',
      json(200, POSTED, { 'Content-Type': 'application/json; charset=x-unknown' }),
      'accepted',
    ],
    [
      '[H17] success that is not UTF-8',
      (socket) => void socket.write(Buffer.from(NOT_UTF8, 'latin1')),
      'answer_unreadable',
    ],
    ['[N19] success, then a second answer', ACCEPTED + ACCEPTED, 'accepted'],
    ['[N19] success, then rubbish', `${ACCEPTED}rubbish rubbish`, 'accepted'],
    ['success, then a reset', thenResets(ACCEPTED), 'accepted'],
    ['[N22] success in drops', (socket) => drip(socket, ACCEPTED), 'accepted'],
    ['[H1] a refusal', json(400, envelope('failed', 7, {}, 'no')), 'refused'],
    ['429', json(429, '', { 'Retry-After': '2' }), 'rate_limited'],
    ['[H12] 302', json(302, '', { Location: '/v1/elsewhere' }), 'answer_unreadable'],
    ['[H13] 307', json(307, '', { Location: '/v1/transfer' }), 'answer_unreadable'],
    ['[H13] 308 to another host', json(308, '', { Location: 'http://localhost:1/x' }), 'answer_unreadable'],
    ['[H2] 403 of a firewall', json(403, '<html>'), 'answer_unreadable'],
    ['[H5] 408', json(408, envelope('failed', 7, {})), 'answer_inconclusive'],
    ['[H7] 421', json(421, ''), 'answer_unreadable'],
    ['[H10] 500', json(500, envelope('failed', 7, {})), 'answer_inconclusive'],
    ['[H11] 502', json(502, '<html>'), 'answer_unreadable'],
    ['[H14] 204', 'HTTP/1.1 204 No Content\r\n\r\n', 'answer_unreadable'],
    ['[N12] nothing, then the end', thenEnds(''), 'no_answer'],
    ['[N10] nothing, then a reset', thenResets(''), 'no_answer'],
    ['[N13] nothing for ever', () => undefined, 'no_answer'],
    ['half a head', thenEnds('HTTP/1.1 200 O'), 'no_answer'],
    ['no HTTP', thenEnds('SSH-2.0-OpenSSH_9.6\r\n'), 'answer_unreadable'],
    ['an upgrade', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'no_answer'],
    ['[N14] a head, then silence', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', 'answer_incomplete'],
    ['[N15] half a body, then the end', thenEnds(ACCEPTED.slice(0, -1)), 'answer_incomplete'],
    ['[N15] half a body, then a reset', thenResets(ACCEPTED.slice(0, -1)), 'answer_incomplete'],
    ['[N14] half a body, then silence', ACCEPTED.slice(0, -1), 'answer_incomplete'],
    [
      '[N16] a whole body that only the end closes',
      thenEnds(`HTTP/1.1 200 OK\r\n\r\n${POSTED}`),
      'answer_incomplete',
    ],
    ['[N17] chunks without the last', thenEnds(CHUNKED + chunk(POSTED)), 'answer_incomplete'],
    ['[N17] chunks without the last, then silence', CHUNKED + chunk(POSTED), 'answer_incomplete'],
    [
      'a length and chunks at once',
      CHUNKED.replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\n') + chunk(POSTED),
      'answer_unreadable',
    ],
    ['two lengths', ACCEPTED.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n'), 'answer_unreadable'],
    ['a length that is none', ACCEPTED.replace(/Length: \d+/, 'Length: 1x'), 'answer_unreadable'],
    [
      '[N18] success, packed although nobody asked for it',
      (socket) => void socket.write(packed(0)),
      'answer_unreadable',
    ],
    ['[N18] success, packed, without its end', (socket) => void socket.write(packed(4)), 'answer_unreadable'],
  ])('of %s: one request, the promised outcome', async (_what, script, expected) => {
    scripted.on(TRANSFER, script);
    const { service } = aClient(scripted, { postTimeoutMs: 300 });
    const outcome = await sendOnce(service);
    expect(word(outcome)).toBe(expected);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(scripted.count(TRANSFER)).toBe(1);
    expect(scripted.requests).toHaveLength(2);
    await service.close();
  });

  it('[N22] that drips slower than the patience is in doubt', async () => {
    scripted.on(TRANSFER, (socket) => drip(socket, ACCEPTED, 10));
    const { service } = aClient(scripted, { postTimeoutMs: 150 });
    expect((await sendOnce(service)).kind).toBe('in_doubt');
    await service.close();
  });

  it.each<[string, string | undefined, number]>([
    ['seconds', '7', 7_000],
    ['nothing', undefined, 1_000],
  ])(
    '[H9] 429 with a wait of %s turns the batch away for a bounded time, of which this client waits five minutes',
    async (_what, retryAfter, delayMs) => {
      const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
      scripted.on(TRANSFER, json(429, '', headers));
      const clock = createJumpingClock();
      const { service } = aClient(scripted, {}, clock);
      expect(await sendOnce(service)).toMatchObject({ kind: 'turned_away', why: 'rate_limited', delayMs });
      const before = clock.monotonicMs();
      scripted.on(TRANSFER, ACCEPTED);
      expect((await sendOnce(service)).kind).toBe('accepted');
      expect(clock.monotonicMs() - before).toBeGreaterThan(Math.min(delayMs, 300_000) * 0.9);
      expect(clock.monotonicMs() - before).toBeLessThan(301_000);
      await service.close();
    },
  );

  it('[H9] 429 with a date is waited for by the clock that wrote the date, however wrong that is', async () => {
    const headers = { Date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'Retry-After': 'Sun, 06 Nov 1994 08:51:07 GMT' };
    scripted.on(TRANSFER, json(429, '', headers));
    const { service } = aClient(scripted, {}, createJumpingClock());
    expect(await sendOnce(service)).toMatchObject({ kind: 'turned_away', delayMs: 90_000 });
    await service.close();
  });
});

describe('a refusal that may be about the token', () => {
  const PROFILE = 'GET /v1/profile';
  const GOOD = json(200, envelope('success', 0, {}));
  const NO_1 = json(200, envelope('failed', 1, {}, `no money on ${ACCOUNT} for ${TOKEN}`));
  it.each<[string, Script, Script, string]>([
    ['[H3] code 1, token good', NO_1, GOOD, 'refused'],
    ['[H3] 401, token good', json(401, ''), GOOD, 'answer_inconclusive'],
    ['[H3] 401 and code 1, token good', json(401, envelope('failed', 1, {})), GOOD, 'answer_inconclusive'],
    ['[H3] code 1, token refused', NO_1, json(401, ''), 'token_refused'],
    ['[H3] 401, token refused', json(401, '<html>'), json(200, envelope('failed', '1', {})), 'token_refused'],
    ['[H3] 401, profile down', json(401, ''), json(503, ''), 'answer_inconclusive'],
    [
      'code 1, profile says something else',
      NO_1,
      json(400, envelope('failed', 9, {})),
      'answer_inconclusive',
    ],
    ['code 1, profile cut off', NO_1, (socket) => socket.destroy(), 'answer_inconclusive'],
  ])('%s: one request, one profile, the promised outcome', async (_what, script, profile, expected) => {
    scripted.on(TRANSFER, script);
    scripted.on(PROFILE, profile);
    const { service } = aClient(scripted, {}, createJumpingClock());
    const outcome = await sendOnce(service);
    expect(word(outcome)).toBe(expected);
    expect(scripted.count(TRANSFER)).toBe(1);
    expect(scripted.requests.findLast(({ path }) => path === '/v1/profile')?.headers.token).toBe(TOKEN);
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
    if (outcome.kind === 'refused') expect(outcome.message).toBe('no money on ••••7890 for ••••');
    await service.close();
  });

  it('[H3] a refused token is replaced before the next transfer, by one login', async () => {
    scripted.on(TRANSFER, json(401, ''), ACCEPTED);
    scripted.on(PROFILE, json(401, ''), GOOD);
    const { service } = aClient(scripted, {}, createJumpingClock());
    expect(word(await sendOnce(service))).toBe('token_refused');
    expect(word(await sendOnce(service))).toBe('accepted');
    expect(scripted.count('POST /auth/login')).toBe(2);
    await service.close();
  });

  it('[H3] is judged by a profile asked after the transfer, not by what was known before', async () => {
    scripted.on('GET /v1/countries', json(200, envelope('failed', 1, {})));
    scripted.on(PROFILE, GOOD, json(401, ''));
    scripted.on(TRANSFER, NO_1);
    const { service } = aClient(scripted);
    expect((await service.countries()).kind).toBe('declined');
    expect(word(await sendOnce(service))).toBe('token_refused');
    await service.close();
  });
});

describe('an order that cannot go out is not sent', () => {
  it.each(['1e5', '-1', '1,5', '', 'NaN'])('because %s is no amount', async (amount) => {
    const { service } = aClient(scripted);
    expect(await sendOnce(service, anOrder({ amount }))).toMatchObject({ kind: 'not_sent', phase: 'ready' });
    expect(scripted.count(TRANSFER)).toBe(0);
    await service.close();
  });

  it('because its connection was used, discarded or is from somewhere else', async () => {
    scripted.on(TRANSFER, ACCEPTED);
    const { service } = aClient(scripted);
    const prepared = await service.prepareSend();
    if (prepared.kind !== 'prepared') throw new Error(prepared.reason);
    expect((await service.send(anOrder(), prepared)).kind).toBe('accepted');
    expect(await service.send(anOrder(), prepared)).toMatchObject({ kind: 'not_sent', phase: 'ready' });
    const discarded = await service.prepareSend();
    if (discarded.kind !== 'prepared') throw new Error(discarded.reason);
    discarded.discard();
    expect(await service.send(anOrder(), discarded)).toMatchObject({ kind: 'not_sent', phase: 'ready' });
    const foreign = { kind: 'prepared', discard: () => undefined } as const;
    expect(await service.send(anOrder(), foreign)).toMatchObject({ kind: 'not_sent', phase: 'ready' });
    expect(scripted.count(TRANSFER)).toBe(1);
    await service.close();
  });

  // The steady clock of a machine that was suspended stood still meanwhile.
  it.each([
    ['by both clocks', 2_100, 0],
    ['by the wall clock alone', 0, 2_100],
    ['as far as a clock that was set back can tell', 0, -2_100],
  ])('[L15] because it was prepared too long ago, %s', async (_how, bothMs, wallMs) => {
    const clock = createJumpingClock();
    const { service } = aClient(scripted, {}, clock);
    const prepared = await service.prepareSend();
    if (prepared.kind !== 'prepared') throw new Error(prepared.reason);
    clock.advance(bothMs);
    clock.setWallForward(wallMs);
    expect(await service.send(anOrder(), prepared)).toMatchObject({ kind: 'not_sent', phase: 'ready' });
    expect(scripted.count(TRANSFER)).toBe(0);
    await service.close();
  });
});

function drip(socket: net.Socket, bytes: string, everyMs = 0): void {
  let at = 0;
  const next = () => {
    if (socket.destroyed || at >= bytes.length) return;
    socket.write(bytes.charAt(at));
    at += 1;
    if (everyMs === 0) setImmediate(next);
    else setTimeout(next, everyMs);
  };
  next();
}
