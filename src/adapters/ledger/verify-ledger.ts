/**
 * Verify: the whole proof, in one walk that lets everything else have its turn.
 */
import type { DatabaseSync } from 'node:sqlite';
import { batchDigest } from '../../domain/batch-digest.ts';
import { asBatchId, type BatchId } from '../../domain/instruction.ts';
import type { LedgerIdentity, VerifyResult } from '../../ports/ledger.ts';
import { verifyIdentity } from './open-file.ts';
import type { Sql } from './statements.ts';
import type { Routes } from './stored-payout.ts';
import { verifyChains, verifyFacts } from './verify-chain.ts';
import { verifyPayouts } from './verify-payouts.ts';

const PROBLEMS_MAX = 100;

export interface VerifyParts {
  readonly db: DatabaseSync;
  readonly sql: Sql;
  readonly routes: Routes;
  readonly identity: LedgerIdentity;
  readonly contentKeys: (batchId: BatchId) => AsyncIterable<readonly Uint8Array[]>;
}

export async function verifyLedger(parts: VerifyParts, batch: number | undefined): Promise<VerifyResult> {
  const { db, sql, identity, contentKeys } = parts;
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
    const { entries, head } = await verifyChains(sql, batch, found);
    const batches = verifyFacts(sql, batch, found);
    Object.assign(result, { entries, head, batches });
    await verifyPayouts(parts, batch, found);
    await verifyDigests(sql, { batch, contentKeys }, found);
  } catch (error) {
    found(`the ledger cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (count > PROBLEMS_MAX) problems.push(`… and ${count - PROBLEMS_MAX} more`);
  return { ...result, problems };
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
  sql: Sql,
  { batch, contentKeys }: { batch: number | undefined; contentKeys: VerifyParts['contentKeys'] },
  found: (problem: string) => void,
): Promise<void> {
  // While a revision is under way its rows stand between two files; the next revision settles that.
  const open =
    "SELECT id, digest FROM batches WHERE state = 'open' AND json_extract(facts, '$.merging') IS NULL";
  for (const row of sql(open).all()) {
    if (batch !== undefined && Number(row.id) !== batch) continue;
    const digest = await batchDigest(contentKeys(asBatchId(String(row.id))));
    if (digest !== row.digest) found(`batch ${row.id}: its rows do not add up to its digest`);
  }
}
