/**
 * Work on a batch that broke off: whoever is told of the error can look up whose work it was, and what the journal says
 * of the batch's money.
 */
import type { Batch, StatusCounts } from '../domain/batches/batch.ts';

const batches = new WeakMap<Error, Batch>();

/** The error stays what it is. */
export async function rememberBatchOnError<Result>(
  batch: Batch,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) batches.set(error, batch);
    throw error;
  }
}

/** undefined for an error that came before any batch was worked on. */
export function batchOfFailure(error: unknown): Batch | undefined {
  return error instanceof Error ? batches.get(error) : undefined;
}

/** What the journal says of a batch's money, in rows. */
export interface MoneySent {
  readonly sent: number;
  /** No outcome was written down: each may have been paid, and none is sent again by itself. */
  readonly perhapsSent: number;
  /** Agreed to, and still waiting. */
  readonly notSent: number;
}

export function moneySent(counts: StatusCounts): MoneySent {
  const { sending, in_doubt, accepted, settled, failed, returned, approved } = counts;
  const sent = accepted + settled + failed + returned;
  const perhapsSent = sending + in_doubt;
  return { sent, perhapsSent, notSent: approved };
}
