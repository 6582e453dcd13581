/** The session beside a ledger on PostgreSQL keeps the promises of the port, also over a connection that ends. */
import { beforeEach, describe, expect, it } from 'vitest';
import { LastingClient } from '../../../src/adapters/ledger/postgres/access/lasting-client.ts';
import { createServerAccess } from '../../../src/adapters/ledger/postgres/access/server-access.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openPostgresLedger } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import type { LogIn, ServiceAccess, SharedSession } from '../../../src/ports/service-access.ts';
import { sharedSessionContract } from '../../contracts/shared-session-contract.ts';
import { aPostgres } from './a-postgres.ts';
import { BINDING } from './ledger-files.ts';

const server = aPostgres();
const LOGIN = { name: 'shop https://auth.example', password: new Sensitive('a password of the service') };
const GOES_ON = new AbortController().signal;
const ASKED = { epoch: 0, isLost: false, zoneMinutes: undefined, isDue: () => false };
const grants: LogIn = async () => ({
  kind: 'granted',
  grant: { session: new Sensitive('a session'), grantedAtMs: 5 },
});
const never: LogIn = () => Promise.reject(new Error('must not log in'));

async function makeLedger(place: ServerPlace): Promise<void> {
  await (await openPostgresLedger({ place, binding: BINDING, create: true })).close();
}

sharedSessionContract('PostgreSQL', async () => {
  const place = server.place();
  await makeLedger(place);
  const sql = new LastingClient(place);
  const opened: ServiceAccess[] = [];
  return {
    another(): SharedSession {
      const access = createServerAccess(place, LOGIN, { ...systemClock, random: () => 0.5 });
      opened.push(access);
      return access.session;
    },
    monotonicMs: () => performance.now(),
    async advance(milliseconds) {
      await sql.rows(
        `UPDATE service_session SET granted_at = granted_at - $1, login_after = login_after - $1,
           refused_at = refused_at - $1, taken_away = array(SELECT at - $1 FROM unnest(taken_away) AS at)`,
        [milliseconds],
      );
    },
    async end() {
      await Promise.all(opened.map((access) => access.close()));
      await sql.close();
    },
  };
});

describe('a session beside a ledger on a server', () => {
  let place: ServerPlace;
  beforeEach(() => {
    place = server.place();
  });

  it('goes on over a new connection when the old one was ended', async () => {
    await makeLedger(place);
    const access = createServerAccess(place, LOGIN, systemClock);
    await access.session.newerThan(ASKED, grants, GOES_ON);
    await endOtherConnections(place);
    expect(await access.session.newerThan(ASKED, never, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    expect((await access.pace(100).slot())?.pausedUntilMs).toBe(0);
    await access.close();
  });

  it('whose connection ends during the login is nobody’s, and the next login waits its second', async () => {
    await makeLedger(place);
    const [one, other] = [0, 1].map(() => createServerAccess(place, LOGIN, systemClock));
    const startedMs = performance.now();
    const cut: LogIn = async () => {
      await endOtherConnections(place);
      return grants();
    };
    expect(await one?.session.newerThan(ASKED, cut, GOES_ON)).toMatchObject({ kind: 'unavailable' });
    expect(await other?.session.newerThan(ASKED, grants, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    expect(performance.now() - startedMs).toBeGreaterThan(980);
    await Promise.all([one?.close(), other?.close()]);
  });

  it('is kept by each process for itself until there is a ledger', async () => {
    const [one, other] = [0, 1].map(() => createServerAccess(place, LOGIN, systemClock));
    expect(await one?.session.newerThan(ASKED, grants, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    await makeLedger(place);
    expect(await other?.session.newerThan(ASKED, grants, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    await Promise.all([one?.close(), other?.close()]);
    const third = createServerAccess(place, LOGIN, systemClock);
    expect(await third.session.newerThan(ASKED, never, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    await third.close();
  });
});

async function endOtherConnections(place: ServerPlace): Promise<void> {
  const sql = new LastingClient(place);
  await sql.rows(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await sql.close();
}
