/** What several JSON answers have. */
import type { Batch } from '../domain/batches/batch.ts';
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
