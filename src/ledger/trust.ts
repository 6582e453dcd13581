/**
 * May this user work with this ledger without being asked? Only where it is the one that is remembered (known.ts), has come as
 * far, and lies where it lay. A copy, a restored backup, a file that was set back or another machine's ledger may not know what
 * was paid later.
 *
 * A new ledger names its own place in its first commit, so that a process killed while making one leaves no question. A user who
 * remembers nothing is not asked if the configuration names the ledger by its id and it is where it was made. A file
 * that is elsewhere, and no longer where it was, was moved: it has come as far as is remembered.
 * Errors:  LedgerError for what nobody accepted.
 */
import { existsSync } from 'node:fs';
import { anotherFile, isServerPlace, NEVER_SEEN, wayToJoin } from '../domain/batches/ledger-trust.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../ports/ledger/ledger.ts';
import { type Head, ledgerHead } from './chain.ts';
import { isAccepted } from './comparison.ts';
import { type Binding, loginMoved, type Standing, standingOf } from './identity.ts';
import { type KnownLedger, knownLedger } from './known.ts';
import { type History, whyOther } from './server-watch.ts';
import { q, type Sql } from './sql.ts';

/** Where a ledger was found. */
export interface Place {
  readonly path: string;
  /** The real path of a file, or which tables of which server it is; undefined: in memory. */
  readonly place: string | undefined;
  /** undefined: nothing is remembered of it. */
  readonly folder: string | undefined;
  /** This process made the ledger just now. */
  readonly isMade: boolean;
  /** The id in the configuration. Opens no ledger with another id. undefined: the configuration has no id. */
  readonly namedId?: string | undefined;
  /** Of a server. */
  readonly history?: History | undefined;
}

/** What a person says of the ledger when it is opened. */
export interface Acceptances {
  readonly binding: Binding | undefined;
  readonly acceptRollback?: boolean;
  readonly acceptLedger?: boolean;
  readonly acceptAuthUrl?: boolean;
}

export interface Trust {
  /** Why it is older than is remembered. */
  readonly setBack: string | undefined;
  /** Why it is not known here. */
  readonly unknown: string | undefined;
  readonly standing: Standing;
  /** When it was worked with last here. */
  readonly rememberedAt?: number | undefined;
}

/** What is remembered is read before the ledger is, so that another process can only be ahead of it. */
export async function trustOf(sql: Sql, { id, environment }: LedgerIdentity, at: Place): Promise<Trust> {
  const { path, place, folder, namedId } = at;
  if (namedId !== undefined && namedId !== id) throw notTheNamed(path, id, namedId);
  const known = folder === undefined ? undefined : knownLedger(folder, id);
  const standing = await standingOf(sql);
  // A file that was left is only read, and is older than the ledger that it became.
  const isLeft = standing.moved !== undefined && !isServerPlace(path);
  if (folder === undefined || place === undefined || isLeft)
    return { setBack: undefined, unknown: undefined, standing };
  const head = await ledgerHead(sql);
  const setBack = known && ((await whySetBack(sql, head, known)) ?? (await whyReplaced(sql, known, at)));
  // The sandbox's payments do not matter.
  const isUnknown = environment === 'live' && !isNew(at, standing, head);
  const unknown = isUnknown ? whyUnknown({ ...at, place }, standing, known) : undefined;
  return { setBack, unknown, standing, rememberedAt: known?.updatedAt };
}

const isNew = ({ isMade, place }: Place, standing: Standing, { commits }: Head) =>
  !standing.isRestored && (isMade || (commits === 1 && standing.place === place));

/** In words why it is older than, or another than, the remembered one; undefined when it is not. */
async function whySetBack(
  sql: Sql,
  { commits }: Head,
  { head, path, updatedAt }: KnownLedger,
): Promise<string | undefined> {
  const seen = `${new Date(updatedAt).toISOString()} (then at ${path})`;
  if (commits < head.commits) return `it has ${commits} commits and had ${head.commits} on ${seen}`;
  if (head.commits === 0) return undefined;
  // Set back by little, it may have come as far again by others' work.
  const there = await sql.get(q`SELECT head FROM commits WHERE seq = ${head.commits}`);
  return there?.['head'] === head.hash
    ? undefined
    : `its commit ${head.commits} is not the one seen on ${seen}`;
}

/** Which a person accepted once for all who have seen no more than is here: every batch is paused since. */
async function whyReplaced(
  sql: Sql,
  { history, updatedAt }: KnownLedger,
  at: Place,
): Promise<string | undefined> {
  const why = whyOther(history, at.history);
  return why !== undefined && (await isAccepted(sql, updatedAt)) ? undefined : why;
}

const RESTORED_ELSEWHERE =
  'the configuration names it, but it is not where it was made, so it was restored from a dump or a backup';
const ANOTHER_ADDRESS =
  'it is at another address than the one where this user worked with it, and a copy of a whole server looks the same';

/** Why a person has to accept the ledger first; undefined when it is known. */
function whyUnknown(
  { path, place, namedId }: Place & { readonly place: string },
  standing: Standing,
  known: KnownLedger | undefined,
): string | undefined {
  if (standing.isRestored) return 'it was restored from a backup';
  if (known === undefined) {
    if (namedId === undefined) return NEVER_SEEN;
    return standing.place === place ? undefined : RESTORED_ELSEWHERE;
  }
  // A user who worked with the file that was moved knows the ledger that it became.
  if (standing.moved?.place === place && standing.moved.from === known.place) return undefined;
  if (isServerPlace(path)) {
    if (known.place !== place)
      return `it is another ledger than the one that this user worked with at ${known.path}`;
    return known.path === path ? undefined : `${ANOTHER_ADDRESS} (${known.path})`;
  }
  if (known.place === place || !existsSync(known.place)) return undefined;
  return anotherFile(known.path);
}

/**
 * Everything that writes is refused with an unknown ledger, not only sending: planning and approving in a copy would be
 * lost or paid twice. Reading goes on. Accepting is one commit (entry and pauses) before it is remembered, so that a process
 * killed in between leaves the ledger refused as before.
 */
export function refuseWhatNobodyAccepted(path: string, trust: Trust, options: Acceptances): void {
  const { setBack, unknown, standing } = trust;
  const { acceptRollback = false, acceptLedger = false, acceptAuthUrl = false, binding } = options;
  // A person who accepts an older state accepts the file that holds it.
  if (setBack !== undefined && !acceptRollback) throw rolledBack(path, setBack);
  if (setBack === undefined && unknown !== undefined && !acceptLedger) throw unknownHere(path, unknown);
  const [before, now] = [standing.authUrl, binding?.authUrl];
  if (before !== undefined && now !== undefined && before !== now && !acceptAuthUrl)
    throw loginMoved(path, before, now);
}

function rolledBack(path: string, why: string): LedgerError {
  const words =
    `The ledger ${path} is older than this machine remembers: ${why}. It has forgotten payments; nothing is sent with it. ` +
    'Put the newer ledger back; or compare this one with a statement and accept it.';
  return new LedgerError('ledger_rolled_back', words);
}

function unknownHere(path: string, why: string): LedgerError {
  const join = wayToJoin(path, why);
  if (join !== undefined) {
    const said = `The ledger ${path} is not known here: ${why}. Nothing was done. ${join}`;
    return new LedgerError('ledger_unknown', said, { guide: 'server' });
  }
  const forAll = isServerPlace(path) ? ' That pauses every batch, for all machines.' : '';
  const words =
    `The ledger ${path} is not known here: ${why}. A copy or a restored backup does not know what was paid after it ` +
    'was made, and would pay it again; nothing is sent with it. If it is the newest one, compare it with a statement ' +
    `of the service and accept it.${forAll}`;
  return new LedgerError('ledger_unknown', words);
}

function notTheNamed(path: string, id: string, named: string): LedgerError {
  const words =
    `The ledger ${path} is ${id}, and the configuration names ${named} (ledger.id). Another ledger does not know what was ` +
    'paid. Nothing was done. Fix the address of the ledger, or the id in the configuration.';
  return new LedgerError('ledger_foreign', words);
}
