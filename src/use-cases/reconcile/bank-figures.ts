/** What comparisons with statements showed of the payments of a batch, and explained. */
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import type { BankFigures } from '../../domain/reporting/payment-costs.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

/** By payment, in the order of the comparisons. */
export async function bankFiguresOf(
  batchId: BatchId,
  ledger: Pick<Ledger, 'notes'>,
): Promise<ReadonlyMap<PayoutId, readonly BankFigures[]>> {
  const compared = (await ledger.notes(batchId, 'statement_compared')).flatMap(({ at, body }) =>
    body.figures.map(({ payout, currency, whole, fee }) => ({
      payout,
      figures: { at, whole: { minor: BigInt(whole), currency }, feeMinor: BigInt(fee) },
    })),
  );
  const byPayout = Map.groupBy(compared, ({ payout }) => payout);
  return new Map([...byPayout].map(([payout, each]) => [payout, each.map(({ figures }) => figures)]));
}
