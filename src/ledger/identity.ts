/**
 * Who a ledger is: its number, the service that it belongs to, and what its own chain says of its place. A place is the real
 * path of a file, or what distinguishes the tables of one server from those of another (server.ts).
 *
 * Errors:  LedgerError for a ledger of another format, of another service, or one that went elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { input, said } from '../domain/text/message.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../ports/ledger/ledger.ts';
import type { Commit } from './chain.ts';
import { ENTRY_COLUMNS } from './codec.ts';
import { bodyOf, encodeBody } from './codec-json.ts';
import { FORMAT, LEDGER_CHAIN } from './schema.ts';
import { numberOf, q, type Sql, text } from './sql.ts';
import { ledgerDamaged } from './sqlite.ts';

export interface Binding extends Pick<LedgerIdentity, 'environment' | 'baseUrl' | 'loginId'> {
  /** Where the id and the password are sent; undefined: whichever the ledger is bound to. */
  readonly authUrl?: string | undefined;
}

/** What the ledger was bound to when it was made, and each time its login address changed. */
export const BOUND = 'bound';
/** It is a backup that took the place of a ledger. */
export const RESTORED = 'restored';
/**
 * The last entry of a file that went to a server, and the first that the server's ledger has beyond the file's. In a file it
 * means: read this, and never work with it again.
 */
export const MOVED = 'moved';
/** The format of such a file, which no payfile works with. */
export const LEFT_FORMAT = 1_000_000 + FORMAT;

export const newLedgerId = (): string => randomBytes(16).toString('hex');

interface Making {
  readonly at: number;
  readonly newId: () => string;
  readonly place: string | undefined;
  readonly timeZone: string;
}

/** Inside a commit, the first of the ledger. `place` is undefined for one in memory. */
export async function writeIdentity(
  { sql, add }: Commit,
  { authUrl, environment, baseUrl, loginId }: Binding,
  { at, newId, place, timeZone }: Making,
): Promise<void> {
  const [id, salt] = [newId(), newId()];
  await sql.run(q`INSERT INTO ledger(one, id, environment, base_url, login_id, salt, time_zone, created_at)
    VALUES (1, ${id}, ${environment}, ${baseUrl}, ${loginId}, ${salt}, ${timeZone}, ${at})`);
  // Its salt too: with another one no payment would look like one that was made.
  add(ownEntry('created', { id, environment, baseUrl, loginId, salt, timeZone }, at));
  if (environment === 'live' && place !== undefined) add(ownEntry(BOUND, { authUrl, place }, at));
}

/** An entry of the ledger's own chain. */
export function ownEntry(kind: string, body: object, at: number) {
  return { batch: LEDGER_CHAIN, payout: null, at, kind, ...encodeBody(kind, body) };
}

/** Refuses one that is not for this service; undefined: whichever it belongs to. */
export async function readIdentity(
  sql: Sql,
  path: string,
  binding: Binding | undefined,
): Promise<LedgerIdentity> {
  const row = await sql.get(q`SELECT * FROM ledger`);
  if (row === undefined) throw ledgerDamaged(path, 'it does not say whose ledger it is');
  const environment = row['environment'];
  if (environment !== 'live' && environment !== 'sandbox')
    throw ledgerDamaged(path, 'it is neither a live nor a sandbox ledger');
  const identity: LedgerIdentity = {
    ...{ id: String(row['id']), path, environment, salt: String(row['salt']) },
    ...{ baseUrl: String(row['base_url']), loginId: String(row['login_id']) },
    timeZone: String(row['time_zone']),
  };
  if (binding !== undefined && nameOf(identity) !== nameOf(binding)) throw foreign(identity, binding);
  return identity;
}

/** Whether it was left for a server, and may only be read. */
export async function requireFormat(sql: Sql, path: string): Promise<{ readonly isLeft: boolean }> {
  const format = numberOf((await sql.get(q`SELECT version FROM format`))?.['version']);
  if (format === FORMAT || format === LEFT_FORMAT) return { isLeft: format === LEFT_FORMAT };
  const words =
    `The ledger ${path} has format ${format}, and this payfile works with format ${FORMAT}: use the payfile version that ` +
    'wrote it.';
  throw new LedgerError('ledger_unsupported', words);
}

const nameOf = ({ environment, baseUrl, loginId }: Binding) =>
  `the ${environment} service ${baseUrl} as ${loginId}`;

function foreign(identity: LedgerIdentity, binding: Binding): LedgerError {
  const words = said`The ledger ${identity.path} belongs to ${nameOf(identity)}; you are working with ${nameOf(binding)}. Payments of two services must not share a ledger. Mend the configuration, or name another ledger with ${input('ledger')}.`;
  return new LedgerError('ledger_foreign', words);
}

export interface Moved {
  readonly at: number;
  /** Where the ledger is now, without a secret. */
  readonly to: string;
  /** Which tables of which server it became. */
  readonly place: string;
  /** Which file it was. */
  readonly from: string;
  readonly by: string;
}

/** What the ledger's own chain says of its place. */
export interface Standing {
  /** The login address; undefined: none yet. */
  readonly authUrl: string | undefined;
  /** Where it was made, went, or was accepted last. */
  readonly place: string | undefined;
  /** A backup took the ledger's place, and nobody accepted it since. */
  readonly isRestored: boolean;
  readonly moved: Moved | undefined;
}

/** Entries that say where a ledger is. */
const PLACES = text("('bound','moved','restored','ledger_accepted','rollback_accepted')");

export async function standingOf(sql: Sql): Promise<Standing> {
  const rows = await sql.all(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal
    WHERE batch = ${LEDGER_CHAIN} AND payout IS NULL AND kind IN ${PLACES} ORDER BY seq DESC`);
  const all = rows.map((row) => ({ kind: row['kind'], at: numberOf(row['at']), body: bodyOf(row) }));
  const wordOf = (key: string) => {
    const found = all.find(({ body }) => typeof body[key] === 'string')?.body[key];
    return found === undefined ? undefined : String(found);
  };
  const moved = all.find(({ kind }) => kind === MOVED);
  return {
    ...{ authUrl: wordOf('authUrl'), place: wordOf('place') },
    isRestored: all.find(({ kind }) => kind !== BOUND)?.kind === RESTORED,
    moved: moved && ({ at: moved.at, ...moved.body } as unknown as Moved),
  };
}

export function loginMoved(path: string, bound: string, configured: string): LedgerError {
  const words =
    `The ledger ${path} belongs to a service with the login address ${bound}; the configuration now says ` +
    `${configured}. The server at that address gets the id and the password. Mend the configuration; or, ` +
    'when the service itself announced the new address, accept it.';
  return new LedgerError('ledger_login_moved', words);
}

export function movedAway(path: string, moved: Pick<Moved, 'at' | 'to'> | undefined): LedgerError {
  const { at = 0, to = 'a server' } = moved ?? {};
  const words = said`The ledger ${path} was moved to ${to} on ${new Date(at).toISOString().slice(0, 10)}. The file can be read, and is never worked with again: it does not know what was paid since. Nothing was done. Name the ledger on the server with PAYFILE_LEDGER or ${input('ledger')}. If it says that the move did not end, type payfile ledger move again.`;
  return new LedgerError('ledger_moved', words, { movedTo: to });
}
