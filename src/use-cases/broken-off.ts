/**
 * Work on a batch that broke off: whoever is told of the error can look up whose work it was, and what the journal says
 * of the batch's money.
 */
import type { Batch } from '../domain/batches/batch.ts';

const batches = new WeakMap<Error, Batch>();

/** The error stays what it is. */
export async function onBatch<Result>(batch: Batch, work: () => Promise<Result>): Promise<Result> {
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
