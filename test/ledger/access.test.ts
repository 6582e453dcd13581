/** Session and pace beside a ledger on a server keep the promises of their port; no copy of the ledger holds a token. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOwnAccess } from '../../src/adapters/payment-service/own-access.ts';
import { createPace } from '../../src/adapters/payment-service/with-rate-limit.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { createServerAccess } from '../../src/ledger/access.ts';
import { slotsAtOnce, slotTimes } from '../../src/ledger/pace.ts';
import { type Client, connectPg } from '../../src/ledger/pg-connection.ts';
import { makeTables } from '../../src/ledger/server.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import type { LogIn, ServiceAccess, SharedPace } from '../../src/ports/service-access.ts';
import { ownDatabase } from '../builders/postgres.ts';
import type { RunningPostgres } from '../builders/servers.ts';
import { sharedSessionContract } from '../contracts/shared-session-contract.ts';

const LOGIN = { name: 'shop https://auth.example', password: new Sensitive('a password of the service') };
const SECRETS = { token: 'canary-token-90210', id: 'owner-1', expiry: '01/06/2026 10:00:00' };
const GOES_ON = new AbortController().signal;
const ASKED = { epoch: 0, isLost: false, zoneMinutes: undefined, isDue: () => false };
const grants: LogIn = async () => ({
  kind: 'granted',
  grant: { session: new Sensitive(JSON.stringify(SECRETS)), grantedAtMs: 5 },
});
const never: LogIn = () => Promise.reject(new Error('must not log in'));

let server: RunningPostgres;
let places = 0;
let place: ServerPlace;
let sql: Client;
const opened: ServiceAccess[] = [];
beforeAll(async () => {
  server = await ownDatabase();
});
afterAll(() => server.stop());

async function begin(): Promise<void> {
  places += 1;
  place = { ...server.place, schema: `access_${places}` };
  sql = await connectPg(place);
  await makeTables(sql, place);
}

async function end(): Promise<void> {
  await Promise.all(opened.splice(0).map((access) => access.close()));
  await sql.end();
}

function another(login: Partial<typeof LOGIN> = {}, clock: Clock = systemClock, at = place): ServiceAccess {
  const access = createServerAccess(at, { ...LOGIN, ...login }, { clock, own: createOwnAccess(clock) });
  opened.push(access);
  return access;
}

sharedSessionContract('a ledger on a server', async () => {
  await begin();
  return {
    another: () => another({}, { ...systemClock, random: () => 0.5 }).session,
    monotonicMs: () => performance.now(),
    async advance(milliseconds) {
      const words = `UPDATE service_session SET granted_at = granted_at - $1, login_after = login_after - $1,
        refused_at = refused_at - $1, taken_away = array(SELECT at - $1 FROM unnest(taken_away) AS at)`;
      await sql.query(words, [milliseconds]);
    },
    end,
  };
});

describe('a session beside a ledger on a server', () => {
  beforeEach(begin);
  afterEach(end);

  it('stands in no copy of the ledger, and only who knows the password can use it', async () => {
    await another().session.newerThan(ASKED, grants, GOES_ON);
    const { rows } = await sql.query('SELECT * FROM service_session');
    const dump = Object.values(rows[0] ?? {})
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value))))
      .flatMap((bytes) => [bytes.toString('latin1'), bytes.toString('base64'), bytes.toString('hex')])
      .join('\n');
    expect(dump).toContain('shop https://auth.example');
    for (const secret of [...Object.values(SECRETS), LOGIN.password.reveal()])
      for (const form of ['utf8', 'base64', 'hex'] as const)
        expect(dump).not.toContain(Buffer.from(secret).toString(form).replace(/=+$/, ''));
    const refused = { kind: 'refused', text: 'wrong password' } as const;
    const stranger = another({ password: new Sensitive('a guess') });
    expect(await stranger.session.newerThan(ASKED, async () => refused, GOES_ON)).toEqual(refused);
    expect(await another().session.newerThan(ASKED, never, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
  });

  it('goes on over a new connection when the old one was ended', async () => {
    const { session } = another();
    await session.newerThan(ASKED, grants, GOES_ON);
    await sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    expect(await session.newestEpoch()).toBe(1);
  });

  it('is kept although the connection ended during the login, and nobody logs in again', async () => {
    const cut: LogIn = async () => {
      await sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
      return grants();
    };
    expect(await another().session.newerThan(ASKED, cut, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    expect(await another().session.newerThan(ASKED, never, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
  });

  it('is begun by another when whoever had the turn never answered, and not before', async () => {
    const gone = another().session.newerThan(ASKED, () => new Promise(() => undefined), GOES_ON);
    gone.catch(() => undefined);
    await systemClock.sleep(300);
    const waiting = another().session.newerThan(ASKED, grants, AbortSignal.timeout(400));
    await expect(waiting).rejects.toThrow();
    await sql.query('UPDATE service_session SET login_after = login_after - 46000');
    expect(await another().session.newerThan(ASKED, grants, GOES_ON)).toMatchObject({ kind: 'held' });
  });

  it('is kept by each process for itself until there is a ledger', async () => {
    const at = { ...place, schema: `later_${places}` };
    const [one, other] = [another({}, systemClock, at), another({}, systemClock, at)];
    expect(await one.session.newerThan(ASKED, grants, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    const client = await connectPg(at);
    await makeTables(client, at);
    await client.end();
    expect(await other.session.newerThan(ASKED, grants, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    const third = another({}, systemClock, at);
    expect(await third.session.newerThan(ASKED, never, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
  });

  it('is begun by nobody while the server gives no answer, and nothing may be sent', async () => {
    const access = another({}, systemClock, { ...place, port: 1 });
    expect(await access.session.newerThan(ASKED, never, GOES_ON)).toEqual({
      kind: 'unavailable',
      reason: 'login: the server of the ledger gives no answer',
    });
    expect(await access.session.newestEpoch()).toBeUndefined();
    expect(await access.pace(100).slot()).toBeUndefined();
    expect(await access.pace(undefined).slot()).toBeUndefined();
  });
});

describe('a pace beside a ledger on a server', () => {
  beforeEach(begin);
  afterEach(end);
  const US = '(floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint)';
  const nextAt = async () => Number((await sql.query('SELECT next_at FROM pace')).rows[0]?.next_at);

  it('gives each slot to one of those who share it', async () => {
    const paces = Array.from({ length: 4 }, () => another().pace(100));
    await Promise.all(paces.map((pace) => pace.slot()));
    const reserved = async () => {
      // From here on slots are reserved without a gap, as long as the next one is ahead.
      await sql.query(`UPDATE pace SET next_at = ${US} + 2000000`);
      const before = await nextAt();
      await Promise.all(paces.flatMap((pace) => Array.from({ length: 10 }, () => pace.slot())));
      return (await nextAt()) - before;
    };
    const all: number[] = [];
    // On a busy machine the next one may come before it is asked for: then there is a gap.
    for (let time = 0; time < 5 && !all.includes(40 * 10_000); time += 1) all.push(await reserved());
    expect(Math.min(...all)).toBe(40 * 10_000);
  });

  it('keeps the slowest rate of all, also where a process has none, until they are gone', async () => {
    const [slowest, faster] = [another().pace(6), another().pace(100)];
    await Promise.all([slowest.slot(), faster.slot()]);
    const free = another().pace(undefined);
    const reservedBy = async (...paces: SharedPace[]) => {
      await sql.query(`UPDATE pace SET next_at = ${US} + 1000000`);
      const before = await nextAt();
      await Promise.all(paces.map((pace) => pace.slot()));
      return (await nextAt()) - before;
    };
    expect(await reservedBy(free, faster, slowest)).toBe(3 * 166_667);
    await Promise.all(opened.splice(0, 2).map((access) => access.close()));
    await sql.query(`UPDATE pace SET slowest_until = ${US}`);
    // It notices with its next question.
    await free.slot();
    expect(await reservedBy(free)).toBe(0);
  });

  it('keeps no slots of the time in which nobody asked', async () => {
    const pace = another().pace(100);
    await pace.slot();
    await sql.query(`UPDATE pace SET next_at = ${US} - 60000000`);
    const before = await nextAt();
    await Promise.all(Array.from({ length: 5 }, () => pace.slot()));
    const { rows } = await sql.query(`SELECT next_at - ${US} AS ahead FROM pace`);
    expect((await nextAt()) - before).toBeGreaterThan(60_000_000);
    expect(Number(rows[0]?.ahead)).toBeLessThanOrEqual(50_000);
  });

  it('is not stopped by a clock of the server that was set back', async () => {
    const pace = another().pace(100);
    await pace.slot();
    await sql.query(`UPDATE pace SET next_at = ${US} + 3600000000`);
    await pace.slot();
    const { rows } = await sql.query(`SELECT next_at - ${US} AS ahead FROM pace`);
    expect(Number(rows[0]?.ahead)).toBeLessThanOrEqual(10_000);
  });

  it.each([100, undefined])('has all pause who share it when one is told to (rate %s)', async (rate) => {
    const [one, other, stranger] = [another(), another(), another({ name: 'another shop' })].map((access) =>
      access.pace(rate),
    );
    const told = createPace(one as SharedPace, systemClock);
    await told.turn();
    told.rateLimited({ retryAfter: '120', date: undefined });
    const pausedUntil = async () =>
      Number((await sql.query('SELECT max(paused_until) AS it FROM pace')).rows[0]?.it);
    await expect.poll(pausedUntil).toBeGreaterThan(0);
    const leftMs = ((await other?.slot())?.pausedUntilMs ?? 0) - systemClock.monotonicMs();
    expect(leftMs).toBeGreaterThan(60_000);
    expect(leftMs).toBeLessThanOrEqual(120_100);
    expect((await stranger?.slot())?.pausedUntilMs).toBe(0);
  });
});

describe('slots that are reserved at once', () => {
  it.each([
    [100, 1, 1],
    [100, 10, 10],
    [100, 64, 10],
    [400, 64, 40],
    [2, 5, 1],
    [0.5, 5, 1],
  ])('at %d a second with %d waiting: %d', (rate, waiting, count) => {
    expect(slotsAtOnce(rate, waiting)).toBe(count);
  });

  it.each([
    ['none', 0, 0],
    ['over', 4_000_000, 0],
    ['of two seconds', 7_000_000, 2_700],
    ['by a clock that was set back', 9_000_000_000, 300_700],
  ])(
    'follow each other at the distance of the rate, and tell of a pause: %s',
    (_what, pausedUntil, pausedUntilMs) => {
      const reserved = { first: 5_030_000, now: 5_000_000, pausedUntil };
      const slots = slotTimes(reserved, { count: 2, spacingUs: 10_000, receivedMs: 700 });
      expect(slots).toEqual([
        { atMs: 730, pausedUntilMs },
        { atMs: 740, pausedUntilMs },
      ]);
    },
  );
});
