/**
 * What planning a file came to, as much of it as its page says.
 */
import { batchLabel, knownBatchText, repeatsText } from '../../domain/batches/batch.ts';
import { conflictText } from '../../domain/batches/revision-conflict.ts';
import type { FilePlan } from '../../payfile.ts';

export type PlanMade =
  | { readonly kind: 'planned'; readonly batchId: string }
  /** The service gave no fee for some rows. */
  | { readonly kind: 'unpriced'; readonly batchId: string; readonly rows: number; readonly why: string }
  | { readonly kind: 'invalid_rows'; readonly batchId: string; readonly rows: number }
  /** Nobody said whether it is the same payment or one more. */
  | {
      readonly kind: 'repeats_open';
      readonly batchId: string;
      readonly name: string;
      readonly said: string;
      /** The earlier batch. */
      readonly of: OtherBatch;
    }
  | { readonly kind: 'finished'; readonly batchId: string; readonly label: string; readonly madeAt: number }
  /** It changes rows that were agreed to or sent. */
  | {
      readonly kind: 'refused';
      readonly batchId: string;
      readonly label: string;
      readonly conflicts: readonly string[];
      readonly count: number;
    }
  /** A batch of another name has the same file, and nobody said which of the two it is. */
  | { readonly kind: 'same_file'; readonly said: string; readonly of: OtherBatch }
  /** A batch is called so, and nobody said that the file is a newer version of it. */
  | { readonly kind: 'name_taken'; readonly said: string; readonly of: OtherBatch }
  /** It was not finished: why. */
  | { readonly kind: 'failed'; readonly why: string; readonly isLedgerMissing: boolean };

interface OtherBatch {
  readonly id: string;
  readonly label: string;
}

export function planMade({ end, batch, placed, plan, invalidRows }: FilePlan): PlanMade {
  const { id: batchId } = batch;
  const label = batchLabel(batch);
  switch (end.kind) {
    case 'planned':
      return { kind: 'planned', batchId };
    case 'unpriced': {
      const { unpriced = 0, reason = 'the service gave no usable answer' } = plan?.priced ?? {};
      return { kind: 'unpriced', batchId, rows: unpriced, why: reason };
    }
    case 'invalid_rows':
      return { kind: 'invalid_rows', batchId, rows: plan?.plan.counts.invalid ?? invalidRows.length };
    case 'repeats_open': {
      if (end.question === undefined) return { kind: 'planned', batchId };
      const { repeats } = end.question;
      const of = { id: repeats.of.id, label: batchLabel(repeats.of) };
      return { kind: 'repeats_open', batchId, name: batch.name, said: repeatsText(repeats), of };
    }
    case 'too_early':
      return { kind: 'failed', why: end.reason ?? '', isLedgerMissing: false };
    case 'refused': {
      const { conflicts = [], conflictCount = 0 } = placed.kind === 'refused' ? placed.comparison : {};
      const said = conflicts.map(conflictText);
      return { kind: 'refused', batchId, label, conflicts: said, count: conflictCount };
    }
    case 'same_file': {
      const { batch: other, rows, sums } = end.known;
      const of = { id: other.id, label: batchLabel(other) };
      return { kind: 'same_file', said: knownBatchText(other, rows, sums), of };
    }
    case 'finished':
    case 'canceled':
      return { kind: 'finished', batchId, label, madeAt: batch.createdAt };
  }
}
