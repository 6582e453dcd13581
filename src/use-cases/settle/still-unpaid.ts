/**
 * Whether the service still calls a payment unpaid, so that it may be paid again: the word says so, and either the look-up
 * shows the payment itself, or a person gave evidence.
 */
import type { Payout, PayoutIn } from '../../domain/payouts/payout.ts';
import { meaningOf, strangeIdIn } from '../../domain/payouts/service-status.ts';
import { cleanerOf, unprovenBy } from '../../domain/payouts/shown.ts';
import type { Asked, Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';

type Ended = PayoutIn<'failed' | 'returned'> & Payout;

/** What the service says instead, as a part of a sentence about it; undefined when it still calls the payment unpaid. */
export async function whyUnclear(
  payout: Ended,
  asked: Asked<Transaction>,
  { ledger, policy }: Pick<Ports, 'ledger' | 'policy'>,
): Promise<string | undefined> {
  if (asked.kind !== 'answered') return 'does not show the transfer';
  const { answer: seen } = asked;
  const says = `says “${wordIn(payout, seen)}”`;
  if (!['failed', 'returned'].includes(meaningOf(seen.status, policy))) return says;
  const unproven = [
    ...strangeIdIn(payout, seen, policy),
    ...unprovenBy(payout, { seen, lookUpFields: policy.lookUpFields }),
  ];
  if (unproven.length === 0) return undefined;
  return (await hasEvidence(payout, { ledger })) ? undefined : `${says}, and ${unproven.join(' and ')}`;
}

/** A person said how it is known that nobody was paid. */
export async function hasEvidence(
  { batchId, id }: Pick<Payout, 'batchId' | 'id'>,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<boolean> {
  return (await ledger.notes(batchId, 'reissue_evidence')).some(({ body }) => body.payout === id);
}

/** As part of a sentence about another payment of its row. */
export function transferIn({ state }: Ended): string {
  return `transfer ${state.transferId}, an earlier payment of this row`;
}

/** The word is shown as it is, and a service may repeat the account in it. */
export function wordIn({ instruction }: Pick<Ended, 'instruction'>, { status }: Transaction): string {
  return cleanerOf(instruction)(status);
}
