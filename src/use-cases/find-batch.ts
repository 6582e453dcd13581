/**
 * The batch that somebody names: by id, by name, or by the beginning of a name. And what a person is shown of it who has to
 * know it again.
 */

import type { Batch } from '../domain/batches/batch.ts';
import { type Money, MoneySums } from '../domain/money/money.ts';
import { PayfileError } from '../domain/text/message.ts';
import { printable } from '../domain/text/printable.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';

/** The name fits no batch, or more than one. Exit code 64. */
export class BatchNotFound extends PayfileError {
  override readonly name = 'BatchNotFound';
  readonly code = 'batch_not_found';
  /** What the words fit; empty when there is no such batch. */
  readonly candidates: readonly Batch[];
  constructor(message: string, candidates: readonly Batch[]) {
    super(message);
    this.candidates = candidates;
  }
}

const NAMED_MAX = 10;

/** Errors: BatchNotFound. */
export async function findBatch(text: string, ledger: Ledger): Promise<Batch> {
  const found = await ledger.findBatch(text);
  if (found.kind === 'found') return found.batch;
  if (found.kind === 'none')
    throw new BatchNotFound(`The ledger ${ledger.identity.path} has no batch “${printable(text)}”.`, []);
  const { candidates } = found;
  const names = candidates.slice(0, NAMED_MAX).map(({ id, name }) => `${printable(name)} (${id})`);
  const listed = `“${printable(text)}” fits ${candidates.length} batches: ${names.join(', ')}`;
  throw new BatchNotFound(`${listed}. Write more of the name.`, candidates);
}

export interface KnownBatch {
  readonly batch: Batch;
  readonly rows: number;
  /** What its rows pay, per destination currency, whatever became of them. */
  readonly sums: readonly Money[];
}

export async function knownBatch(batch: Batch, ledger: Pick<Ledger, 'totals'>): Promise<KnownBatch> {
  const sums = new MoneySums();
  let rows = 0;
  for (const { currency, count, minor } of await ledger.totals(batch.id)) {
    rows += count;
    if (currency !== undefined) sums.add({ currency, minor });
  }
  return { batch, rows, sums: sums.all() };
}
