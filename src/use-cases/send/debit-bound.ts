/**
 * What may be taken for a batch in all, fees included, per source currency: all runs together. It is compared before each
 * row is sent.
 */
import { debitOf } from '../../domain/money/decimal.ts';
import type { Money } from '../../domain/money/money.ts';
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
  const taken = new Map<string, bigint>();
  const add = (debit: Money, sign: 1n | -1n) =>
    taken.set(debit.currency, (taken.get(debit.currency) ?? 0n) + sign * debit.minor);
  for await (const page of ledger.payouts(batchId, { statuses: TAKEN }))
    for (const { instruction, state } of page) {
      const quote = 'tag' in state ? (state.quoteAtSend ?? state.pricing.quote) : undefined;
      const debit = instruction && quote && debitOf(instruction.amount, quote);
      if (debit !== undefined) add(debit, 1n);
    }
  const debitNow = ({ instruction }: Sendable, { quote }: LiveTerms) =>
    quote && debitOf(instruction.amount, quote);
  return {
    take(payout, live) {
      const debit = debitNow(payout, live);
      const most = max.find(({ currency }) => currency === debit?.currency);
      // A cost that is not known, or of a currency without a bound, was not agreed to.
      if (debit === undefined || most === undefined) return false;
      if ((taken.get(debit.currency) ?? 0n) + debit.minor > most.minor) return false;
      add(debit, 1n);
      return true;
    },
    giveBack(payout, live) {
      const debit = debitNow(payout, live);
      if (debit !== undefined) add(debit, -1n);
    },
  };
}
