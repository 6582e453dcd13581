/**
 * From a path to an open database that is proven to be ours: right version of SQLite, our application id, a
 * schema that is known here, bound to the configured service.
 *
 * Errors:  LedgerError for whatever stands in the way.
 */
import { randomBytes } from 'node:crypto';
import type { FileIdentity } from '../../../domain/batches/ledger-trust.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../../../ports/ledger/ledger.ts';
import { LEDGER_CHAIN, noteBody } from '../batches/batches.ts';
import { ChainDraft } from '../proof/event-chain.ts';
import { fileIdentityOf } from '../trust/ledger-mark.ts';
import { isLeftFormat, leftFormat, movedAway, movedOf } from '../trust/moved.ts';
import type { Database } from './database.ts';
import { foreignDatabase } from './ledger-file.ts';
import { APPLICATION_ID, createTables, migrate, pragmaNumber } from './ledger-schema.ts';
import { FORMAT, requireFormat } from './migrations.ts';
import { isBusy, ledgerDamaged, ledgerErrorOf, numberOf, prepareOnce, type Sql } from './sql-statements.ts';

export interface Binding extends Pick<LedgerIdentity, 'environment' | 'baseUrl' | 'loginId'> {
  /** Where the id and the password are sent; undefined: whichever the ledger is bound to. */
  readonly authUrl?: string | undefined;
}

/** A ledger in memory, lost when it is closed. */
export const MEMORY = ':memory:';
/**
 * The kind of entry that says what else a live ledger is bound to, such as the login address; the newest counts. It is
 * compared before every login of a live call, so that no password goes to another address.
 */
export const BOUND = 'bound';

/** WAL-mode databases could be damaged by several connections before this release. */
const SQLITE_MIN = [3, 51, 3] as const;
const BUSY_SLICE_MS = 25;
const BUSY_TRIES = 200;

const PRAGMAS = `
PRAGMA busy_timeout = ${BUSY_SLICE_MS};
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA cache_size = -16000;
PRAGMA wal_autocheckpoint = 4000;
`;

export function setPragmas(db: Database, { isReadOnly }: { isReadOnly: boolean }): void {
  db.exec(PRAGMAS);
  if (!isReadOnly) db.exec('PRAGMA journal_mode = WAL');
}

/** Tries again every 25 ms, for 5 s, while another process holds a lock. */
export async function retryWhileBusy<T>(path: string, work: () => T, most = BUSY_TRIES): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || tries >= most) throw ledgerErrorOf(error, path);
      await new Promise((resolve) => {
        setTimeout(resolve, BUSY_SLICE_MS);
      });
    }
  }
}

export function checkSqlite(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, least] of SQLITE_MIN.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part === least) continue;
    const text = `SQLite ${version} is too old (needed: ${SQLITE_MIN.join('.')}); run payfile with Node 24.15 or newer.`;
    throw new LedgerError('ledger_unsupported', text);
  }
}

export const newLedgerId = (): string => randomBytes(16).toString('hex');

/** A new ledger in an empty database. */
export function writeNewLedger(
  db: Database,
  path: string,
  binding: Binding,
  { at, id }: { readonly at: number; readonly id: string },
): void {
  const file = path === MEMORY ? undefined : fileIdentityOf(path);
  db.exec('BEGIN IMMEDIATE');
  createTables(db, path);
  writeIdentity(db, binding, { at, id, file });
  db.exec('COMMIT');
}

/** Inside a commit, the first of the ledger. `file` is undefined for one that is in no file. */
export function writeIdentity(
  db: Database,
  binding: Binding,
  { at, id, file }: { readonly at: number; readonly id: string; readonly file: FileIdentity | undefined },
): void {
  const sql = prepareOnce(db);
  const chain = new ChainDraft(sql);
  chain.begin();
  const { environment, baseUrl, loginId } = binding;
  const insert =
    'INSERT INTO ledger(one, id, environment, base_url, login_id, created_at) VALUES (1,?,?,?,?,?)';
  sql(insert).run(id, environment, baseUrl, loginId, at);
  const body = JSON.stringify({ v: 1, id, environment, baseUrl, loginId });
  chain.add(LEDGER_CHAIN, { payout: null, at, kind: 'created', body });
  if (environment === 'live' && file !== undefined) {
    const bound = noteBody({ authUrl: binding.authUrl, file });
    chain.add(LEDGER_CHAIN, { payout: null, at, kind: BOUND, body: bound });
  }
  chain.write();
}

/** Reads who the ledger is and refuses one that is not for this service. */
export function identify(
  db: Database,
  path: string,
  binding: Binding | undefined,
  isReadOnly: boolean,
): LedgerIdentity {
  if (pragmaNumber(db, 'application_id') !== APPLICATION_ID) throw foreignDatabase(path);
  const format = pragmaNumber(db, 'user_version');
  if (isReadOnly) {
    if (format !== leftFormat(FORMAT)) requireFormat(format, path);
  } else {
    if (isLeftFormat(format)) throw movedAway(path, movedOf(prepareOnce(db)));
    migrate(db, path);
  }
  return readIdentity(db, path, binding);
}

export function readIdentity(db: Database, path: string, binding: Binding | undefined): LedgerIdentity {
  const row = db.prepare('SELECT * FROM ledger').get();
  if (row === undefined) throw ledgerDamaged(path, 'it does not say whose ledger it is');
  const identity: LedgerIdentity = {
    id: String(row.id),
    path,
    environment: environmentOf(row.environment, path),
    baseUrl: String(row.base_url),
    loginId: String(row.login_id),
    salt: '',
  };
  if (binding !== undefined && !isSame(identity, binding)) throw foreign(identity, binding);
  return identity;
}

function environmentOf(stored: unknown, path: string): Binding['environment'] {
  if (stored === 'live' || stored === 'sandbox') return stored;
  throw ledgerDamaged(path, 'it is neither a live nor a sandbox ledger');
}

function isSame(identity: Binding, binding: Binding): boolean {
  const { environment, baseUrl, loginId } = binding;
  return identity.environment === environment && identity.baseUrl === baseUrl && identity.loginId === loginId;
}

function foreign(identity: LedgerIdentity, binding: Binding): LedgerError {
  const name = ({ environment, baseUrl, loginId }: Binding) =>
    `the ${environment} service ${baseUrl} as ${loginId}`;
  const text =
    `The ledger ${identity.path} belongs to ${name(identity)}; you are working with ${name(binding)}. ` +
    'Payments of two services must not share a ledger. Mend the configuration, or name another ledger with --ledger.';
  return new LedgerError('ledger_foreign', text);
}

export interface Bound {
  readonly authUrl: string | undefined;
  /** The file that the ledger was made as. */
  readonly file: FileIdentity | undefined;
}

/** undefined if the ledger has no login address yet. */
export function boundOf(sql: Sql): Bound | undefined {
  const select =
    'SELECT body FROM journal WHERE batch = ? AND payout IS NULL AND kind = ? ORDER BY seq DESC LIMIT 1';
  const body = sql(select).get(LEDGER_CHAIN, BOUND)?.body;
  if (body === undefined) return undefined;
  const { authUrl, file } = JSON.parse(String(body)) as Record<string, unknown>;
  return { authUrl: typeof authUrl === 'string' ? authUrl : undefined, file: fileOf(file) };
}

function fileOf(stored: unknown): FileIdentity | undefined {
  const { inode, birth } = (stored ?? {}) as Record<string, unknown>;
  if (typeof inode !== 'string') return undefined;
  return { inode, birth: typeof birth === 'string' ? birth : undefined };
}

export function loginMoved(path: string, bound: string, configured: string): LedgerError {
  const text =
    `The ledger ${path} belongs to a service with the login address ${bound}; the configuration now says ` +
    `${configured}. Whoever answers there gets the id and the password. Mend the configuration; or, ` +
    'when the service itself told you of the new address, accept it.';
  return new LedgerError('ledger_login_moved', text);
}

/** What the chain says about who the ledger is. */
export function verifyIdentity(
  db: Database,
  identity: LedgerIdentity,
  found: (problem: string) => void,
): void {
  const row = db.prepare('SELECT body FROM journal WHERE seq = 1').get();
  const { id, environment, baseUrl, loginId } = identity;
  if (row?.body !== JSON.stringify({ v: 1, id, environment, baseUrl, loginId })) {
    found('the ledger does not name the service it was made for');
  }
  const names = numberOf(db.prepare('SELECT count(*) AS n FROM name_releases').get()?.n);
  const released = db.prepare(
    "SELECT count(*) AS n FROM name_releases r JOIN journal j ON j.seq = r.entry WHERE j.kind = 'name_released' AND json_extract(j.body, '$.key') = r.key",
  );
  if (numberOf(released.get()?.n) !== names) found('a remembered name was not released by anyone');
}
