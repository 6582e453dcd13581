/**
 * Turns the result of an attempt into what the breaker needs. Holds a row that the ledger refused, with the payment
 * that is the reason.
 */
import type { SendResult } from '../../domain/payouts/circuit-breaker.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { HoldReason, Payout, PayoutIn } from '../../domain/payouts/payout.ts';
import type { InstitutionId } from '../../domain/rows/directory.ts';
import { reasonOfSameRow } from '../decide/relatives.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import type { AttemptResult } from './send-payout.ts';

/** undefined if there was no request. */
export async function resultOf(
  payout: PayoutIn<'approved'> & Payout,
  sent: Exclude<AttemptResult, { kind: 'objection' }>,
  ports: Ports,
): Promise<SendResult | undefined> {
  const { institutionId } = payout.instruction;
  switch (sent.kind) {
    case 'stale':
      return undefined;
    case 'not_begun':
      return { kind: 'not_sent', reason: sent.reason };
    case 'taken':
      if (sent.by !== undefined) await holdFor(payout, [await reasonOfSameRow(sent.by, ports)], ports);
      return undefined;
    case 'outcome': {
      const { outcome, idSeenBefore } = sent;
      if (idSeenBefore) return { kind: 'id_seen_before' };
      if (outcome.kind === 'turned_away') return { kind: outcome.why };
      const isAboutInstitution = outcome.kind === 'accepted' || outcome.kind === 'refused';
      return isAboutInstitution ? { ...outcome, institutionId } : outcome;
    }
  }
}

/** Hold reason: an earlier request for this row may have been executed. */
export function maybePaidReason(evidence: string): HoldReason {
  return { concern: { kind: 'maybe_paid', evidence }, text: evidence };
}

/** Holds an approved row until a person looks at it. */
export async function holdFor(
  payout: PayoutIn<'approved'> & Payout,
  reasons: readonly HoldReason[],
  ports: Ports,
): Promise<void> {
  const at = ports.clock.now();
  await recordEvent(payout, { kind: 'hold', reasons, pricing: payout.state.pricing, at }, ports);
}

/** Institutions that earlier runs set aside, from the journal. payfile first sends one row of each. */

const NOTE_KIND = 'institution_set_aside';

export async function setAsideInstitutions(
  batchId: BatchId,
  ports: Pick<Ports, 'ledger'>,
): Promise<readonly InstitutionId[]> {
  const notes = await ports.ledger.notes(batchId, NOTE_KIND);
  return notes.map(({ body }) => body.institution);
}

export async function rememberSetAside(
  batchId: BatchId,
  institutions: { readonly now: readonly InstitutionId[]; readonly before: readonly InstitutionId[] },
  ports: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  for (const institution of institutions.now) {
    if (institutions.before.includes(institution)) continue;
    await ports.ledger.note(batchId, NOTE_KIND, { institution }, ports.clock.now());
  }
}
