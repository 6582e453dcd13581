/**
 * A person accepts a ledger that is older than this machine remembers, or that is not known here. (Stands here only until helper
 * A's file of this name does, which also pauses every batch that could still send.)
 */
import type { Commit } from './chain.ts';
import { ownEntry } from './identity.ts';
import { numberOf, q } from './sql.ts';

export interface Accepted {
  readonly kind: 'rollback_accepted' | 'ledger_accepted' | 'rollback_found';
  /** What spoke against it. */
  readonly why: string;
  readonly by: string | undefined;
  /** Where the ledger is: identity.ts. */
  readonly place: string | undefined;
}

const PAYOUTS_PER_MS = 100;

export async function acceptLedger(commit: Commit, accepted: Accepted, at: number): Promise<void> {
  const { kind, ...body } = accepted;
  const used = {
    payout: await skipIds(commit, 'payouts', at * PAYOUTS_PER_MS),
    batch: await skipIds(commit, 'batches', at),
  };
  commit.add(ownEntry(kind, { ...body, used }, at));
}

async function skipIds({ sql }: Commit, name: string, last: number): Promise<number> {
  const row = await sql.get(q`UPDATE counters SET last = CASE WHEN last < CAST(${last} AS bigint)
    THEN CAST(${last} AS bigint) ELSE last END WHERE name = ${name} RETURNING last`);
  return numberOf(row?.['last']);
}
