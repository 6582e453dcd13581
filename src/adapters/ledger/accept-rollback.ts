/**
 * A person accepts a ledger that is older than this machine remembers: what the newer one sent stands here as unsent, so
 * every batch that could still send is paused, and nothing goes out until a person lifts the pause.
 */
import type { DatabaseSync } from 'node:sqlite';
import { batchStatus, SET_BACK_REASON } from '../../domain/batch.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import { type Batches, LEDGER_CHAIN, noteBody } from './batches-sql.ts';
import type { ChainDraft } from './event-chain.ts';
import type { PayoutSums } from './payout-sums.ts';

export interface RollbackParts {
  readonly db: DatabaseSync;
  readonly chain: ChainDraft;
  readonly batches: Batches;
  readonly sums: PayoutSums;
}

/** In one commit. */
export function acceptRollback(
  { db, chain, batches, sums }: RollbackParts,
  why: string,
  at: Timestamp,
): void {
  const pause = { reason: SET_BACK_REASON, by: 'payfile', at };
  db.exec('BEGIN IMMEDIATE');
  chain.begin();
  chain.add(LEDGER_CHAIN, { payout: null, at, kind: 'rollback_accepted', body: noteBody({ why }) });
  for (const batch of batches.all()) {
    if (batch.isImporting || batchStatus({ ...batch, pause }, sums.counts(batch.id)) !== 'paused') continue;
    batches.change({ id: batches.numberOf(batch.id), at, kind: 'paused', set: { pause } });
  }
  chain.write();
  db.exec('COMMIT');
}
