/**
 * What may be taken for a batch in all, fees included, per source currency: all runs together. It is compared before each
 * row is sent.
 */
import { debitOf } from '../../domain/money/decimal.ts';
import { type Money, MoneySums } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LiveTerms } from '../../domain/payouts/objection.ts';
import type { Payout, PayoutIn, Status } from '../../domain/payouts/payout.ts';
import type { Ports } from '../ports.ts';

type Sendable = PayoutIn<'approved'> & Payout;

export interface DebitBound {
  /** False: with this row it would be too much. Otherwise its debit is counted. */
  take(payout: Sendable, live: LiveTerms): boolean;
  /** The row was not sent after all. */
  giveBack(payout: Sendable, live: LiveTerms): void;
}

const TAKEN: readonly Status[] = ['sending', 'in_doubt', 'accepted', 'settled'];
const NO_BOUND: DebitBound = { take: () => true, giveBack: () => undefined };

export async function openDebitBound(
  batchId: BatchId,
  max: readonly Money[] | undefined,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<DebitBound> {
  if (max === undefined || max.length === 0) return NO_BOUND;
  const taken = new MoneySums();
  for await (const page of ledger.payouts(batchId, { statuses: TAKEN }))
    for (const { instruction, state } of page) {
      const quote = 'tag' in state ? (state.quoteAtSend ?? state.pricing.quote) : undefined;
      const debit = instruction && quote && debitOf(instruction.amount, quote);
      if (debit !== undefined) taken.add(debit);
    }
  const debitNow = ({ instruction }: Sendable, { quote }: LiveTerms) =>
    quote && debitOf(instruction.amount, quote);
  return {
    take(payout, live) {
      const debit = debitNow(payout, live);
      const most = max.find(({ currency }) => currency === debit?.currency);
      // A cost that is not known, or of a currency without a bound, was not agreed to.
      if (debit === undefined || most === undefined) return false;
      if (taken.of(debit.currency) + debit.minor > most.minor) return false;
      taken.add(debit);
      return true;
    },
    giveBack(payout, live) {
      const debit = debitNow(payout, live);
      if (debit !== undefined) taken.add({ ...debit, minor: -debit.minor });
    },
  };
}
