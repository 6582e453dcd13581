/**
 * The last entry of a ledger file that went to a server, and the first that the server's ledger has beyond the file's: the
 * same in both, with the same head. In a file it means: read this, and never work with it again.
 *
 * No version of payfile works with the format number of such a file.
 */
import type { FileIdentity } from '../../../domain/batches/ledger-trust.ts';
import { LedgerError } from '../../../ports/ledger/errors.ts';
import { LEDGER_CHAIN, noteBody } from '../batches/batches.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';

const MOVED = 'moved';
const MOVED_FORMAT = 1_000_000;

export interface Moved {
  readonly at: number;
  /** Where the ledger is now, without a secret. */
  readonly to: string;
  /** Which tables of which server it became. */
  readonly tables: FileIdentity;
  /** Which file it was. */
  readonly from: { readonly path: string; readonly file: FileIdentity };
  readonly by: string;
}

/** The format of a file that was left. */
export function leftFormat(format: number): number {
  return MOVED_FORMAT + format;
}

export function isLeftFormat(format: number): boolean {
  return format >= MOVED_FORMAT;
}

/** For the chain of the whole ledger. */
export function movedLine({ at, ...body }: Moved) {
  return { payout: null, at, kind: MOVED, body: noteBody(body) };
}

/** undefined: it was never moved. */
export function movedOf(sql: Sql): Moved | undefined {
  const select =
    'SELECT at, body FROM journal WHERE batch = ? AND payout IS NULL AND kind = ? ORDER BY seq DESC LIMIT 1';
  const row = sql(select).get(LEDGER_CHAIN, MOVED);
  if (row === undefined) return undefined;
  const { v: _version, ...body } = JSON.parse(String(row.body)) as Omit<Moved, 'at'> & { v: number };
  return { at: numberOf(row.at), ...body };
}

export function movedAway(path: string, moved: Pick<Moved, 'at' | 'to'> | undefined): LedgerError {
  const { at = 0, to = 'a server' } = moved ?? {};
  const text =
    `The ledger ${path} was moved to ${to} on ${new Date(at).toISOString().slice(0, 10)}. The file can be read, and is ` +
    `never worked with again: it does not know what was paid since. Nothing was done. Name the ledger on the server ` +
    'with PAYFILE_LEDGER or --ledger. If it says that the move did not end, type payfile ledger move again.';
  return new LedgerError('ledger_moved', text, { movedTo: to });
}

export function moveNotEnded(path: string): LedgerError {
  const text =
    `There is no ledger at ${path} yet: a move to this place did not end. Nothing was done. Type payfile ledger move ` +
    'again, with the ledger file that is moved; until then that file says whether it is the ledger.';
  return new LedgerError('ledger_moved', text);
}

export function othersAtWork(path: string, holders: string, cause: unknown): LedgerError {
  const text =
    `The ledger ${path} is open in another process, such as a run or a console, and is moved only when nobody works ` +
    `with it.${holders} Nothing was done. Wait until it ends, or end it; then run again.`;
  return new LedgerError('ledger_busy', text, { cause });
}
