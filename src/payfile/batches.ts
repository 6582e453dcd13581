/** All batches of the ledger. */
import type { Batch } from '../domain/batches/batch.ts';
import type { Door } from './door.ts';

export interface BatchMethods {
  batches(): Promise<readonly Batch[]>;
}

export const batchMethods = (door: Door): BatchMethods => ({
  batches: async () => (await door.ledger()).batches(),
});
