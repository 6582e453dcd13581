/**
 * What a person has to know of a held row before it is let go on: why it waits as of now, and whether a payment that it may
 * repeat has an outcome that nobody knows.
 */
import { mayBePaidText, reasonAsOfNow, repeatedBy } from '../../domain/payouts/held-now.ts';
import {
  type HoldReason,
  isIn,
  isUnknown,
  type PaymentPointer,
  type Payout,
  type PayoutIn,
} from '../../domain/payouts/payout.ts';
import { equalRowOf } from '../../domain/rows/repeats-in-file.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

type Reading = { readonly ledger: Pick<Ledger, 'payout' | 'findPayouts'> };

/** The same payout; of a held one with its reasons as of now. */
export async function withReasonsNow(payout: Payout, ports: Reading): Promise<Payout> {
  if (!isIn(payout, 'held')) return payout;
  const reasons: HoldReason[] = [];
  for (const reason of payout.state.reasons)
    reasons.push(reasonAsOfNow(reason, (await otherOf(reason, payout, ports))?.state.status));
  return { ...payout, state: { ...payout.state, reasons } };
}

async function otherOf(reason: HoldReason, payout: Payout, { ledger }: Reading): Promise<Payout | undefined> {
  const pointer = repeatedBy(reason);
  if (pointer !== undefined) return ledger.payout(pointer.payoutId);
  const row = equalRowOf(reason);
  if (row === undefined) return undefined;
  // A newer file may have given the number to another row. One that may still be paid is what the reason says.
  const found = await ledger.findPayouts(payout.batchId, String(row));
  return found.find((other) => isEqual(other, payout) && ENDED.includes(other.state.status));
}

const ENDED: readonly string[] = ['canceled', 'failed', 'returned'];

function isEqual({ instruction: one }: Payout, { instruction: other }: Payout): boolean {
  return (
    one !== undefined &&
    one.account.reveal() === other?.account.reveal() &&
    one.amount.minor === other.amount.minor &&
    one.amount.currency === other.amount.currency
  );
}

/** Why a release has to be meant twice; undefined where nothing that the row repeats is in doubt. */
export async function mayBePaidAlready(
  { state }: Pick<PayoutIn<'held'>, 'state'>,
  { ledger }: Reading,
): Promise<string | undefined> {
  const others: PaymentPointer[] = [];
  for (const reason of state.reasons) {
    const pointer = repeatedBy(reason);
    const now = pointer && (await ledger.payout(pointer.payoutId))?.state;
    if (pointer !== undefined && now !== undefined && isUnknown(now))
      others.push({ ...pointer, status: now.status });
  }
  return others.length === 0 ? undefined : mayBePaidText(others);
}
