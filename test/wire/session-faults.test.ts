/**
 * Sessions and clocks that go wrong, and connections that questions keep: what is repeated, what is not, and when
 * it is enough.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatStamp } from '../../src/contract/wire-date.ts';
import { CredentialsRefused } from '../../src/ports/payment-service.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';
import {
  envelope,
  json,
  type ScriptedService,
  session,
  startScriptedService,
} from '../fakes/scripted-service.ts';
import { aClient, letLogIn, sendOnce } from '../service/a-client.ts';

let scripted: ScriptedService;
beforeEach(async () => {
  scripted = await startScriptedService();
});
afterEach(() => scripted.close());

const LOGIN = 'POST /auth/login';
const TRANSFER = 'POST /v1/transfer';
const PROFILE = 'GET /v1/profile';
const REFUSED = json(401, envelope('failed', 1, {}, 'please log in'));
const LIST = envelope('success', '0', [{ id: 1, name: 'Kenya', phone: '+254', iso: 'ke' }]);

describe('a session that somebody else ends', () => {
  /** Each login gives a token that is taken away before the next transfer. */
  function takenAwayEachTime() {
    const clock = createJumpingClock();
    let given = 0;
    scripted.on(LOGIN, (socket) => {
      given += 1;
      socket.write(session(`token-${given}`, formatStamp(clock.now() + 3_600_000, 0)));
    });
    scripted.on(TRANSFER, REFUSED);
    scripted.on(PROFILE, REFUSED);
    return { clock, ...aClient(scripted, {}, clock) };
  }

  it('[T11] is begun anew twice within ten minutes, and then no more', async () => {
    const { service } = takenAwayEachTime();
    for (let sent = 0; sent < 3; sent += 1)
      expect(await sendOnce(service)).toMatchObject({ kind: 'turned_away', why: 'token_refused' });
    await expect(service.prepareSend()).rejects.toThrow(CredentialsRefused);
    await expect(service.prepareSend()).rejects.toThrow(/Somebody else may be logged in with the same id/);
    expect(scripted.count(LOGIN)).toBe(3);
    expect(scripted.count(TRANSFER)).toBe(3);
    await service.close();
  });

  it('[T11] is begun anew for ever when it happens seldom', async () => {
    const { service, clock } = takenAwayEachTime();
    for (let sent = 0; sent < 6; sent += 1) {
      expect((await sendOnce(service)).kind).toBe('turned_away');
      clock.advance(6 * 60_000);
    }
    expect(scripted.count(LOGIN)).toBe(6);
    await service.close();
  });
});

describe('a clock', () => {
  it.each([
    ['a day ahead', -24 * 60, 'ours is 1440 minutes ahead of the service'],
    ['six minutes behind', 6, 'ours is 6 minutes behind the service'],
  ])('[T6] that is %s of the service’s is told once', async (_what, minutes, expected) => {
    letLogIn(scripted);
    const theirs = () => ({ Date: new Date(Date.now() + minutes * 60_000).toUTCString() });
    scripted.on('GET /v1/countries', (socket) => void socket.write(json(200, LIST, theirs())));
    const { service, log } = aClient(scripted);
    for (let asked = 0; asked < 3; asked += 1) expect((await service.countries()).kind).toBe('answered');
    const told = log.lines.filter(({ event }) => event === 'clocks_differ');
    expect(told).toMatchObject([{ level: 'warn', fields: { reason: expect.stringContaining(expected) } }]);
    await service.close();
  });

  it('[T6] that is a minute off, or not told at all, is nobody’s business', async () => {
    letLogIn(scripted);
    const minuteAgo = () => ({ Date: new Date(Date.now() - 60_000).toUTCString() });
    scripted.on(
      'GET /v1/countries',
      (socket) => void socket.write(json(200, LIST, minuteAgo())),
      json(200, LIST),
    );
    const { service, log } = aClient(scripted);
    for (let asked = 0; asked < 2; asked += 1) await service.countries();
    expect(log.lines.filter(({ event }) => event === 'clocks_differ')).toEqual([]);
    await service.close();
  });
});

describe('a connection that is kept for questions', () => {
  it('[N23] and was closed by the service meanwhile costs a question nothing but a repetition', async () => {
    letLogIn(scripted);
    scripted.on('GET /v1/countries', (socket) => {
      socket.write(json(200, LIST));
      // What comes next on this connection meets a reset.
      socket.removeAllListeners('data');
      socket.on('data', () => socket.resetAndDestroy());
    });
    const { service, log } = aClient(scripted, {}, createJumpingClock());
    for (let asked = 0; asked < 3; asked += 1) expect((await service.countries()).kind).toBe('answered');
    expect(log.lines.filter(({ event }) => event === 'service_gave_no_answer').length).toBeGreaterThan(0);
    await service.close();
  });
});
