/**
 * Asks for names and fees of a batch that is in the ledger: after its file was read, or later, after a person let held
 * rows go on, asked to pay some again, or left old quotes waiting. Nothing is sent.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { PeriodAnswer } from '../decide/repeats.ts';
import { doStage } from '../fleet/at-workers.ts';
import { requireSameFile } from '../intake/half-read.ts';
import type { Ports } from '../ports.ts';
import { type Priced, pricePayouts } from './price-payouts.ts';

export interface PricedBatch extends Priced {
  readonly batch: Batch;
}

interface PriceRequest {
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** Somebody said that the batch pays another one's rows for a new period. */
  readonly newPeriod?: PeriodAnswer | undefined;
}

/** Errors: BatchBusy; BatchHalfRead; OtherFileRead. */
export async function priceBatch(
  batch: Batch,
  { holder, signal, newPeriod }: PriceRequest,
  ports: Ports,
): Promise<PricedBatch> {
  const { id } = batch;
  const asked = { holder, signal, request: { newPeriod } };
  return doStage('price', batch, asked, ports, async () => {
    requireSameFile(batch, await ports.ledger.batch(id));
    return { batch, ...(await pricePayouts(id, ports, { signal, newPeriod })) };
  });
}
