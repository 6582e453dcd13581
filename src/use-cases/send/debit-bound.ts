/**
 * The maximum debit of a batch over all runs, fees included, per source currency. payfile checks it before each row.
 */
import { debitOf } from '../../domain/money/decimal.ts';
import { type Money, MoneySums } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LiveTerms } from '../../domain/payouts/objection.ts';
import type { Payout, PayoutIn, Status } from '../../domain/payouts/payout.ts';
import { agreedDebit } from '../../domain/plan/plan.ts';
import type { Ports } from '../ports.ts';

type Sendable = PayoutIn<'approved'> & Payout;

const DEBITED: readonly Status[] = ['sending', 'in_doubt', 'accepted', 'settled'];
export type DebitBound = Awaited<ReturnType<typeof openDebitBound>>;

export async function openDebitBound(
  batchId: BatchId,
  max: readonly Money[] = [],
  { ledger }: Pick<Ports, 'ledger'>,
) {
  const isBound = max.length > 0;
  const debited = new MoneySums();
  for await (const page of isBound ? ledger.payouts(batchId, { statuses: DEBITED }) : [])
    for (const payout of page) {
      const debit = agreedDebit(payout);
      if (debit !== undefined) debited.add(debit);
    }
  const debitNow = ({ instruction }: Sendable, { quote }: LiveTerms) =>
    quote && debitOf(instruction.amount, quote);
  return {
    /** Adds the debit of the row. False if it would exceed the bound. */
    add(payout: Sendable, live: LiveTerms): boolean {
      if (!isBound) return true;
      const debit = debitNow(payout, live);
      const most = max.find(({ currency }) => currency === debit?.currency);
      // Nobody agreed to an unknown cost, or to a currency without a bound.
      if (debit === undefined || most === undefined) return false;
      if (debited.of(debit.currency) + debit.minor > most.minor) return false;
      debited.add(debit);
      return true;
    },
    /** Removes the debit of a row that was not sent. */
    remove(payout: Sendable, live: LiveTerms): void {
      const debit = debitNow(payout, live);
      if (isBound && debit !== undefined) debited.add({ ...debit, minor: -debit.minor });
    },
  };
}
