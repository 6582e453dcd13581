/** Where the console's benchmarks keep things, and how payfile is opened there: the same for all of their processes. */
import { join } from 'node:path';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import { locationsOf } from '../../src/setup/places.ts';

export interface ConsolePlace {
  readonly folder: string;
  /** As works/sandbox-server.ts prints it. */
  readonly service: string;
}

export const ACTOR = 'bench';

export function ledgerPathIn({ folder }: ConsolePlace): string {
  return join(folder, 'console.db');
}

export function environmentOf({ folder, service }: ConsolePlace): Record<string, string> {
  const { baseUrl, authUrl, id, password } = JSON.parse(service);
  return {
    HOME: join(folder, 'home'),
    TMPDIR: folder,
    PAYFILE_BASE_URL: baseUrl,
    PAYFILE_AUTH_URL: authUrl,
    PAYFILE_ID: id,
    PAYFILE_PASSWORD: password,
    PAYFILE_SOURCE: 'GB',
    PAYFILE_LEDGER: join(folder, 'console.db'),
  };
}

/** A ledger of the “real” service: it has to be known on this machine. */
export function ledgerOptionsIn(place: ConsolePlace) {
  const { baseUrl, authUrl, id: loginId } = JSON.parse(place.service);
  const env = environmentOf(place);
  const { knownLedgers } = locationsOf({ env, home: env['HOME'] ?? '/' });
  return {
    binding: { environment: 'live', baseUrl, authUrl, loginId },
    knownLedgersPath: knownLedgers,
  } as const;
}

const NAMES = { match: 'ok', close_match: 'ok', no_match: 'ok', not_found: 'ok', unavailable: 'ok' } as const;

export function payfileIn(place: ConsolePlace): Payfile {
  const { service } = place;
  const holdsNothing = { names: NAMES, feePercentMax: 100, accountChanges: 'warn' } as const;
  const policy = { ...holdsNothing, concurrency: 16, pollMinMs: 200 };
  const options = { service: JSON.parse(service), ledger: ledgerPathIn(place), source: 'GB', actor: ACTOR };
  return createPayfile({ ...options, policy }, { env: environmentOf(place), cwd: place.folder });
}
