/**
 * Outcomes that a process could not commit and wrote to the emergency file are applied when the ledger is next
 * opened, to payouts whose attempt is still open. What cannot be applied stays as a note for a person.
 */
import type { DatabaseSync } from 'node:sqlite';
import { asPayoutId } from '../../domain/instruction.ts';
import type { Payout } from '../../domain/payout.ts';
import { advance, mayFollow } from '../../domain/payout-machine.ts';
import type { Batches } from './batches-sql.ts';
import type { Emergency, EmergencyFile } from './emergency-file.ts';
import type { ChainDraft } from './event-chain.ts';
import { applyMove } from './moves-sql.ts';
import { encodeBody, encodeEvent } from './payout-codec.ts';
import type { Payouts } from './payouts-sql.ts';
import type { Sql } from './statements.ts';

export interface EmergencyParts {
  readonly db: DatabaseSync;
  readonly sql: Sql;
  readonly chain: ChainDraft;
  readonly payouts: Payouts;
  readonly batches: Batches;
}

/** How many were applied. The file is cleared only after the commit. */
export function applyEmergencies(parts: EmergencyParts, file: EmergencyFile, at: number): number {
  const entries = file.entries();
  if (entries.length === 0) return 0;
  const { db, chain } = parts;
  let applied = 0;
  db.exec('BEGIN IMMEDIATE');
  try {
    chain.begin();
    for (const entry of entries) if (applyOne(parts, entry, at)) applied += 1;
    chain.write();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
  file.clear();
  return applied;
}

function applyOne(
  { sql, chain, payouts, batches }: EmergencyParts,
  { payoutId, event }: Emergency,
  at: number,
): boolean {
  const payout = payouts.byId(asPayoutId(payoutId));
  if (payout === undefined) return false;
  if (isOpenAttempt(payout, event) && mayFollow(payout.state, event.kind)) {
    const result = applyMove(sql, { before: payout, event, after: advance(payout, event) });
    if (result === 1) {
      const line = { payout: Number(payout.id), at: event.at, kind: event.kind, body: encodeEvent(event) };
      chain.add(Number(payout.batchId), line);
      return true;
    }
  }
  // The outcome may be known already, or somebody else moved the payout: a person can still see what was written.
  if (isKnownOutcome(payout, event)) return false;
  const body = encodeBody({
    payout: payout.id,
    status: payout.state.status,
    event: event.kind,
    body: JSON.parse(encodeEvent(event)),
  });
  batches.note(Number(payout.batchId), 'emergency_not_applied', body, at);
  return false;
}

function isOpenAttempt(payout: Payout, event: Emergency['event']): boolean {
  const { status } = payout.state;
  if (status !== 'sending' && status !== 'in_doubt') return false;
  return 'evidence' in event ? event.evidence.attempt === payout.attempts : status === 'sending';
}

function isKnownOutcome(payout: Payout, event: Emergency['event']): boolean {
  const { state } = payout;
  if (event.kind === 'accept') return 'transferId' in state && state.transferId === event.transferId;
  if (event.kind === 'doubt') return state.status === 'in_doubt';
  return event.kind === 'refuse' && state.status === 'failed';
}
