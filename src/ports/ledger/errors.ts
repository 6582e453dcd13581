/**
 * What can be wrong with a ledger: its place, its owner, its age, its pages; and with a backup. Exit codes 65, 66, 73,
 * 75 and 78.
 */
import type { LedgerCode } from '../../domain/reporting/error-codes.ts';
import { type Message, SaidError } from '../../domain/text/message.ts';

/** Why a ledger cannot be opened or written. */
export class LedgerError extends SaidError {
  override readonly name = 'LedgerError';
  readonly code: LedgerCode;
  /** Where the ledger is now, when this file was left. */
  readonly movedTo: string | undefined;
  /** The topic of the guide that says what to do. */
  readonly guide: 'server' | undefined;
  constructor(
    code: LedgerCode,
    message: string | Message,
    options?: { readonly cause?: unknown; readonly movedTo?: string; readonly guide?: 'server' },
  ) {
    super(message, options);
    this.code = code;
    this.movedTo = options?.movedTo;
    this.guide = options?.guide;
  }
}

/** The code of a question, or of the cause of an error, to a server that was silent after the process was told to stop. */
export const SILENT = 'silent_after_stop';

/** The server broke off, or cannot be written now; the same work may go on soon. */
export function isServerAway(error: unknown): boolean {
  return error instanceof LedgerError && ['ledger_unreachable', 'ledger_unwritable'].includes(error.code);
}

/** The server gave no answer after the command was stopped. It is asked nothing more. */
export function isSilent(error: unknown): boolean {
  const codeOf = (one: unknown) => (one as { readonly code?: unknown } | undefined)?.code;
  return codeOf(error) === SILENT || codeOf((error as { readonly cause?: unknown }).cause) === SILENT;
}
