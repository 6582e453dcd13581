/**
 * What stands on a server instead of on this machine: the ledger, and what all who use one login share.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpenPostgresLedgerOptions } from '../adapters/ledger/postgres/postgres-ledger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { ServiceAccess } from '../ports/service-access.ts';
import type { LedgerServer } from './ledger-server.ts';
import type { ServiceSettings, Settings } from './load-settings.ts';
import { pathFrom } from './places.ts';

type Needs = Pick<OpenPostgresLedgerOptions, 'binding' | 'log' | 'newId'>;
type Opening = Partial<
  Pick<
    OpenPostgresLedgerOptions,
    'create' | 'readOnly' | 'acceptRollback' | 'acceptLedger' | 'acceptAuthUrl' | 'by'
  >
>;

export async function openServerLedger(
  settings: Settings,
  server: LedgerServer,
  open: Opening & Needs,
): Promise<Ledger> {
  const { openPostgresLedger } = await import('../adapters/ledger/postgres/postgres-ledger.ts');
  const { knownLedgers } = settings.locations;
  return openPostgresLedger({
    place: await placeOf(settings, server),
    ...open,
    create: open.create === true || settings.environment === 'sandbox',
    knownLedgersPath: knownLedgers,
    emergencyPath: (id) => join(dirname(knownLedgers), `${id}.emergency`),
  });
}

export async function openServerAccess(
  settings: Settings,
  server: LedgerServer,
  { authUrl, id, password }: Pick<ServiceSettings, 'authUrl' | 'id' | 'password'>,
  clock: Clock,
): Promise<ServiceAccess> {
  const { createServerAccess } = await import('../adapters/ledger/postgres/access/server-access.ts');
  const login = { name: `${id} ${authUrl}`, password };
  return createServerAccess(await placeOf(settings, server), login, clock);
}

async function placeOf({ cwd }: Settings, { tls, password, ...server }: LedgerServer) {
  const root = tls?.rootPath === undefined ? undefined : await readFile(pathFrom(cwd, tls.rootPath), 'utf8');
  return { ...server, password: password?.reveal(), tls: tls && { root } };
}
