/**
 * Prepared statements, each prepared once per open ledger, and the way from a stored integer to a number.
 */

import { LedgerError } from '../../../ports/ledger/errors.ts';
import type { Database, Statement } from './database.ts';

export interface Sql {
  /** The prepared statement of this text. Never used for `iterate`, which would disturb a second reader. */
  (text: string): Statement;
  readonly addRows?: Database['addRows'];
}

export function prepareOnce(db: Database): Sql {
  const prepared = new Map<string, Statement>();
  const sql = (text: string) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = db.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return Object.assign(sql, { addRows: db.addRows?.bind(db) });
}

/** A stored integer that is a count, an id or an instant: always well inside what a number holds exactly. */
export function numberOf(value: unknown): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`Not a whole number: ${String(value)}`);
  return number;
}

/** For json_each; the list is short. */
export function idList(ids: readonly string[] = []): string {
  return JSON.stringify(ids.map(Number));
}

/** Lets timers, sockets and signals run between two slices of work. */
export function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * What an error of SQLite means here: a constraint that refused one payout, a lock to wait for, or a LedgerError with
 * what to do. The error may come before a batch is read or after every row was paid, so its text does not mention the
 * payments; whoever knows the batch adds what became of them.
 *
 * Source:  SQLite result codes; the low byte is the kind, the rest a detail.
 */

const CONSTRAINT = 19;
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const UNWRITABLE = new Map([
  [3, 'access was denied'],
  [READ_ONLY, 'it is read-only'],
  [10, 'the disk reported an input or output error'],
  [13, 'the disk is full'],
  [14, 'a file of it cannot be opened'],
]);
const DAMAGED = new Set([11, 26]);

export type Unique = 'root' | 'transfer_id' | 'tag';

/** Which unique index refused the write; undefined when the error is something else. */
export function refusedUnique(error: unknown): Unique | undefined {
  if (kindOf(error) !== CONSTRAINT || !(error instanceof Error)) return undefined;
  const found = /payouts\.(living_root|transfer_id|other_id|tag)\b/.exec(error.message)?.[1];
  if (found === 'other_id') return 'transfer_id';
  return found === 'living_root' ? 'root' : (found as Unique | undefined);
}

export function isBusy(error: unknown): boolean {
  const kind = kindOf(error);
  return kind === BUSY || kind === LOCKED;
}

/** After an input or output error nothing is known about what the disk kept: no further write may be tried. */
export function isDiskError(error: unknown): boolean {
  return kindOf(error) === 10;
}

/** True when the whole commit is lost, not only one statement. */
export function isStorageFailure(error: unknown): boolean {
  const kind = kindOf(error);
  return kind !== undefined && kind !== CONSTRAINT;
}

/** The error for the caller: a LedgerError where the storage is at fault, else the error itself. */
export function ledgerErrorOf(error: unknown, path: string): unknown {
  const kind = kindOf(error);
  if (kind === undefined) return error;
  const said = error instanceof Error ? error.message : String(error);
  if ('sqlState' in (error as Error) && kind === READ_ONLY) return notGranted(path, said, error);
  if (isDiskError(error) && 'sqlState' in (error as Error)) return serverGone(path, said, error);
  const unwritable = UNWRITABLE.get(kind);
  if (unwritable !== undefined) {
    const advice = 'Make room or mend the permissions, then run the command again.';
    return new LedgerError(
      'ledger_unwritable',
      `The ledger ${path} cannot be written: ${unwritable}. ${advice}`,
      {
        cause: error,
      },
    );
  }
  if (DAMAGED.has(kind)) return ledgerDamaged(path, said, error);
  if (isBusy(error)) {
    const text = `The ledger ${path} is locked by another process. Wait until it ends, then run again.`;
    return new LedgerError('ledger_busy', text, { cause: error });
  }
  return error;
}

function notGranted(path: string, said: string, cause: unknown): LedgerError {
  const text = `The ledger ${path} cannot be used: ${said}. Have whoever runs the server grant it: payfile help server.`;
  return new LedgerError('ledger_unwritable', text, { cause });
}

function serverGone(path: string, said: string, cause: unknown): LedgerError {
  const text =
    `The server of the ledger ${path} cannot be reached, or broke off: ${said}. What it wrote last is not known here. Check ` +
    'the server, its address, the user and the password. Then run the same command again: it looks up what became of ' +
    'the payments.';
  return new LedgerError('ledger_unwritable', text, { cause });
}

export function replacedWhileOpen(path: string): LedgerError {
  const text =
    `The ledger ${path} was taken away, or another file was put in its place, while payfile worked with it. What is ` +
    'written now would be lost. Put the same file back, with the files that lay beside it, then run the command again. A ' +
    'copy or a backup does not know what was paid last.';
  return new LedgerError('ledger_unwritable', text);
}

export function ledgerDamaged(path: string, what: string, cause?: unknown): LedgerError {
  const text =
    `The ledger ${path} is damaged: ${what}. Keep it. A backup does not know what was paid after it ` +
    'was made: compare every batch since then with a statement of the service before you pay anything.';
  return new LedgerError('ledger_damaged', text, { cause });
}

function kindOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/**
 * A file's rows in slices, so that counting a million rows never stops other work.
 */

const SLICE_ROWS = 20_000;

/** The rows of a batch's current file; `?1` is the batch. */
export const OF_BATCH = 'FROM payouts WHERE batch = ?1 AND position IS NOT NULL';

/** First and last place of each slice, in file order, after a place. Places without rows are skipped. */
export async function* fileSlices(
  sql: Sql,
  batch: number,
  { after = -1, rows = SLICE_ROWS } = {},
): AsyncGenerator<readonly [number, number]> {
  const next = sql(`SELECT min(position) AS next ${OF_BATCH} AND position > ?2`);
  for (let last = after; ; ) {
    const from = next.get(batch, last)?.next;
    if (from === null || from === undefined) return;
    const first = numberOf(from);
    last = first + rows - 1;
    yield [first, last];
    await yieldToEvents();
  }
}
