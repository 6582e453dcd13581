/**
 * What may be taken for a batch in all, fees included, per source currency: all runs together. It is compared before each
 * row is sent.
 */
import { debitOf } from '../../domain/money/decimal.ts';
import { type Money, MoneySums } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LiveTerms } from '../../domain/payouts/objection.ts';
import type { Payout, PayoutIn, Status } from '../../domain/payouts/payout.ts';
import { agreedDebit } from '../../domain/plan/plan.ts';
import type { Ports } from '../ports.ts';

type Sendable = PayoutIn<'approved'> & Payout;

const TAKEN: readonly Status[] = ['sending', 'in_doubt', 'accepted', 'settled'];
export type DebitBound = Awaited<ReturnType<typeof openDebitBound>>;

export async function openDebitBound(
  batchId: BatchId,
  max: readonly Money[] = [],
  { ledger }: Pick<Ports, 'ledger'>,
) {
  const isBound = max.length > 0;
  const taken = new MoneySums();
  for await (const page of isBound ? ledger.payouts(batchId, { statuses: TAKEN }) : [])
    for (const payout of page) {
      const debit = agreedDebit(payout);
      if (debit !== undefined) taken.add(debit);
    }
  const debitNow = ({ instruction }: Sendable, { quote }: LiveTerms) =>
    quote && debitOf(instruction.amount, quote);
  return {
    /** False: with this row it would be too much. Otherwise its debit is counted. */
    take(payout: Sendable, live: LiveTerms): boolean {
      if (!isBound) return true;
      const debit = debitNow(payout, live);
      const most = max.find(({ currency }) => currency === debit?.currency);
      // A cost that is not known, or of a currency without a bound, was not agreed to.
      if (debit === undefined || most === undefined) return false;
      if (taken.of(debit.currency) + debit.minor > most.minor) return false;
      taken.add(debit);
      return true;
    },
    /** The row was not sent after all. */
    giveBack(payout: Sendable, live: LiveTerms): void {
      const debit = debitNow(payout, live);
      if (isBound && debit !== undefined) taken.add({ ...debit, minor: -debit.minor });
    },
  };
}
