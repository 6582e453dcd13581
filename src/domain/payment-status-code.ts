/**
 * Our states in the words of ISO 20022 payment status reports (pain.002).
 *
 * A code never says more than is known: a payment in doubt is pending, with our own word and the reason beside
 * it; one that came back is rejected, because in the end the beneficiary does not have the money.
 * Source:  ISO 20022 external code sets, payment transaction status and payment group status.
 */
import type { Status } from './payout.ts';

export type TransactionCode = 'ACSC' | 'ACSP' | 'PDNG' | 'RJCT';
export type GroupCode = TransactionCode | 'PART';

export const TRANSACTION_CODES: Readonly<Record<Status, TransactionCode>> = {
  settled: 'ACSC',
  accepted: 'ACSP',
  in_doubt: 'PDNG',
  sending: 'PDNG',
  failed: 'RJCT',
  returned: 'RJCT',
  canceled: 'RJCT',
  invalid: 'RJCT',
  held: 'PDNG',
  planned: 'PDNG',
  quoted: 'PDNG',
  approved: 'PDNG',
};

/** One word for many: the code that all have, else that they differ. Undefined where there is nothing. */
export function groupCodeOf(codes: readonly TransactionCode[]): GroupCode | undefined {
  const distinct = new Set(codes);
  const [only] = distinct;
  return distinct.size <= 1 ? only : 'PART';
}
