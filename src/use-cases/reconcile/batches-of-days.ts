/** The batches with a payment that was sent, settled, failed or came back in these days, oldest first. */
import type { Batch } from '../../domain/batches/batch.ts';
import { endedAtOf, type Payout, sentAtOf } from '../../domain/payouts/payout.ts';
import { type Days, type Period, periodOf } from '../../domain/reporting/period.ts';
import { WallClock } from '../../domain/time-zone.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

export async function batchesOfDays(
  days: Days,
  ledger: Pick<Ledger, 'batches' | 'reportRows' | 'identity'>,
): Promise<readonly Batch[]> {
  const period = periodOf(days, new WallClock(ledger.identity.timeZone));
  const found: Batch[] = [];
  for (const batch of (await ledger.batches()).toReversed())
    if (batch.createdAt < period.endsAt && (await hasPaymentIn(period, batch, ledger))) found.push(batch);
  return found;
}

async function hasPaymentIn(
  { startsAt, endsAt }: Period,
  { id }: Batch,
  ledger: Pick<Ledger, 'reportRows'>,
): Promise<boolean> {
  const isOfDays = ({ state }: Payout) =>
    [sentAtOf(state), endedAtOf(state)].some((at) => at !== undefined && at >= startsAt && at < endsAt);
  for await (const page of ledger.reportRows(id))
    if (page.some(({ payout, replaced }) => [...replaced, payout].some(isOfDays))) return true;
  return false;
}
