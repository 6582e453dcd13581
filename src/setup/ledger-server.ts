/**
 * A ledger on a server, as a person names it: `postgres://USER@HOST[:PORT]/DATABASE[?schema=…&sslrootcert=FILE]`.
 *
 * Errors:  ConfigError for an address that holds a password, or anything else than that.
 */
import { isServerPlace, shownPlaceOf } from '../domain/batches/ledger-trust.ts';
import type { Sensitive } from '../domain/text/sensitive.ts';
import { ConfigError } from './config-file.ts';

export interface LedgerServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** undefined: as in PGPASSFILE or ~/.pgpass, where there is one. */
  readonly password: Sensitive | undefined;
  readonly schema: string;
  /** undefined: the server is on this machine, where nobody is in between. */
  readonly tls: { readonly rootPath: string | undefined } | undefined;
}

const PORT = 5_432;
const SCHEMA = 'payfile';
const EXPECTED =
  'expected postgres://USER@HOST:PORT/DATABASE, with ?schema=NAME or ?sslrootcert=FILE where they are needed';

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
    port: url.port === '' ? PORT : Number(url.port),
    schema: schema ?? SCHEMA,
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
      `The schema of the ledger is “${schema}”; expected small letters, digits and _, at most 63, not a digit first.`,
    );
  return [schema, rootPath];
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
}

function shownAs(written: string): string {
  const shown = shownPlaceOf(written);
  return shown === undefined ? 'not one' : `“${shown}”`;
}

function passwordInside(): string {
  return (
    'The address of the ledger holds a password, which every list of processes shows. Take it out, and name a file ' +
    'that holds it with PAYFILE_LEDGER_PASSWORD_FILE or PGPASSFILE.'
  );
}
