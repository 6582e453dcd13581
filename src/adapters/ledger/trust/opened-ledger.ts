/**
 * Whether an opened ledger is the one that this user worked with last, and what a person accepted of it.
 *
 * Errors:  LedgerError for what nobody accepted.
 */
import { isDeepStrictEqual } from 'node:util';
import { compared, type FileIdentity, whyLedgerUnknown } from '../../../domain/batches/ledger-trust.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../../../ports/ledger/ledger.ts';
import { LEDGER_CHAIN } from '../batches/batches.ts';
import { ledgerHead } from '../proof/event-chain.ts';
import { type Binding, BOUND, type Bound, boundOf, loginMoved } from '../storage/open-file.ts';
import type { Sql } from '../storage/sql-statements.ts';
import type { StoredLedger } from '../stored-ledger.ts';
import { KnownHead, rolledBack, unknownHere } from './known-head.ts';
import { HeadMark, knownLedgers } from './known-ledgers.ts';
import { LedgerMark } from './ledger-mark.ts';
import { movedOf } from './moved.ts';

export interface TrustPlace {
  readonly path: string;
  /** Whatever links lead there. */
  readonly realPath: (path: string) => string;
  /** undefined: nothing is remembered of it. */
  readonly knownLedgersPath: string | undefined;
  /** This process made the ledger just now. */
  readonly isMade: boolean;
  /** Which file it is, or which tables of which server. */
  readonly fileNow: () => FileIdentity;
  /** A mark lies beside a live ledger's file. */
  readonly markBeside: boolean;
  /** The id in the configuration. Opens no ledger with another id. undefined: the configuration has no id. */
  readonly namedId?: string | undefined;
}

/** What a person says of the ledger when it is opened. */
export interface Acceptances {
  readonly path: string;
  readonly binding: Binding | undefined;
  readonly acceptRollback?: boolean;
  readonly acceptLedger?: boolean;
  readonly acceptAuthUrl?: boolean;
  /** Who accepts; kept in the journal. */
  readonly by?: string | undefined;
  readonly knownLedgersPath?: string;
}

export interface LedgerTrust {
  /** Why it is older than is remembered. */
  readonly setBack: string | undefined;
  /** Why it is not known here. */
  readonly unknown: string | undefined;
  readonly bound: Bound | undefined;
  /** When it was worked with last here. */
  readonly rememberedAt?: number | undefined;
  /** Of a live ledger, beside which a mark is kept. */
  readonly file: FileIdentity | undefined;
}

/** List and marks are read before the ledger is, so that another process can only be ahead of them. */
export function trustOf(sql: Sql, { id, environment }: LedgerIdentity, place: TrustPlace): LedgerTrust {
  const { path, realPath, knownLedgersPath, isMade, namedId } = place;
  if (namedId !== undefined && namedId !== id) throw notTheNamed(path, id, namedId);
  const moved = movedOf(sql);
  // A file that was left is only read, and is older than the ledger that it became.
  const isLeft = moved !== undefined && place.markBeside;
  if (knownLedgersPath === undefined || isLeft)
    return { setBack: undefined, unknown: undefined, bound: boundOf(sql), file: undefined };
  const entry = knownLedgers(knownLedgersPath).find((ledger) => ledger.id === id);
  const marked = HeadMark.read(knownLedgersPath, id);
  // The sandbox's payments do not matter.
  const isLive = environment === 'live';
  const beside = isLive && place.markBeside ? LedgerMark.read(path, id) : undefined;
  const bound = boundOf(sql);
  const setBack = KnownHead.objection(sql, { entry, marked, beside });
  if (!isLive) return { setBack, unknown: undefined, bound, file: undefined };
  const file = place.fileNow();
  const isAsMade = file.birth !== undefined && isDeepStrictEqual(bound?.file, file);
  const isNewborn = isMade || (isAsMade && ledgerHead(sql).commits === 1);
  // Only of these very tables: a dump of them that is restored elsewhere has the entry too.
  const movedFrom = isDeepStrictEqual(moved?.tables, file) ? moved?.from : undefined;
  const named = namedId === undefined ? undefined : namedIn(sql, file);
  const found = { file, path: realPath(path), isNewborn, movedFrom, named };
  const known = entry?.file && { path: realPath(entry.path), file: entry.file };
  const unknown = whyLedgerUnknown(found, { mark: beside?.file, entry: known });
  return { setBack, unknown, bound, rememberedAt: entry?.updatedAt, file };
}

/** Whether the ledger is where it was made, where it went, or where a person accepted it last. */
function namedIn(sql: Sql, file: FileIdentity): 'here' | 'elsewhere' {
  const select = `SELECT body FROM journal WHERE batch = ? AND payout IS NULL
    AND kind IN ('${BOUND}','moved','ledger_accepted','rollback_accepted') ORDER BY seq DESC`;
  for (const { body } of sql(select).all(LEDGER_CHAIN)) {
    const { file: was, tables = was } = JSON.parse(String(body)) as Record<string, unknown>;
    if (tables !== undefined)
      return compared(tables as FileIdentity, file) === 'other' ? 'elsewhere' : 'here';
  }
  return 'elsewhere';
}

function notTheNamed(path: string, id: string, named: string): LedgerError {
  const text =
    `The ledger ${path} is ${id}, and the configuration names ${named} (ledger.id). Another ledger does not know what was ` +
    'paid. Nothing was done. Fix the address of the ledger, or the id in the configuration.';
  return new LedgerError('ledger_foreign', text);
}

/**
 * Everything that writes is refused with an unknown ledger, not only sending: planning and approving in a copy would be
 * lost or paid twice. Reading goes on. Accepting is one commit (entry and pauses) before mark and list are written, so
 * that a process killed in between leaves the ledger refused as before.
 */
export function refuseWhatNobodyAccepted(
  { setBack, unknown, bound }: LedgerTrust,
  options: Acceptances,
): void {
  const { path, acceptRollback = false, acceptLedger = false, acceptAuthUrl = false, binding } = options;
  // Whoever accepts an older state accepts the file that holds it.
  if (setBack !== undefined && !acceptRollback) throw rolledBack(path, setBack);
  if (setBack === undefined && unknown !== undefined && !acceptLedger) throw unknownHere(path, unknown);
  const [before, now] = [bound?.authUrl, binding?.authUrl];
  if (before !== undefined && now !== undefined && before !== now && !acceptAuthUrl)
    throw loginMoved(path, before, now);
}

/** What was accepted goes into the journal before the ledger is used. */
export function startAccepted(
  ledger: StoredLedger,
  { setBack, unknown, bound, file }: LedgerTrust,
  { binding, by, knownLedgersPath }: Acceptances,
): void {
  if (setBack !== undefined) ledger.accept({ kind: 'rollback_accepted', why: setBack, by, file });
  else if (unknown !== undefined) ledger.accept({ kind: 'ledger_accepted', why: unknown, by, file });
  const authUrl = ledger.identity.environment === 'live' ? binding?.authUrl : undefined;
  const mayGoBack = setBack !== undefined && knownLedgersPath !== undefined;
  if (authUrl !== undefined && authUrl !== bound?.authUrl) {
    // The mark comes first: after this commit the ledger is no longer new.
    ledger.remember(mayGoBack);
    ledger.bindLogin({ authUrl, before: bound?.authUrl, by });
  }
  ledger.start(mayGoBack);
}
