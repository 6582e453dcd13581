/**
 * Being logged in, over real sockets: never twice with a wrong password, never in a loop, in no zone.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatStamp } from '../../src/contract/wire-date.ts';
import { asCountryId } from '../../src/domain/rows/directory.ts';
import { CredentialsRefused } from '../../src/ports/payment-service.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';
import {
  envelope,
  json,
  type ScriptedService,
  session,
  startScriptedService,
} from '../fakes/scripted-service.ts';
import { aClient, letLogIn, PASSWORD, TOKEN } from './a-client.ts';

let scripted: ScriptedService;
beforeEach(async () => {
  scripted = await startScriptedService();
});
afterEach(() => scripted.close());

const LOGIN = 'POST /auth/login';
const COUNTRIES = json(200, envelope('success', '0', [{ id: 1, name: 'Kenya', phone: '+254', iso: 'ke' }]));

describe('a login', () => {
  it('sends id and password, and sends the three headers back exactly as they came', async () => {
    const expiry = formatStamp(Date.now() + 3_600_000, 0);
    scripted.on(LOGIN, session(TOKEN, expiry));
    scripted.on('GET /v1/countries', COUNTRIES);
    const { service } = aClient(scripted);
    await service.countries();
    expect(JSON.parse(scripted.requests[0]?.body ?? '')).toEqual({
      id: 'canary-login-id',
      password: PASSWORD,
    });
    expect(scripted.requests[0]?.headers['content-type']).toBe('application/json');
    expect(scripted.requests[1]?.headers).toMatchObject({ id: 'owner-1', token: TOKEN, expiry });
    await service.close();
  });

  it.each([
    ['on 200', json(200, envelope('failed', 1, {}, 'The user does not exist'))],
    ['on 401', json(401, envelope('failed', '1', {}, 'wrong'))],
    ['on 403', json(403, envelope('Failed', 5, {}, 'locked'))],
    ['on 401 without an envelope', json(401, 'no')],
  ])('[T10] that is refused %s is asked once and never again', async (_how, answer) => {
    scripted.on(LOGIN, answer);
    const { service } = aClient(scripted);
    await expect(service.countries()).rejects.toThrow(CredentialsRefused);
    await expect(service.prepareSend()).rejects.toThrow(CredentialsRefused);
    await Promise.allSettled(Array.from({ length: 20 }, () => service.profile()));
    expect(scripted.count(LOGIN)).toBe(1);
    await service.close();
  });

  it('[T8] is shared by fifty who ask at once', async () => {
    letLogIn(scripted);
    scripted.on('GET /v1/countries', COUNTRIES);
    const { service } = aClient(scripted);
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.countries()));
    expect(answers.every((answer) => answer.kind === 'answered')).toBe(true);
    expect(scripted.count(LOGIN)).toBe(1);
    await service.close();
  });

  it('[T9] that finds no service keeps the order unsent, and works later', async () => {
    const clock = createJumpingClock();
    scripted.on(LOGIN, json(503, 'down'), json(200, '<html>'), (socket) => socket.destroy());
    const { service } = aClient(scripted, {}, clock);
    for (const reason of ['HTTP 503', 'HTTP 200', 'ECONNRESET']) {
      const prepared = await service.prepareSend();
      expect(prepared).toMatchObject({ kind: 'not_sent', phase: 'login' });
      expect(prepared).toMatchObject({ reason: expect.stringContaining(reason) });
    }
    letLogIn(scripted);
    expect((await service.prepareSend()).kind).toBe('prepared');
    expect(clock.slept.filter((ms) => ms >= 900)).toHaveLength(3);
    await service.close();
  });

  it('whose token cannot be a header is no login', async () => {
    scripted.on(LOGIN, session('to\r\nken', '01/01/2027 00:00:00'));
    const { service } = aClient(scripted, {}, createJumpingClock());
    expect(await service.prepareSend()).toMatchObject({ kind: 'not_sent', phase: 'login' });
    await service.close();
  });

  it('is left at once by a caller who is told to stop', async () => {
    scripted.on(LOGIN, () => undefined);
    const { service } = aClient(scripted);
    const stop = new AbortController();
    const asked = service.prepareSend(stop.signal);
    setTimeout(() => stop.abort(new Error('stopped by hand')), 30);
    await expect(asked).rejects.toThrow('stopped by hand');
    await service.close();
  });
});

describe('a token', () => {
  it('[T7] is renewed before it ends, by age, and not before', async () => {
    const clock = createJumpingClock();
    scripted.on('GET /v1/countries', COUNTRIES);
    scripted.on(LOGIN, (socket) => socket.write(session(TOKEN, formatStamp(clock.now() + 1_800_000, 0))));
    const { service } = aClient(scripted, { postTimeoutMs: 120_000 }, clock);
    await service.countries();
    clock.advance(26 * 60_000);
    await service.countries();
    expect(scripted.count(LOGIN)).toBe(1);
    clock.advance(2 * 60_000);
    await service.countries();
    expect(scripted.count(LOGIN)).toBe(2);
    await service.close();
  });

  it('[T6] is renewed once when the wall clock is set forward, and not again', async () => {
    const clock = createJumpingClock();
    scripted.on('GET /v1/countries', COUNTRIES);
    scripted.on(LOGIN, (socket) => socket.write(session(TOKEN, formatStamp(clock.now() + 1_800_000, 0))));
    const { service } = aClient(scripted, {}, clock);
    await service.countries();
    clock.setWallForward(24 * 3_600_000);
    for (let asked = 0; asked < 5; asked += 1) await service.countries();
    expect(scripted.count(LOGIN)).toBe(2);
    await service.close();
  });

  it('[T3] lives longer once the zone of the service is proven by a question', async () => {
    const clock = createJumpingClock();
    const zone = 180;
    scripted.on('GET /v1/countries', COUNTRIES);
    scripted.on('GET /v1/rates/1/2', (socket) => {
      const fetched = formatStamp(clock.now(), zone);
      const body = JSON.stringify({ status: 'success', data: { rate: 8.75 }, message: '', code: 0, fetched });
      socket.write(json(200, body));
    });
    scripted.on(LOGIN, (socket) => socket.write(session(TOKEN, formatStamp(clock.now() + 3_600_000, zone))));
    const { service } = aClient(scripted, { postTimeoutMs: 120_000 }, clock);
    await service.countries();
    clock.advance(40 * 60_000);
    await service.countries();
    expect(scripted.count(LOGIN)).toBe(2);
    expect(await service.rate(asCountryId('1'), asCountryId('2'))).toEqual({
      kind: 'answered',
      answer: '8.75',
    });
    clock.advance(50 * 60_000);
    await service.countries();
    expect(scripted.count(LOGIN)).toBe(2);
    clock.advance(8 * 60_000);
    await service.countries();
    expect(scripted.count(LOGIN)).toBe(3);
    await service.close();
  });
});

describe('no expiry leads to a login loop', () => {
  const EXPIRIES = ['01/01/0001 00:00:00', 'never', '31/12/9999 23:59:59'];
  const ZONES = [-720, 840];
  const stamps = [...EXPIRIES, ...ZONES.map((zone) => formatStamp(Date.UTC(2026, 4, 4, 12, 0, 1), zone))];

  it.each(stamps)('[T5] %s: two hundred questions cost few logins', async (expiry) => {
    const clock = createJumpingClock();
    scripted.on('GET /v1/countries', COUNTRIES);
    scripted.on(LOGIN, session(TOKEN, expiry));
    const { service } = aClient(scripted, {}, clock);
    for (let asked = 0; asked < 200; asked += 1) {
      await service.countries();
      clock.advance(100);
    }
    expect(scripted.count(LOGIN)).toBeLessThanOrEqual(2);
    await service.close();
  });

  it('[H4] and logins are at least a second apart even when every token is refused at once', async () => {
    const clock = createJumpingClock();
    const at: number[] = [];
    let given = 0;
    scripted.on(LOGIN, (socket) => {
      at.push(clock.monotonicMs());
      given += 1;
      socket.write(session(`token-${given}`, 'never'));
    });
    scripted.on('GET /v1/profile', json(401, ''));
    const { service } = aClient(scripted, {}, clock);
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => service.profile()));
    expect(asked.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(service.prepareSend()).rejects.toThrow(CredentialsRefused);
    expect(at).toHaveLength(2);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    await service.close();
  });

  it.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
    'and the zone of this machine (%s) changes nothing',
    async (zone) => {
      const before = process.env.TZ;
      process.env.TZ = zone;
      try {
        const clock = createJumpingClock();
        scripted.on('GET /v1/countries', COUNTRIES);
        scripted.on(LOGIN, session(TOKEN, formatStamp(clock.now() + 1_800_000, 0)));
        const { service } = aClient(scripted, {}, clock);
        await service.countries();
        clock.advance(20 * 60_000);
        await service.countries();
        expect(scripted.count(LOGIN)).toBe(1);
        await service.close();
      } finally {
        if (before === undefined) delete process.env.TZ;
        else process.env.TZ = before;
      }
    },
  );
});
