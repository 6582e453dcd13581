/**
 * Whether a look-up shows that a payment is unpaid, so that it may be paid again: the word says so, and either the look-up
 * shows the payment itself, or a person gave evidence.
 */
import type { Payout, PayoutIn } from '../../domain/payouts/payout.ts';
import { meaningOf, unprovenBy } from '../../domain/payouts/service-status.ts';
import type { Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';

type Ended = PayoutIn<'failed' | 'returned'> & Payout;

export async function isStillUnpaid(
  payout: Ended,
  seen: Transaction,
  { ledger, policy }: Pick<Ports, 'ledger' | 'policy'>,
): Promise<boolean> {
  if (!['failed', 'returned'].includes(meaningOf(seen.status, policy))) return false;
  const { instruction, state, batchId, id } = payout;
  const { lookUpFields } = policy;
  if (unprovenBy(instruction, state.pricing, { seen, lookUpFields }).length === 0) return true;
  const given = await ledger.notes(batchId, 'reissue_evidence');
  return given.some(({ body }) => body.payout === id);
}
