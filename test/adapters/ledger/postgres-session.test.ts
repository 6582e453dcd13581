/** The session beside a ledger on PostgreSQL: no copy of it holds a token, and without the server nobody has one. */
import { beforeEach, describe, expect, it } from 'vitest';
import { LastingClient } from '../../../src/adapters/ledger/postgres/access/lasting-client.ts';
import { createServerAccess } from '../../../src/adapters/ledger/postgres/access/server-access.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';
import { openPostgresLedger } from '../../../src/adapters/ledger/postgres/postgres-ledger.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import type { LogIn } from '../../../src/ports/service-access.ts';
import { aPostgres } from './a-postgres.ts';
import { BINDING } from './ledger-files.ts';

const server = aPostgres();
const LOGIN = { name: 'shop https://auth.example', password: new Sensitive('a password of the service') };
const SECRETS = { token: 'canary-token-90210', id: 'owner-1', expiry: '01/06/2026 10:00:00' };
const GOES_ON = new AbortController().signal;
const ASKED = { epoch: 0, isLost: false, zoneMinutes: undefined, isDue: () => false };
const grants: LogIn = async () => ({
  kind: 'granted',
  grant: { session: new Sensitive(JSON.stringify(SECRETS)), grantedAtMs: 5 },
});
const never: LogIn = () => Promise.reject(new Error('must not log in'));

describe('a session beside a ledger on a server', () => {
  let place: ServerPlace;
  beforeEach(() => {
    place = server.place();
  });

  it('stands in no copy of the ledger, and only who knows the password can use it', async () => {
    await (await openPostgresLedger({ place, binding: BINDING, create: true })).close();
    const access = createServerAccess(place, LOGIN, systemClock);
    await access.session.newerThan(ASKED, grants, GOES_ON);
    const sql = new LastingClient(place);
    const [row] = await sql.rows('SELECT * FROM service_session');
    const dump = Object.values(row ?? {})
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value))))
      .flatMap((bytes) => [bytes.toString('latin1'), bytes.toString('base64'), bytes.toString('hex')])
      .join('\n');
    expect(dump).toContain('shop https://auth.example');
    for (const secret of [...Object.values(SECRETS), LOGIN.password.reveal()])
      for (const form of ['utf8', 'base64', 'hex'] as const)
        expect(dump).not.toContain(Buffer.from(secret).toString(form).replace(/=+$/, ''));
    const stranger = createServerAccess(place, { ...LOGIN, password: new Sensitive('a guess') }, systemClock);
    const refused = { kind: 'refused', text: 'wrong password' } as const;
    expect(await stranger.session.newerThan(ASKED, async () => refused, GOES_ON)).toEqual(refused);
    const beside = createServerAccess(place, LOGIN, systemClock);
    expect(await beside.session.newerThan(ASKED, never, GOES_ON)).toMatchObject({ held: { epoch: 1 } });
    await Promise.all([access.close(), beside.close(), stranger.close(), sql.close()]);
  });

  it('is begun by nobody while the server gives no answer, and nothing may be sent', async () => {
    const access = createServerAccess({ ...place, port: 1 }, LOGIN, systemClock);
    expect(await access.session.newerThan(ASKED, never, GOES_ON)).toEqual({
      kind: 'unavailable',
      reason: 'login: the server of the ledger gives no answer',
    });
    expect(await access.session.newestEpoch()).toBeUndefined();
    expect(await access.pace(100).slot()).toBeUndefined();
    expect(await access.pace(undefined).slot()).toBeUndefined();
    await access.close();
  });
});
