/** Opens the ledger and the shared login on a server. Also moves a ledger from a file to a server. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { input, said } from '../domain/text/message.ts';
import type { OpenLedgerOptions } from '../ledger/file.ts';
import type { OpenServerLedgerOptions } from '../ledger/server.ts';
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { LedgerMove } from '../ports/ledger/moving.ts';
import type { OpenLedgerOptions as StoreOptions } from '../ports/ledger/store.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import type { ServiceAccess } from '../service/access.ts';
import { ConfigError } from './config-file.ts';
import { type LedgerServer, ledgerServerOf } from './ledger-server.ts';
import type { ServiceSettings, Settings } from './load-settings.ts';
import { pathFrom } from './places.ts';

type OpeningParts = Pick<
  OpenServerLedgerOptions,
  'binding' | 'log' | 'newId' | 'timeZone' | 'ownClock' | 'setAheadMs' | 'stop'
>;

export async function openServerLedger(
  settings: Settings,
  server: LedgerServer,
  open: StoreOptions & OpeningParts,
): Promise<Ledger> {
  const { openServerLedger: openOn } = await import('../ledger/server.ts');
  const { knownLedgers } = settings.locations;
  return openOn({
    place: await placeOf(settings, server),
    ...open,
    create: open.create === true || settings.environment === 'sandbox',
    namedId: settings.ledgerId,
    knownLedgersPath: knownLedgers,
    emergencyPath: (id) => join(dirname(knownLedgers), `${id}.emergency`),
  });
}

export async function openServerAccess(
  settings: Settings,
  server: LedgerServer,
  { authUrl, id, password }: Pick<ServiceSettings, 'authUrl' | 'id' | 'password'>,
  { clock, stop }: { readonly clock: Clock; readonly stop: AbortSignal | undefined },
): Promise<ServiceAccess> {
  const { serverRecords } = await import('../ledger/access.ts');
  const { createCommonAccess } = await import('../service/access.ts');
  const login = { name: `${id} ${authUrl}`, password };
  const records = serverRecords(await placeOf(settings, server), login.name, { stop });
  return createCommonAccess(records, login, clock);
}

/** Server address with its certificate, read from the file. */
export async function placeOf(
  { cwd }: Settings,
  { tls, password, ...server }: LedgerServer,
): Promise<ServerPlace> {
  const root = tls?.rootPath === undefined ? undefined : await readFile(pathFrom(cwd, tls.rootPath), 'utf8');
  return { ...server, password: password?.reveal(), tls: tls && { root } };
}

/** `from`: options to open the file. Errors: ConfigError for an invalid address. */
export async function moveToServer(
  settings: Settings,
  to: string,
  from: Omit<OpenLedgerOptions, 'create'>,
): Promise<LedgerMove> {
  const server = ledgerServerOf(to, settings.ledgerPassword);
  if (server === undefined)
    throw new ConfigError(
      said`A ledger moves only to a server; expected ${input('to', 'postgres://USER@HOST:PORT/DATABASE')}.`,
    );
  if (settings.ledgerServer !== undefined) {
    const text = said`The ledger ${settings.ledgerPath} is already on a server. Name the file to move with ${input('ledger')}. Nothing was done.`;
    throw new LedgerError('ledger_unsupported', text);
  }
  const { openFileToMove } = await import('../ledger/file.ts');
  const { beginMove } = await import('../ledger/move.ts');
  const file = await openFileToMove({ ...from, create: false });
  try {
    const place = await placeOf(settings, server);
    const { clock, binding, log } = from;
    const open = () => openServerLedger(settings, server, { binding, newId: undefined, ...(log && { log }) });
    return await beginMove({ file, place, clock, open });
  } catch (error) {
    await file.ledger.close();
    throw error;
  }
}
