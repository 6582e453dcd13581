/** Slots of a pace that several processes share, and a pause for all of them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LastingClient } from '../../../src/adapters/ledger/postgres/access/lasting-client.ts';
import { createServerAccess } from '../../../src/adapters/ledger/postgres/access/server-access.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openPostgresLedger } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import { createPace } from '../../../src/adapters/payment-service/with-rate-limit.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import type { ServiceAccess, SharedPace } from '../../../src/ports/service-access.ts';
import { aPostgres } from './a-postgres.ts';
import { BINDING } from './ledger-files.ts';

const server = aPostgres();

describe('a pace beside a ledger on a server', () => {
  const opened: ServiceAccess[] = [];
  let place: ServerPlace;
  let sql: LastingClient;
  beforeEach(async () => {
    place = server.place();
    await (await openPostgresLedger({ place, binding: BINDING, create: true })).close();
    sql = new LastingClient(place);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((access) => access.close()));
    await sql.close();
  });
  const another = (rate: number | undefined, name = 'shop'): SharedPace => {
    const access = createServerAccess(place, { name, password: new Sensitive('x') }, systemClock);
    opened.push(access);
    return access.pace(rate);
  };
  const reservedUs = async () => {
    const [row] = await sql.rows('SELECT next_at - server_us() AS ahead, next_at AS at FROM pace');
    return { ahead: Number(row?.ahead), at: Number(row?.at) };
  };

  it('gives each slot to one of those who share it', async () => {
    const paces = Array.from({ length: 4 }, () => another(100));
    await Promise.all(paces.map((pace) => pace.slot()));
    // From here on slots are reserved without a gap, because the next one is always ahead.
    await sql.rows('UPDATE pace SET next_at = server_us() + 2000000');
    const before = await reservedUs();
    await Promise.all(paces.flatMap((pace) => Array.from({ length: 10 }, () => pace.slot())));
    expect((await reservedUs()).at - before.at).toBe(40 * 10_000);
  });

  it('keeps the slowest rate of all who have one, also where a process has none, until they are gone', async () => {
    const [slow, fast] = [another(6), another(100)];
    await expect.poll(async () => Number((await sql.rows('SELECT slowest FROM pace'))[0]?.slowest)).toBe(6);
    const free = another(undefined);
    const reservedBy = async (...paces: SharedPace[]) => {
      await sql.rows('UPDATE pace SET next_at = server_us() + 1000000');
      const before = await reservedUs();
      await Promise.all(paces.map((pace) => pace.slot()));
      return (await reservedUs()).at - before.at;
    };
    expect(await reservedBy(free, fast, slow)).toBe(3 * 166_667);
    await Promise.all(opened.splice(0, 2).map((access) => access.close()));
    await sql.rows('UPDATE pace SET slowest_until = server_us()');
    // It notices with its next question.
    await free.slot();
    expect(await reservedBy(free)).toBe(0);
  });

  it('keeps no slots of the time in which nobody asked', async () => {
    const pace = another(100);
    await pace.slot();
    await sql.rows('UPDATE pace SET next_at = server_us() - 60000000');
    const beforeUs = (await reservedUs()).at;
    await Promise.all(Array.from({ length: 5 }, () => pace.slot()));
    const { at, ahead } = await reservedUs();
    expect(at - beforeUs).toBeGreaterThan(60_000_000);
    expect(ahead).toBeLessThanOrEqual(50_000);
  });

  it('is not stopped by a clock of the server that was set back', async () => {
    const pace = another(100);
    await pace.slot();
    await sql.rows('UPDATE pace SET next_at = server_us() + 3600000000');
    await pace.slot();
    expect((await reservedUs()).ahead).toBeLessThanOrEqual(10_000);
  });

  it.each([100, undefined])('pauses all who share it when one is told to wait (rate %s)', async (rate) => {
    const [one, other, stranger] = [another(rate), another(rate), another(rate, 'another shop')];
    const told = createPace(one, systemClock);
    await told.turn();
    told.rateLimited({ retryAfter: '120', date: undefined });
    await expect
      .poll(async () => Number((await sql.rows('SELECT max(paused_until) AS it FROM pace'))[0]?.it))
      .toBeGreaterThan(0);
    const leftMs = ((await other.slot())?.pausedUntilMs ?? 0) - systemClock.monotonicMs();
    expect(leftMs).toBeGreaterThan(60_000);
    expect(leftMs).toBeLessThanOrEqual(120_100);
    expect((await stranger.slot())?.pausedUntilMs).toBe(0);
  });
});
