/**
 * What the queue throws when its server is away, told from bugs; and what whoever asks is told then.
 */
import { LedgerError, SILENT } from '../../ports/ledger/errors.ts';
import { BatchBusy } from '../ports.ts';
import { WorkFailed } from './work-json.ts';

/** The server or the way to it; anything else is a bug. */
export function isOfServer(error: unknown): error is Error {
  return error instanceof Error && ('code' in error || /connect|terminat|time(d )?out/i.test(error.message));
}

/** The server broke off, or cannot be written now; the same work may go on soon. */
export function isServerAway(error: unknown): boolean {
  return error instanceof LedgerError && ['ledger_unreachable', 'ledger_unwritable'].includes(error.code);
}

/** The server gave no answer after the command was stopped. It is asked nothing more. */
export function isSilent(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return code === SILENT || (cause as { readonly code?: unknown } | undefined)?.code === SILENT;
}

/** An error of our own stays as it is. */
export function orServerAway(error: unknown): unknown {
  const isOurs = error instanceof LedgerError || error instanceof WorkFailed || error instanceof BatchBusy;
  if (isOurs || !isOfServer(error)) return error;
  const text = `The server of the ledger gave no answer (${error.message}). Workers go on with what they were asked for. When the server answers again, run the same command again.`;
  return new LedgerError('ledger_unreachable', text, { cause: error });
}
