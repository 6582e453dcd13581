/**
 * The address of a ledger on a server: `postgres://USER@HOST[:PORT]/DATABASE[?schema=…&sslrootcert=FILE]`.
 *
 * Errors:  ConfigError for another form, or for an address with a password.
 */
import { isServerPlace, shownPlaceOf } from '../domain/batches/ledger-trust.ts';
import type { Sensitive } from '../domain/text/sensitive.ts';
import type { ServerPlace } from '../ports/server-place.ts';
import { ConfigError } from './config-file.ts';

export interface LedgerServer extends Omit<ServerPlace, 'password' | 'tls'> {
  /** undefined: from PGPASSFILE or ~/.pgpass, if present. */
  readonly password: Sensitive | undefined;
  /** undefined: no encryption, because the server is on this machine. */
  readonly tls: { readonly rootPath: string | undefined } | undefined;
}

const DEFAULT_PORT = 5_432;
const DEFAULT_SCHEMA = 'payfile';
const EXPECTED =
  'expected postgres://USER@HOST:PORT/DATABASE, with ?schema=NAME or ?sslrootcert=FILE if needed';

/** undefined when the ledger is in a file. */
export function ledgerServerOf(written: string, password: Sensitive | undefined): LedgerServer | undefined {
  if (!isServerPlace(written)) return undefined;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined) throw new ConfigError(`The address of the ledger cannot be read; ${EXPECTED}.`);
  if (url.password !== '') throw new ConfigError(passwordInside());
  const [schema, rootPath] = parametersOf(url);
  const [host, user, database] = [url.hostname, url.username, url.pathname.slice(1)].map(decodeURIComponent);
  if (!host || !user || !database)
    throw new ConfigError(`The address of the ledger is ${shownAs(written)}; ${EXPECTED}.`);
  return {
    ...{ host: host.replace(/^\[|\]$/g, ''), user, database, password },
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    schema: schema ?? DEFAULT_SCHEMA,
    tls: isLoopback(host) ? undefined : { rootPath },
  };
}

function parametersOf(url: URL): readonly [schema: string | undefined, rootPath: string | undefined] {
  const known = new Map(url.searchParams);
  const [schema, rootPath] = [known.get('schema'), known.get('sslrootcert')];
  const unknown = [...known.keys()].find((name) => name !== 'schema' && name !== 'sslrootcert');
  if (unknown !== undefined)
    throw new ConfigError(
      `The address of the ledger has “${unknown}”, which payfile does not know; ${EXPECTED}.`,
    );
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new ConfigError(
      `The schema of the ledger is “${schema}”; expected at most 63 lowercase letters, digits or _, and no digit at the start.`,
    );
  return [schema, rootPath];
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
}

function shownAs(written: string): string {
  const shown = shownPlaceOf(written);
  return shown === undefined ? 'not an address' : `“${shown}”`;
}

function passwordInside(): string {
  return (
    'The address of the ledger contains a password, and process lists show it. Remove it from the address. ' +
    'Put it into a file, and name the file with PAYFILE_LEDGER_PASSWORD_FILE or PGPASSFILE.'
  );
}
