/**
 * Compares a ledger with what this machine remembers of it, and updates that memory: the list of known ledgers
 * at opening, at most once a second during work, when a lease is given back and at closing; the marks at every commit.
 */
import { resolve } from 'node:path';
import {
  type Batch,
  batchStatus,
  isPausedForStatement,
  type Pause,
  SET_BACK_REASON,
  UNKNOWN_LEDGER_REASON,
} from '../../../domain/batches/batch.ts';
import type { FileIdentity } from '../../../domain/batches/ledger-trust.ts';
import { isServerPlace, wayToJoin } from '../../../domain/batches/ledger-trust.ts';
import { type Timestamp, timestampOf } from '../../../domain/timestamp.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../../../ports/ledger/ledger.ts';
import { type Batches, LEDGER_CHAIN, noteBody } from '../batches/batches.ts';
import { type ChainDraft, type Head, ledgerHead } from '../proof/event-chain.ts';
import type { PayoutSums } from '../reports/payout-sums.ts';
import type { Database } from '../storage/database.ts';
import { BOUND } from '../storage/open-file.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import { HeadMark, type KnownLedger, rememberLedger } from './known-ledgers.ts';
import { LedgerMark, type LedgerMarkFacts } from './ledger-mark.ts';

const INTERVAL_MS = 1_000;

export interface KnownHeadParts {
  readonly sql: Sql;
  readonly path: string;
  readonly identity: LedgerIdentity;
  readonly now: () => number;
  /** The ledger's own file, and whether a mark is kept beside it. */
  readonly beside: { readonly file: FileIdentity; readonly isMarked: boolean } | undefined;
}

/** Read before the ledger is, so that another process can only be ahead of it. */
export interface Remembered {
  /** Of the user's list. */
  readonly entry: KnownLedger | undefined;
  /** The user's mark. */
  readonly marked: Head | undefined;
  readonly beside: LedgerMarkFacts | undefined;
}

export class KnownHead {
  readonly #parts: KnownHeadParts;
  readonly #mark: HeadMark;
  readonly #beside: LedgerMark | undefined;
  #writtenAt = 0;

  constructor(parts: KnownHeadParts) {
    this.#parts = parts;
    const { path, identity, beside } = parts;
    this.#mark = new HeadMark(path, identity.id);
    this.#beside =
      beside?.isMarked === true ? new LedgerMark(identity.path, identity.id, beside.file) : undefined;
  }

  /** In words why the ledger is older than, or another than, the remembered one; undefined when it is not. */
  static objection(sql: Sql, remembered: Remembered): string | undefined {
    const { commits } = ledgerHead(sql);
    const { entry, marked, beside } = remembered;
    const byList = entry === undefined ? undefined : objectionOfList(sql, commits, { known: entry, marked });
    if (byList !== undefined || beside === undefined || commits >= beside.commits) return byList;
    return `it has ${commits} commits and the mark beside it says ${beside.commits}`;
  }

  worked(head: Head): void {
    this.#writeMarks(head);
    const now = performance.now();
    if (now - this.#writtenAt < INTERVAL_MS) return;
    this.#writtenAt = now;
    this.#tryWrite(head);
  }

  /** A list that cannot be written must not stop a payment under way; opening and closing the ledger report it. */
  #tryWrite(head: Head): void {
    try {
      this.#write(head, false);
    } catch {
      // Written again at the next chance.
    }
  }

  write(mayGoBack = false): void {
    const head = ledgerHead(this.#parts.sql);
    this.#write(head, mayGoBack);
    this.#writeMarks(head);
  }

  #writeMarks(head: Head): void {
    this.#mark.write(head);
    this.#beside?.write(head.commits);
  }

  close(): void {
    this.#mark.close();
    this.#beside?.close();
  }

  #write(head: Head, mayGoBack: boolean): void {
    const { path, identity, now, beside } = this.#parts;
    const { id, environment, baseUrl } = identity;
    // Absolute, for it is read again from another folder.
    const ledgerPath = isServerPlace(identity.path) ? identity.path : resolve(identity.path);
    rememberLedger(
      path,
      { id, path: ledgerPath, environment, baseUrl, head, file: beside?.file, updatedAt: now() },
      { mayGoBack },
    );
  }
}

function objectionOfList(
  sql: Sql,
  commits: number,
  { known, marked }: { known: KnownLedger; marked: Head | undefined },
): string | undefined {
  const seen = new Date(known.updatedAt).toISOString();
  if (commits < known.head.commits) {
    return `it has ${commits} commits and had ${known.head.commits} on ${seen} (then at ${known.path})`;
  }
  if (marked !== undefined && commits < marked.commits)
    return `it has ${commits} commits and had ${marked.commits} when it was last worked with (at ${known.path})`;
  if (!isThere(sql, known.head))
    return `its commit ${known.head.commits} is not the one seen on ${seen} (then at ${known.path})`;
  // Set back by little, it may have come as far again by others' work.
  if (marked === undefined || isThere(sql, marked)) return undefined;
  return `its commit ${marked.commits} is not the one that was there when it was last worked with (at ${known.path})`;
}

function isThere(sql: Sql, { commits, hash }: Head): boolean {
  return commits === 0 || sql('SELECT head FROM commits WHERE seq = ?').get(commits)?.head === hash;
}

export function rolledBack(path: string, why: string): LedgerError {
  const text =
    `The ledger ${path} is older than this machine remembers: ${why}. It has forgotten payments; nothing is sent with it. ` +
    'Put the newer ledger back; or compare this one with a statement and accept it.';
  return new LedgerError('ledger_rolled_back', text);
}

export function unknownHere(path: string, why: string): LedgerError {
  const join = wayToJoin(path, why);
  if (join !== undefined) {
    const said = `The ledger ${path} is not known here: ${why}. Nothing was done. ${join}`;
    return new LedgerError('ledger_unknown', said, { guide: 'server' });
  }
  const forAll = isServerPlace(path) ? ' That pauses every batch, for all machines.' : '';
  const text =
    `The ledger ${path} is not known here: ${why}. A copy or a restored backup does not know what was paid after it ` +
    'was made, and would pay it again; nothing is sent with it. If it is the newest one, compare it with a statement ' +
    `of the service and accept it.${forAll}`;
  return new LedgerError('ledger_unknown', text);
}

/**
 * A person accepts a ledger that is older than this machine remembers, or that is not known here; or a machine finds that a
 * server was set back, which the others cannot see: what another ledger sent may stand here as unsent, or not at all. So every batch that could still send is paused, and so is each one that is new
 * or gets rows later, until a person resumes it, or says that all was compared with a statement. And what else a person
 * agrees to of the ledger as a whole: another login address.
 */

interface AcceptParts {
  readonly db: Database;
  readonly chain: ChainDraft;
  readonly batches: Batches;
  readonly sums: PayoutSums;
}

export interface Accepted {
  readonly kind: 'rollback_accepted' | 'ledger_accepted' | 'rollback_found';
  /** What spoke against it. */
  readonly why: string;
  readonly by: string | undefined;
  /** The file or the tables that the ledger is in. */
  readonly file: FileIdentity | undefined;
}

/** In one commit: killed before it, the ledger is refused as before. */
export function acceptLedger(
  { db, chain, batches, sums }: AcceptParts,
  accepted: Accepted,
  at: Timestamp,
): void {
  const { kind, ...body } = accepted;
  const pause = pauseFor(kind, at);
  db.exec('BEGIN IMMEDIATE');
  chain.begin();
  const used = { payout: skipIds(db, 'payouts', at * PAYOUTS_PER_MS), batch: skipIds(db, 'batches', at) };
  chain.add(LEDGER_CHAIN, { payout: null, at, kind, body: noteBody({ ...body, used }) });
  for (const batch of batches.all()) {
    const counts = sums.counts(batch.id);
    // A row on the wire is unsent again when the emergency file says that it never left.
    const couldSend = counts.sending > 0 || batchStatus({ ...batch, pause }, counts) === 'paused';
    if (batch.isImporting || isPausedOtherwise(batch) || !couldSend) continue;
    batches.change({ id: batches.numberOf(batch.id), at, kind: 'paused', set: { pause } });
  }
  chain.write();
  db.exec('COMMIT');
}

/**
 * The other ledger went on from the same ids, and an id makes the tag by which a statement names a payment. So the next
 * ids come from the time, which no other life of this ledger has used: none sends this many rows, or makes a batch, in
 * each millisecond. Payout ids stay below 16 digits, which a spreadsheet would round.
 */
const PAYOUTS_PER_MS = 100;

/** Inside a commit: ids up to `last` are not given out any more; the last one that is not. */
function skipIds(db: Database, table: 'payouts' | 'batches', last: number): number {
  const before = db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq;
  const used = Math.max(numberOf(before ?? 0), last);
  // As a BigInt, for a number would be stored as a real one: the table gives its columns no type.
  const change =
    before === undefined
      ? 'INSERT INTO sqlite_sequence(seq, name) VALUES (?, ?)'
      : 'UPDATE sqlite_sequence SET seq = ? WHERE name = ?';
  db.prepare(change).run(BigInt(used), table);
  return used;
}

/** For a reason of its own, which only `resume BATCH` ends. */
function isPausedOtherwise(batch: Pick<Batch, 'pause'>): boolean {
  return batch.pause !== undefined && !isPausedForStatement(batch);
}

/** Inside a commit. A pause of its own does not stand for the comparison, which comes after it. */
export function resumeBatch(
  { sql, batches }: { sql: Sql; batches: Batches },
  id: number,
  { by, at }: { readonly by: string; readonly at: Timestamp },
): void {
  const pause = isPausedOtherwise(batches.facts(id)) ? uncomparedPause(sql, id, at) : undefined;
  const more = pause === undefined ? { by } : { by, own: true };
  batches.change({ id, at, kind: 'resumed', set: { pause: undefined, resumedAt: at }, more });
  if (pause !== undefined) batches.change({ id, at, kind: 'paused', set: { pause } });
}

/** Whether all was paused after this moment because payments may be forgotten here. */
export function isDistrusted(sql: Sql, after: number): boolean {
  const select = `SELECT 1 FROM journal WHERE batch = ? AND payout IS NULL AND at > ?
    AND kind IN ('rollback_accepted','ledger_accepted','rollback_found')`;
  return sql(select).get(LEDGER_CHAIN, after) !== undefined;
}

function pauseFor(kind: Accepted['kind'], at: Timestamp): Pause {
  const reason = kind === 'ledger_accepted' ? UNKNOWN_LEDGER_REASON : SET_BACK_REASON;
  return { reason, by: 'payfile', at };
}

const COMPARED = 'ledger_compared';

/** Inside a commit: pauses a batch that is new or gets rows, and is not paused yet. */
export function pauseUncompared(
  { sql, batches }: { sql: Sql; batches: Batches },
  id: number,
  at: number,
): void {
  if (batches.facts(id).pause !== undefined) return;
  const pause = uncomparedPause(sql, id, at);
  if (pause !== undefined) batches.change({ id, at, kind: 'paused', set: { pause } });
}

/**
 * Where a person accepted the ledger and has neither resumed this batch nor compared everything since: its rows may have
 * been paid by the ledger that is not here. Who ended a pause of its own (`own`) did not speak of that.
 */
function uncomparedPause(sql: Sql, id: number, at: number): Pause | undefined {
  const select = `SELECT seq, kind FROM journal WHERE batch = ? AND payout IS NULL
    AND kind IN ('rollback_accepted','ledger_accepted','rollback_found','${COMPARED}') ORDER BY seq DESC LIMIT 1`;
  const last = sql(select).get(LEDGER_CHAIN);
  if (last === undefined || last.kind === COMPARED) return undefined;
  const resumed = `SELECT 1 FROM journal WHERE batch = ? AND payout IS NULL AND kind = 'resumed' AND seq > ?
    AND json_extract(body, '$.own') IS NULL`;
  if (sql(resumed).get(id, numberOf(last.seq)) !== undefined) return undefined;
  return pauseFor(last.kind as Accepted['kind'], timestampOf(at));
}

/** Inside a commit: a person compared everything with a statement. */
export function endComparison(
  { chain, batches }: Pick<AcceptParts, 'chain' | 'batches'>,
  { by, at }: { readonly by: string; readonly at: Timestamp },
): void {
  chain.add(LEDGER_CHAIN, { payout: null, at, kind: COMPARED, body: noteBody({ by }) });
  for (const batch of batches.all().filter(isPausedForStatement)) {
    const set = { pause: undefined, resumedAt: at };
    batches.change({ id: batches.numberOf(batch.id), at, kind: 'resumed', set, more: { by } });
  }
}

/** From now on the ledger belongs to this login address. `before` is undefined the first time. */
export function bindLogin(
  { db, chain }: Pick<AcceptParts, 'db' | 'chain'>,
  bound: { readonly authUrl: string; readonly before: string | undefined; readonly by: string | undefined },
  at: Timestamp,
): void {
  db.exec('BEGIN IMMEDIATE');
  chain.begin();
  chain.add(LEDGER_CHAIN, { payout: null, at, kind: BOUND, body: noteBody(bound) });
  chain.write();
  db.exec('COMMIT');
}
