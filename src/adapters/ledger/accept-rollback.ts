/**
 * A person accepts a ledger that is older than this machine remembers, or that is not known here: what another one sent
 * may stand here as unsent, so every batch that could still send is paused, and nothing goes out until a person lifts the
 * pause. And what else a person agrees to of the ledger as a whole: another login address.
 */
import type { DatabaseSync } from 'node:sqlite';
import { batchStatus, SET_BACK_REASON, UNKNOWN_LEDGER_REASON } from '../../domain/batch.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import { type Batches, LEDGER_CHAIN, noteBody } from './batches-sql.ts';
import type { ChainDraft } from './event-chain.ts';
import { BOUND } from './open-file.ts';
import type { PayoutSums } from './payout-sums.ts';

export interface AcceptParts {
  readonly db: DatabaseSync;
  readonly chain: ChainDraft;
  readonly batches: Batches;
  readonly sums: PayoutSums;
}

export interface Accepted {
  readonly kind: 'rollback_accepted' | 'ledger_accepted';
  /** What spoke against it. */
  readonly why: string;
  readonly by: string | undefined;
}

/** In one commit: killed before it, the ledger is refused as before. */
export function acceptLedger(
  { db, chain, batches, sums }: AcceptParts,
  accepted: Accepted,
  at: Timestamp,
): void {
  const { kind, ...body } = accepted;
  const reason = kind === 'rollback_accepted' ? SET_BACK_REASON : UNKNOWN_LEDGER_REASON;
  const pause = { reason, by: 'payfile', at };
  db.exec('BEGIN IMMEDIATE');
  chain.begin();
  chain.add(LEDGER_CHAIN, { payout: null, at, kind, body: noteBody(body) });
  for (const batch of batches.all()) {
    if (batch.isImporting || batchStatus({ ...batch, pause }, sums.counts(batch.id)) !== 'paused') continue;
    batches.change({ id: batches.numberOf(batch.id), at, kind: 'paused', set: { pause } });
  }
  chain.write();
  db.exec('COMMIT');
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
