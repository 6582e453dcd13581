/**
 * Prepared statements, each prepared once per open ledger, and the way from a stored integer to a number.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The prepared statement of this text. Never used for `iterate`, which would disturb a second reader. */
export type Sql = (text: string) => StatementSync;

export function prepareOnce(db: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = db.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}

/** A stored integer that is a count, an id or an instant: always well inside what a number holds exactly. */
export function numberOf(value: unknown): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`Not a whole number: ${String(value)}`);
  return number;
}

/** Lets timers, sockets and signals have their turn between two slices of work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
