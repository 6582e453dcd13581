/** Session and pace beside a ledger on a server keep the promises of their port; no copy of the ledger holds a token. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { serverRecords } from '../../src/ledger/access.ts';
import { type Client, connectPg } from '../../src/ledger/pg-connection.ts';
import { makeTables } from '../../src/ledger/server.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { createCommonAccess, type ServiceAccess } from '../../src/service/access.ts';
import {
  type PaceState,
  reserve,
  type SharedPace,
  slotsAtOnce,
  slotTimes,
} from '../../src/service/shared-pace.ts';
import type { LogIn } from '../../src/service/shared-session.ts';
import { createPace } from '../../src/service/with-rate-limit.ts';
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
  const of = { ...LOGIN, ...login };
  const access = createCommonAccess(serverRecords(at, of.name), of, clock);
  opened.push(access);
  return access;
}

/** Replaces the state that all of them share. */
async function edit<State = object>(table: 'service_session' | 'pace', change: (state: State) => object) {
  const { rows } = await sql.query(`SELECT state FROM ${table}`);
  const state = JSON.stringify(change(JSON.parse(rows[0]?.state ?? '{}')));
  await sql.query(`UPDATE ${table} SET state = $1, version = 'edited'`, [state]);
}

/** As if all that it says had happened so much earlier. */
function earlier<Part>(part: Part, milliseconds: number): Part {
  if (Array.isArray(part)) return part.map((at) => at - milliseconds) as Part;
  const moved = Object.entries(part as object).map(([key, value]) => {
    if (typeof value === 'object') return [key, earlier(value, milliseconds)];
    return [key, ['at', 'loginAfter'].includes(key) ? value - milliseconds : value];
  });
  return Object.fromEntries(moved);
}

sharedSessionContract('a ledger on a server', async () => {
  await begin();
  return {
    another: () => another({}, { ...systemClock, random: () => 0.5 }).session,
    monotonicMs: () => performance.now(),
    async advance(milliseconds) {
      await edit('service_session', (state) => earlier(state, milliseconds));
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

  it('is begun by another when the process that had the turn never answered, and not before', async () => {
    const gone = another().session.newerThan(ASKED, () => new Promise(() => undefined), GOES_ON);
    gone.catch(() => undefined);
    await systemClock.sleep(300);
    const waiting = another().session.newerThan(ASKED, grants, AbortSignal.timeout(400));
    await expect(waiting).rejects.toThrow();
    await edit('service_session', (state) => earlier(state, 46_000));
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
  const stateNow = async (): Promise<PaceState & { readonly now: number }> => {
    const words = 'SELECT state, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now FROM pace';
    const [row] = (await sql.query(words)).rows;
    return { ...JSON.parse(row?.state), now: Number(row?.now) };
  };
  /** The next slot is so far ahead. */
  const setAhead = async (milliseconds: number) => {
    const { now } = await stateNow();
    await edit<PaceState>('pace', (state) => ({ ...state, nextAt: now + milliseconds }));
    return now + milliseconds;
  };

  it('gives each slot to one of those who share it', async () => {
    const paces = Array.from({ length: 4 }, () => another().pace(100));
    await Promise.all(paces.map((pace) => pace.slot()));
    const reserved = async () => {
      // From here on slots are reserved without a gap, as long as the next one is ahead.
      const before = await setAhead(2_000);
      await Promise.all(paces.flatMap((pace) => Array.from({ length: 10 }, () => pace.slot())));
      return (await stateNow()).nextAt - before;
    };
    const all: number[] = [];
    // On a busy machine the next one may come before it is asked for: then there is a gap.
    for (let time = 0; time < 5 && !all.some((ms) => ms < 401); time += 1) all.push(await reserved());
    expect(Math.min(...all)).toBeCloseTo(40 * 10, 0);
  });

  it('keeps the slowest rate of all, also where a process has none, until they are gone', async () => {
    const [slowest, faster] = [another().pace(6), another().pace(100)];
    await Promise.all([slowest.slot(), faster.slot()]);
    const free = another().pace(undefined);
    const reservedBy = async (...paces: SharedPace[]) => {
      const before = await setAhead(1_000);
      await Promise.all(paces.map((pace) => pace.slot()));
      return (await stateNow()).nextAt - before;
    };
    expect(await reservedBy(free, faster, slowest)).toBeCloseTo(3 * 166.667, 1);
    await Promise.all(opened.splice(0, 2).map((access) => access.close()));
    const { now } = await stateNow();
    await edit<PaceState>('pace', (state) => ({ ...state, slowestUntil: now }));
    // It notices with its next question.
    await free.slot();
    expect(await reservedBy(free)).toBe(0);
  });

  it('keeps no slots of the time in which nobody asked', async () => {
    const pace = another().pace(100);
    await pace.slot();
    const before = await setAhead(-60_000);
    await Promise.all(Array.from({ length: 5 }, () => pace.slot()));
    const { nextAt, now } = await stateNow();
    expect(nextAt - before).toBeGreaterThan(60_000);
    expect(nextAt - now).toBeLessThanOrEqual(50);
  });

  it('is not stopped by a clock of the server that was set back', async () => {
    const pace = another().pace(100);
    await pace.slot();
    await setAhead(3_600_000);
    await pace.slot();
    const { nextAt, now } = await stateNow();
    expect(nextAt - now).toBeLessThanOrEqual(10);
  });

  it.each([100, undefined])(
    'pauses all that share it when the service asks one of them to (rate %s)',
    async (rate) => {
      const [one, other, stranger] = [another(), another(), another({ name: 'another shop' })].map((access) =>
        access.pace(rate),
      );
      const paused = createPace(one as SharedPace, systemClock);
      await paused.turn();
      paused.rateLimited({ retryAfter: '120', date: undefined });
      const longest = "SELECT max((state ->> 'pausedUntil')::float8) AS it FROM pace";
      const pausedUntil = async () => Number((await sql.query(longest)).rows[0]?.it);
      await expect.poll(pausedUntil).toBeGreaterThan(0);
      const leftMs = ((await other?.slot())?.pausedUntilMs ?? 0) - systemClock.monotonicMs();
      expect(leftMs).toBeGreaterThan(60_000);
      expect(leftMs).toBeLessThanOrEqual(120_100);
      expect((await stranger?.slot())?.pausedUntilMs).toBe(0);
    },
  );
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
    expect(slotsAtOnce(1_000 / rate, waiting)).toBe(count);
  });

  it.each([
    ['none', 0, 0],
    ['over', 4_000, 0],
    ['of two seconds', 7_000, 2_700],
    ['by a clock that was set back', 9_000_000, 300_700],
  ])(
    'follow each other at the distance of the rate, and tell of a pause: %s',
    (_what, pausedUntil, pausedUntilMs) => {
      const reserved = { firstAt: 5_030, nowMs: 5_000, pausedUntil };
      const slots = slotTimes(reserved, { count: 2, spacingMs: 10, receivedMs: 700 });
      expect(slots).toEqual([
        { atMs: 730, pausedUntilMs },
        { atMs: 740, pausedUntilMs },
      ]);
    },
  );

  const rate = 10;
  it.each<[string, PaceState, number | undefined, Partial<PaceState>]>([
    ['none', { nextAt: 0, pausedUntil: 0, slowestUntil: 0 }, undefined, { nextAt: 50_000, slowestUntil: 0 }],
    [
      'its own',
      { nextAt: 0, pausedUntil: 0, slowestUntil: 0 },
      rate,
      { nextAt: 50_200, slowest: 10, slowestUntil: 60_000 },
    ],
    [
      'a slower one',
      { nextAt: 51_000, pausedUntil: 0, slowest: 5, slowestUntil: 50_001 },
      rate,
      { nextAt: 51_400, slowest: 5, slowestUntil: 50_001 },
    ],
    [
      'a slower one that nobody has any more',
      { nextAt: 0, pausedUntil: 0, slowest: 5, slowestUntil: 50_000 },
      undefined,
      { nextAt: 50_000, slowestUntil: 50_000 },
    ],
  ])('are as far apart as the rate that holds: %s', (_what, before, own, after) => {
    const reserved = reserve(before, { count: 2, rate: own, nowMs: 50_000 });
    expect(reserved).toEqual({ ...before, slowest: undefined, ...after });
  });
});
