/**
 * Outcomes that a process could not commit and wrote to the emergency file are applied when the ledger is next
 * opened, to payouts whose attempt is still open. What cannot be applied stays as a note for a person; an acceptance
 * of an earlier request is an incident besides, and holds a row that would go out again.
 */
import type { DatabaseSync } from 'node:sqlite';
import { asPayoutId } from '../../domain/instruction.ts';
import type { Payout } from '../../domain/payout.ts';
import { type EventOf, isSameWriter, type PayoutEvent } from '../../domain/payout-event.ts';
import { advance, mayFollow } from '../../domain/payout-machine.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { lastIntent } from './attempts-sql.ts';
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

function applyOne(parts: EmergencyParts, entry: Emergency, at: number): boolean {
  const { event } = entry;
  const payout = parts.payouts.byId(asPayoutId(entry.payoutId));
  if (payout === undefined) return false;
  if (isOfLastAttempt(parts, payout, entry) && moved(parts, payout, event)) return true;
  // The outcome may be known already, or somebody else moved the payout: a person can still see what was written.
  if (isKnownOutcome(payout, event)) return false;
  const body = encodeBody({
    payout: payout.id,
    status: payout.state.status,
    attempt: entry.attempt ?? null,
    event: event.kind,
    body: JSON.parse(encodeEvent(event)),
  });
  parts.batches.note(Number(payout.batchId), 'emergency_not_applied', body, at);
  if (event.kind === 'accept') keepAcceptance(parts, payout, event, at);
  return false;
}

/**
 * Whether the line is about the very request that the payout's intent stands for. An older one says nothing of it: not
 * of an earlier attempt, and not of the same number by another process, as in a ledger that was set back since.
 */
function isOfLastAttempt({ sql }: EmergencyParts, payout: Payout, { attempt, writer }: Emergency): boolean {
  if (attempt === undefined || attempt !== payout.attempts) return false;
  return isSameWriter(writer, lastIntent(sql, payout.id)?.intent.sender);
}

function moved({ sql, chain }: EmergencyParts, payout: Payout, event: PayoutEvent): boolean {
  if (!mayFollow(payout.state, event.kind)) return false;
  if (applyMove(sql, { before: payout, event, after: advance(payout, event) }) !== 1) return false;
  const line = { payout: Number(payout.id), at: event.at, kind: event.kind, body: encodeEvent(event) };
  chain.add(Number(payout.batchId), line);
  return true;
}

/** The service has taken an earlier request of this row: whatever was made of the row since, a person must know. */
function keepAcceptance(
  parts: EmergencyParts,
  payout: Payout,
  { transferId }: EventOf<'accept'>,
  at: number,
): void {
  if (parts.payouts.byTransfer(transferId) !== undefined) return;
  const what = `an earlier request for it was accepted as transfer ${transferId}; the answer was found only now`;
  const body = encodeBody({ payout: payout.id, row: payout.rowNumber, what });
  parts.batches.note(Number(payout.batchId), 'incident', body, at);
  const text = `The service accepted an earlier request for this row as transfer ${transferId}`;
  const pricing = 'pricing' in payout.state ? payout.state.pricing : undefined;
  const reasons = [{ kind: 'duplicate_payment', text }] as const;
  moved(parts, payout, { kind: 'hold', reasons, pricing, at: timestampOf(at) });
}

function isKnownOutcome(payout: Payout, event: PayoutEvent): boolean {
  const { state } = payout;
  if (event.kind === 'accept') return 'transferId' in state && state.transferId === event.transferId;
  if (event.kind === 'doubt') return state.status === 'in_doubt';
  return event.kind === 'refuse' && state.status === 'failed';
}
