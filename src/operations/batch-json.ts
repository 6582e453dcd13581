/** What several JSON answers have. */
import type { Batch, BatchOutcome } from '../domain/batches/batch.ts';
import { type ControlTotals, takenJson, totalsJson } from '../domain/reporting/control-totals.ts';
import { unaccountedJson } from '../domain/reporting/currency-totals.ts';
import { formatTimestamp, type Timestamp } from '../domain/timestamp.ts';

/** What is not known is null. */
export const nulls = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null])) as {
    readonly [Name in keyof Values]-?:
      | Exclude<Values[Name], undefined>
      | (undefined extends Values[Name] ? null : never);
  };

export const timeJson = (at: Timestamp | undefined) => (at === undefined ? null : formatTimestamp(at));

export const batchJson = ({ id, name, digest, revision }: Batch) => nulls({ id, name, digest, revision });

interface Summed {
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
}

/** What a batch, or the payments of some days, came to. */
export const summaryJson = ({ outcome, totals }: Summed) => ({
  outcome: outcome.word,
  sentence: outcome.sentence,
  totals: totalsJson(totals),
  ...unaccountedJson(totals),
  staysTaken: takenJson(totals),
  ties: totals.ties,
  parts: totals.parts,
});
