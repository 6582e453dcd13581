/**
 * Questions over real sockets: what is asked, what may be asked again, and when the token is to blame.
 */
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { parseServiceAddress } from '../../src/service/service-address.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';
import {
  envelope,
  json,
  type ScriptedService,
  session,
  startScriptedService,
} from '../fakes/scripted-service.ts';
import { ACCOUNT, aClient, letLogIn } from './a-client.ts';

let scripted: ScriptedService;
beforeEach(async () => {
  scripted = await startScriptedService();
  letLogIn(scripted);
});
afterEach(() => scripted.close());

const COUNTRIES = 'GET /v1/countries';
const GOOD = json(
  200,
  envelope('Success', '0', [{ id: 'ke', name: 'Kenya', phone: '+254', iso: 'ke', rate: 1 }]),
);
const KENYA = { id: 'ke', name: 'Kenya', iso: 'KE', callingCode: '254' };
const NAME = `GET /v1/fisit/fi-7/${ACCOUNT}`;
const question = { institutionId: asInstitutionId('fi-7'), account: new Sensitive(ACCOUNT) };

const HEAD = 'HTTP/1.1 200 OK\r\n';
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';

describe('each question is asked where the interface says, and read exactly', () => {
  it('countries, with unreadable ones left out and counted', async () => {
    const data = [
      { id: 7, name: 'Ghana', phone: 233, iso: 'GH' },
      { id: 8, name: '' },
    ];
    scripted.on(COUNTRIES, json(200, envelope('SUCCESS', 0, data)));
    const { service, log } = aClient(scripted);
    const answer = [{ id: '7', name: 'Ghana', iso: 'GH', callingCode: '233' }];
    expect(await service.countries()).toEqual({ kind: 'answered', answer });
    expect(log.lines).toContainEqual(expect.objectContaining({ event: 'list_elements_unreadable' }));
    await service.close();
  });

  it('institutions', async () => {
    const data = [{ id: 'fi-7', name: 'Bank', Logo: 'x', Charges: 1.5e-1, Currency: 'kes' }];
    scripted.on('GET /v1/fis/ke', json(200, envelope('success', 0, data)));
    const { service } = aClient(scripted);
    const answer = [{ id: 'fi-7', name: 'Bank', currency: 'KES', charges: '0.15' }];
    expect(await service.institutions(asCountryId('ke'))).toEqual({ kind: 'answered', answer });
    await service.close();
  });

  it('an estimate, with rate and fee as exact text', async () => {
    const body =
      '{"status":"success","data":{"rate":12345678901234567.891,"speed":"60","fees":1e-2},"code":0}';
    scripted.on('GET /v1/rates/gh/ke/1500.25', json(200, body));
    const { service } = aClient(scripted);
    const asked = { sourceId: asCountryId('gh'), destinationId: asCountryId('ke'), amount: '1500.25' };
    const answer = { rate: '12345678901234567.891', fee: '0.01', speedSeconds: 60 };
    expect(await service.estimate(asked)).toEqual({ kind: 'answered', answer });
    await service.close();
  });

  it.each(['', '  '])('no transaction whose status is “%s”', async (Status) => {
    scripted.on('GET /v1/transaction/tr_1', json(200, envelope('success', 0, { id: 'tr_1', Status })));
    const { service } = aClient(scripted);
    const reason = 'unreadable answer (HTTP 200)';
    expect(await service.transaction(asTransferId('tr_1'))).toEqual({ kind: 'unavailable', reason });
    await service.close();
  });

  it('a transaction, whatever members it has besides id and status', async () => {
    const data = {
      id: 'tr_1',
      amount: 'lots',
      receiver: 5,
      Date: '04/05/2026 12:00 pm',
      Status: 'Finished',
      Bank: 'B',
    };
    scripted.on('GET /v1/transaction/tr_1', json(200, envelope('success', 0, data)));
    const { service } = aClient(scripted);
    const answer = {
      id: 'tr_1',
      status: 'Finished',
      amount: 'lots',
      receiver: undefined,
      institution: 'B',
      destination: undefined,
      date: '04/05/2026 12:00 pm',
    };
    expect(await service.transaction(asTransferId('tr_1'))).toEqual({ kind: 'answered', answer });
    await service.close();
  });

  it.each([
    ['1.5e3', '1500'],
    ['"2400.00"', '2400.00'],
    ['"2,400.00"', '2,400.00'],
    ['{"value":2400}', '{"value":2400}'],
    ['1e400', '1e400'],
    ['true', 'true'],
    ['null', undefined],
  ])('the amount %s of a transaction as %s: one that cannot be read is shown', async (amount, shown) => {
    const body = `{"status":"success","data":{"id":"tr_1","Status":"Finished","amount":${amount}},"code":0}`;
    scripted.on('GET /v1/transaction/tr_1', json(200, body));
    const { service } = aClient(scripted);
    const asked = await service.transaction(asTransferId('tr_1'));
    expect(asked).toMatchObject({ kind: 'answered', answer: { amount: shown } });
    await service.close();
  });

  it('the profile, with an empty JSON object as body', async () => {
    scripted.on(
      'GET /v1/profile',
      json(200, '{"status":"success","data":{"n":1.10,"x":[12345678901234567890]},"code":0}'),
    );
    const { service } = aClient(scripted);
    const answer = '{"n":1.10,"x":[12345678901234567890]}';
    expect(await service.profile()).toEqual({ kind: 'answered', answer });
    const asked = scripted.requests.at(-1);
    expect(asked?.body).toBe('{}');
    expect(asked?.headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    });
    await service.close();
  });

  it('with every path segment encoded, and none that would change the path', async () => {
    scripted.on('GET /v1/fisit/fi%2F7/a%20b%2F%3F%23', json(200, envelope('success', 0, { name: ' Ama ' })));
    const { service } = aClient(scripted);
    const odd = { institutionId: asInstitutionId('fi/7'), account: new Sensitive('a b/?#') };
    expect(await service.accountName(odd)).toEqual({ kind: 'answered', answer: 'Ama' });
    for (const account of ['..', '.', '']) {
      const asked = await service.accountName({ ...question, account: new Sensitive(account) });
      expect(asked).toMatchObject({ kind: 'unavailable' });
    }
    expect(scripted.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    await service.close();
  });

  it('and addresses that would carry money or passwords in the open are refused', () => {
    for (const address of [
      'http://service.example',
      'ftp://127.0.0.1',
      'service',
      'https://a:b@service.example',
      'https://service.example?x=1',
    ]) {
      expect(() => parseServiceAddress(address, 'The address')).toThrow(/The address/);
    }
    for (const address of [
      'https://service.example/v1',
      'http://127.0.0.1:8080',
      'http://[::1]:1',
      'http://localhost',
    ]) {
      expect(parseServiceAddress(address, 'The address').href).toContain(address);
    }
  });
});

describe('a question is asked again while that can help', () => {
  it.each<[string, string | ((socket: import('node:net').Socket) => void)]>([
    ['a 500', json(500, 'oops')],
    ['a 503 with an envelope', json(503, envelope('failed', 9, {}))],
    ['a 408', json(408, '')],
    ['a broken connection', (socket) => socket.destroy()],
    ['half an answer', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"sta')],
    ['no JSON', json(200, '<html>')],
    ['another shape', json(200, envelope('success', 0, { a: 1 }))],
    ['two meanings', json(200, envelope('success', 5, []))],
  ])('after %s', async (_what, script) => {
    const clock = createJumpingClock();
    scripted.on(COUNTRIES, script, script, script, GOOD);
    const { service } = aClient(scripted, {}, clock);
    expect(await service.countries()).toEqual({ kind: 'answered', answer: [KENYA] });
    expect(clock.slept).toEqual([250, 500, 1_000]);
    scripted.on(COUNTRIES, script);
    expect((await service.countries()).kind).toBe('unavailable');
    expect(scripted.count(COUNTRIES)).toBe(8);
    await service.close();
  });

  it.each([
    ['a plain no', json(404, envelope('failed', 4, {}, 'no')), 'declined'],
    ['a plain no on 200', json(200, envelope('Failed', '4', {}, 'no')), 'declined'],
    ['a redirect', json(302, '', { Location: '/v1/elsewhere' }), 'unavailable'],
    ['a permanent redirect', json(308, '', { Location: '/v1/elsewhere' }), 'unavailable'],
    ['a page that is not there', json(404, '<html>'), 'unavailable'],
  ])('but not after %s', async (_what, script, kind) => {
    scripted.on(COUNTRIES, script);
    const { service } = aClient(scripted);
    expect((await service.countries()).kind).toBe(kind);
    expect(scripted.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    await service.close();
  });

  it('waiting as long as a 429 asks, without using up its tries', async () => {
    const clock = createJumpingClock();
    const busy = (retryAfter: string) => json(429, '', { 'Retry-After': retryAfter });
    scripted.on(COUNTRIES, busy('2'), busy('7'), busy('3'), busy('4'), busy('5'), busy('100000'), GOOD);
    const { service } = aClient(scripted, {}, clock);
    expect(await service.countries()).toEqual({ kind: 'answered', answer: [KENYA] });
    expect(clock.slept.map((ms) => Math.round(ms / 1_000))).toEqual([2, 7, 3, 4, 5, 300]);
    await service.close();
  });

  it('a 429 without a sensible wait makes everyone slower each time, and ends at last', async () => {
    const clock = createJumpingClock();
    scripted.on(COUNTRIES, json(429, '', { 'Retry-After': '-1' }));
    const { service } = aClient(scripted, {}, clock);
    expect(await service.countries()).toEqual({ kind: 'unavailable', reason: 'HTTP 429' });
    const seconds = clock.slept.map((ms) => Math.round(ms / 1_000));
    expect(seconds.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(seconds.length).toBeLessThan(20);
    await service.close();
  });

  it('the pause of a 429 holds transfers back as well', async () => {
    const clock = createJumpingClock();
    scripted.on(COUNTRIES, json(429, '', { 'Retry-After': '60' }), GOOD);
    const { service } = aClient(
      scripted,
      { retry: { triesMax: 1, delayMsFirst: 1, delayMsMax: 1, totalMsMax: 0 } },
      clock,
    );
    expect(await service.countries()).toMatchObject({ kind: 'unavailable' });
    const before = clock.monotonicMs();
    const prepared = await service.prepareSend();
    expect(clock.monotonicMs() - before).toBeGreaterThan(59_000);
    if (prepared.kind === 'prepared') prepared.discard();
    await service.close();
  });

  it('never faster than the configured rate', async () => {
    const clock = createJumpingClock();
    scripted.on(COUNTRIES, GOOD);
    const { service } = aClient(scripted, { requestsPerSecond: 10 }, clock);
    const before = clock.monotonicMs();
    for (let asked = 0; asked < 30; asked += 1) await service.countries();
    const tookMs = clock.monotonicMs() - before;
    expect(tookMs).toBeGreaterThan(2_900);
    expect(tookMs).toBeLessThan(3_500);
    await service.close();
  });

  it('and an answer of any size is read no further than four megabytes', async () => {
    let sent = 0;
    scripted.on(COUNTRIES, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x20))) sent += 65_536;
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    });
    const { service } = aClient(scripted, {
      retry: { triesMax: 1, delayMsFirst: 1, delayMsMax: 1, totalMsMax: 1 },
    });
    expect(await service.countries()).toEqual({ kind: 'unavailable', reason: 'answer_too_large' });
    expect(sent).toBeLessThan(100_000_000);
    await service.close();
  });

  const BROKEN: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
    ['nothing, and the connection is reset', (socket) => socket.resetAndDestroy(), /^ECONNRESET$/],
    ['nothing, and the connection ends', (socket) => socket.end(), /^ECONNRESET$/],
    ['nothing for ever', () => undefined, /^ETIMEDOUT$/],
    ['a head, then silence', (socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\n`), /^ETIMEDOUT$/],
    [
      'half a body, then the end',
      (socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\n{}`),
      /^ERR_HTTP_CONTENT_LENGTH_MISMATCH$/,
    ],
    ['another protocol', (socket) => socket.write(SWITCHED), /^ETIMEDOUT$/],
    ['no HTTP', (socket) => socket.write('220 mail.example ESMTP\r\n\r\n'), /^HPE_/],
  ];
  it.each(BROKEN)('%s is no answer, and the next question is answered', async (_name, answer, reason) => {
    scripted.on(COUNTRIES, answer, GOOD);
    const once = { triesMax: 1, delayMsFirst: 1, delayMsMax: 1, totalMsMax: 1 };
    const { service } = aClient(scripted, { retry: once, readTimeoutMs: 300 });
    await service.profile();
    expect(await service.countries()).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(reason),
    });
    expect(await service.countries()).toEqual({ kind: 'answered', answer: [KENYA] });
    await service.close();
  });

  it('as many are asked at once as transfers may be sent at once', async () => {
    const waiting = new Set<Socket>();
    const answerAll = () => {
      for (const socket of waiting) socket.write(GOOD);
    };
    scripted.on(COUNTRIES, (socket) => {
      waiting.add(socket);
      if (waiting.size === 80) answerAll();
    });
    const { service } = aClient(scripted, { openAhead: 80 });
    await Promise.all(Array.from({ length: 80 }, () => service.countries()));
    expect(waiting.size).toBe(80);
    await service.close();
  });

  it('a question stops at once when told to', async () => {
    scripted.on(COUNTRIES, () => undefined);
    const { service } = aClient(scripted);
    const stop = new AbortController();
    const asked = service.countries(stop.signal);
    setTimeout(() => stop.abort(new Error('stopped by hand')), 30);
    await expect(asked).rejects.toThrow('stopped by hand');
    await service.close();
  });
});

describe('a refused question', () => {
  it('gets one new token when the profile shows that the old one ended', async () => {
    const clock = createJumpingClock();
    let logins = 0;
    scripted.on('POST /auth/login', (socket) => {
      logins += 1;
      socket.write(session(`token-${logins}`, 'unreadable'));
    });
    const onlySecond =
      (good: string) =>
      (socket: import('node:net').Socket, request: { headers: Readonly<Record<string, string>> }) =>
        void socket.write(request.headers.token === 'token-2' ? good : json(401, ''));
    scripted.on(COUNTRIES, onlySecond(GOOD));
    scripted.on('GET /v1/profile', onlySecond(json(200, envelope('success', 0, {}))));
    const { service } = aClient(scripted, {}, clock);
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.countries()));
    expect(answers).toEqual(Array(10).fill({ kind: 'answered', answer: [KENYA] }));
    expect(logins).toBe(2);
    await service.close();
  });

  it('is a plain no when the token is good, even where the service says code 1 to everything', async () => {
    scripted.on(NAME, json(200, envelope('failed', 1, {}, 'account not found')));
    scripted.on(COUNTRIES, json(400, envelope('failed', '1', {}, 'no')));
    const { service } = aClient(scripted);
    for (let asked = 0; asked < 5; asked += 1) {
      expect(await service.accountName(question)).toEqual({
        kind: 'declined',
        code: '1',
        message: 'account not found',
      });
    }
    expect(await service.countries()).toEqual({ kind: 'declined', code: '1', message: 'no' });
    expect(scripted.count('GET /v1/profile')).toBe(1);
    expect(scripted.count('POST /auth/login')).toBe(1);
    await service.close();
  });

  it('is declined only in a well-formed answer', async () => {
    const clock = createJumpingClock();
    const cases: [string, unknown][] = [
      [
        json(404, envelope('failed', 4, {}, 'not found')),
        { kind: 'declined', code: '4', message: 'not found' },
      ],
      [json(200, envelope('failed', '4', {}, 'no')), { kind: 'declined', code: '4', message: 'no' }],
      [json(404, '<html>'), { kind: 'unavailable', reason: 'HTTP 404' }],
      [json(401, ''), { kind: 'unavailable', reason: 'HTTP 401' }],
      [json(500, envelope('failed', 4, {})), { kind: 'unavailable', reason: 'HTTP 500' }],
      [
        json(200, envelope('success', 0, { name: '  ' })),
        { kind: 'unavailable', reason: 'unreadable answer (HTTP 200)' },
      ],
    ];
    const { service } = aClient(scripted, {}, clock);
    for (const [script, expected] of cases) {
      scripted.on(NAME, script);
      expect(await service.accountName(question)).toEqual(expected);
    }
    await service.close();
  });

  it('is no usable answer while the profile cannot say', async () => {
    const clock = createJumpingClock();
    scripted.on(COUNTRIES, json(401, ''));
    scripted.on('GET /v1/profile', json(503, ''));
    const { service } = aClient(scripted, {}, clock);
    expect(await service.countries()).toEqual({
      kind: 'unavailable',
      reason: 'the token could not be checked',
    });
    expect(scripted.count('POST /auth/login')).toBe(1);
    await service.close();
  });
});
