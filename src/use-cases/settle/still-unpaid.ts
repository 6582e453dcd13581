/**
 * Whether the service still calls a payment unpaid, so that it may be paid again: the word says so, and either the look-up
 * shows the payment itself, or a person gave evidence.
 */
import type { Payout, PayoutIn } from '../../domain/payouts/payout.ts';
import { meaningOf, unprovenBy } from '../../domain/payouts/service-status.ts';
import { echoesOfAccount, withoutEchoes } from '../../domain/text/sensitive.ts';
import type { Asked, Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';

type Ended = PayoutIn<'failed' | 'returned'> & Payout;

/** Why it is not certain, as a sentence with the transfer and what was seen of it; undefined when it is. */
export async function whyUnclear(
  payout: Ended,
  asked: Asked<Transaction>,
  { ledger, policy }: Pick<Ports, 'ledger' | 'policy'>,
): Promise<string | undefined> {
  if (asked.kind !== 'answered') return `The service tells nothing of ${transferIn(payout)}`;
  const { answer: seen } = asked;
  const says = `The service says “${wordIn(payout, seen)}” of ${transferIn(payout)}`;
  if (!['failed', 'returned'].includes(meaningOf(seen.status, policy))) return says;
  const { instruction, state } = payout;
  const { lookUpFields } = policy;
  const unproven = unprovenBy(instruction, state.pricing, { seen, lookUpFields });
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
  return withoutEchoes(status, echoesOfAccount(instruction.account.reveal()));
}
