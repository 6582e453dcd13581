/** JSON parts that several operations share. */
import type { Batch, BatchOutcome } from '../domain/batches/batch.ts';
import { accountsJson } from '../domain/reporting/accounts-over-days.ts';
import { type ControlTotals, takenJson, totalsJson } from '../domain/reporting/control-totals.ts';
import { unaccountedJson } from '../domain/reporting/currency-totals.ts';
import { formatTimestamp, type Timestamp } from '../domain/timestamp.ts';

/** Makes unknown values null. */
export const withNulls = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null])) as {
    readonly [Name in keyof Values]-?:
      | Exclude<Values[Name], undefined>
      | (undefined extends Values[Name] ? null : never);
  };

export const timeJson = (at: Timestamp | undefined) => (at === undefined ? null : formatTimestamp(at));

export const batchJson = ({ id, name, digest, revision }: Batch) => withNulls({ id, name, digest, revision });

interface Totaled {
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
}

/** The totals of a batch, or of all payments in a period. */
export const summaryJson = ({ outcome, totals }: Totaled) => ({
  outcome: outcome.word,
  sentence: outcome.sentence,
  totals: totalsJson(totals),
  ...unaccountedJson(totals),
  /** Of a month, what was booked in it. */
  accounts: totals.accounts && accountsJson(totals.accounts),
  staysTaken: totals.accounts === undefined ? takenJson(totals) : undefined,
  ties: totals.ties,
  parts: totals.parts,
});
