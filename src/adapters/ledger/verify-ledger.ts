/**
 * Verify: the whole proof, in one walk that lets everything else have its turn, and in one snapshot, so that a run
 * beside it changes nothing of what is compared.
 *
 * Errors:  LedgerError `ledger_busy` when the ledger cannot be read to its end now; that says nothing about it.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { batchDigest } from '../../domain/batch-digest.ts';
import { LedgerError, type LedgerIdentity, type VerifyResult } from '../../ports/ledger.ts';
import { contentKeysOf } from './imports-sql.ts';
import { verifyIdentity } from './open-file.ts';
import { breathe, prepareOnce, type Sql } from './statements.ts';
import { isBusy } from './storage-error.ts';
import { Routes } from './stored-payout.ts';
import { verifyChains, verifyFacts } from './verify-chain.ts';
import { verifyPayouts } from './verify-payouts.ts';

const PROBLEMS_MAX = 100;

/** While the snapshot is read, no page of the log can be used again: it grows with whatever a run writes. */
const LOG_GROWTH_MAX = 256 * 1024 * 1024;

export interface VerifyParts {
  /** What to read with. `isOwn`: nobody else reads with it, and it holds one snapshot. */
  readonly db: DatabaseSync;
  readonly isOwn: boolean;
  readonly identity: LedgerIdentity;
  /** Bytes that the log may grow by. */
  readonly logMax?: number | undefined;
}

interface Walk {
  readonly sql: Sql;
  readonly routes: Routes;
  /** Lets everything else have its turn. */
  readonly breathe: () => Promise<void>;
}

export async function verifyLedger(
  parts: VerifyParts,
  batch: number | undefined,
): Promise<Omit<VerifyResult, 'unknownHere' | 'accepted'>> {
  const { db, isOwn, identity, logMax = LOG_GROWTH_MAX } = parts;
  const sql = prepareOnce(db);
  const walk = { sql, routes: new Routes(sql), breathe: isOwn ? besideLog(identity.path, logMax) : breathe };
  const problems: string[] = [];
  let count = 0;
  const found = (problem: string) => {
    count += 1;
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  const result = { batches: 0, entries: 0, head: '' };
  try {
    if (batch === undefined) checkPages(db, found);
    verifyIdentity(db, identity, found);
    await walk.breathe();
    const { entries, head } = await verifyChains(walk, batch, found);
    const batches = verifyFacts(sql, batch, found);
    Object.assign(result, { entries, head, batches });
    await verifyPayouts(walk, batch, found);
    await verifyDigests(db, batch, found);
  } catch (error) {
    if (isBusy(error) || (error instanceof LedgerError && error.code === 'ledger_busy')) throw error;
    found(`the ledger cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (count > PROBLEMS_MAX) problems.push(`… and ${count - PROBLEMS_MAX} more`);
  return { ...result, problems };
}

/** A turn for everything else, and a look at the log. */
function besideLog(path: string, logMax: number): Walk['breathe'] {
  const sizeNow = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const first = sizeNow();
  return async () => {
    await breathe();
    if (sizeNow() - first > logMax) throw logGrown(path);
  };
}

function logGrown(path: string): LedgerError {
  const text =
    `The ledger ${path} was not checked to its end: a run writes to it, and its log grew too much meanwhile. Nothing ` +
    'wrong was found so far. Check it again when the run has ended; or make a backup now, which is checked when it is ' +
    'made: payfile backup -o FILE';
  return new LedgerError('ledger_busy', text);
}

function checkPages(db: DatabaseSync, found: (problem: string) => void): void {
  for (const row of db.prepare('PRAGMA integrity_check(20)').all()) {
    const said = String(Object.values(row)[0]);
    if (said !== 'ok') found(`the file itself: ${said}`);
  }
  for (const row of db.prepare('PRAGMA foreign_key_check').all())
    found(`the file itself: ${JSON.stringify(row, text)}`);
}

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The rows of the current file add up to the digest that was bound. */
async function verifyDigests(
  db: DatabaseSync,
  batch: number | undefined,
  found: (problem: string) => void,
): Promise<void> {
  const fresh = (words: string) => db.prepare(words);
  // While a revision is under way its rows stand between two files; the next revision settles that.
  const open =
    "SELECT id, digest FROM batches WHERE state = 'open' AND json_extract(facts, '$.merging') IS NULL";
  for (const row of fresh(open).all()) {
    if (batch !== undefined && Number(row.id) !== batch) continue;
    const digest = await batchDigest(contentKeysOf(fresh, Number(row.id)));
    if (digest !== row.digest) found(`batch ${row.id}: its rows do not add up to its digest`);
  }
}
