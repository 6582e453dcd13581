/**
 * The batch that a person names: by id, by name, or by the beginning of either.
 *
 * Errors:  UsageError when no batch, or more than one, is meant.
 */
import type { Batch } from '../domain/batch.ts';
import { printable } from '../domain/printable.ts';
import type { Ledger } from '../ports/ledger.ts';
import { type Call, typed } from './call.ts';
import { UsageError } from './usage-error.ts';

export async function findBatch(text: string, ledger: Ledger, call: Call): Promise<Batch> {
  const found = await ledger.findBatch(text);
  switch (found.kind) {
    case 'found':
      return found.batch;
    case 'none':
      throw new UsageError(
        `The ledger ${ledger.identity.path} has no batch “${printable(text)}”.`,
        typed(call, 'status'),
      );
    case 'ambiguous': {
      const names = found.candidates
        .slice(0, 10)
        .map(({ id, name }) => (name === undefined ? id : `${printable(name)} (${id})`));
      throw new UsageError(
        `“${printable(text)}” fits ${found.candidates.length} batches: ${names.join(', ')}. Write more of it.`,
        typed(call, 'status'),
      );
    }
  }
}
