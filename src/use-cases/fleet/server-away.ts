/**
 * Errors of the server of ledger and queue, apart from all others.
 */
import { LedgerError, SILENT } from '../../ports/ledger/errors.ts';

/** The server broke off, or cannot be written now; the same work may go on soon. */
export function isServerAway(error: unknown): boolean {
  return error instanceof LedgerError && ['ledger_unreachable', 'ledger_unwritable'].includes(error.code);
}

/** The server gave no answer after the command was stopped. It is asked nothing more. */
export function isSilent(error: unknown): boolean {
  const codeOf = (one: unknown) => (one as { readonly code?: unknown } | undefined)?.code;
  return codeOf(error) === SILENT || codeOf((error as { readonly cause?: unknown }).cause) === SILENT;
}
