/** A batch in every JSON answer. */
import type { Batch } from '../domain/batches/batch.ts';

export const batchJson = ({ id, name, digest, revision }: Batch) => ({
  id,
  name: name ?? null,
  digest: digest ?? null,
  revision,
});
