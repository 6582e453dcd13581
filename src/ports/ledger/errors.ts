/**
 * What can be wrong with a ledger: its place, its owner, its age, its pages; and with a backup. Exit codes 65, 66, 73,
 * 75 and 78.
 */
import { type Message, SaidError } from '../../domain/text/message.ts';

/** Why a ledger cannot be opened or written. */
export class LedgerError extends SaidError {
  override readonly name = 'LedgerError';
  readonly code:
    | 'ledger_missing'
    | 'ledger_gone'
    | 'ledger_foreign'
    | 'ledger_busy'
    | 'ledger_damaged'
    | 'ledger_rolled_back'
    | 'ledger_unknown'
    | 'ledger_login_moved'
    | 'ledger_moved'
    | 'ledger_unsupported'
    | 'ledger_unwritable'
    | 'ledger_unreachable'
    | 'ledger_present'
    | 'backup_missing'
    | 'backup_unusable'
    | 'backup_unwritable';
  /** Where the ledger is now, when this file was left. */
  readonly movedTo: string | undefined;
  /** The topic of the guide that says what to do. */
  readonly guide: 'server' | undefined;
  constructor(
    code: LedgerError['code'],
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
