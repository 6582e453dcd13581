/** Errors are known by their stable `code`, so that nothing has to be loaded to recognise them. */
import { EXIT, type ExitCode } from './exit-code.ts';

const CODES: Readonly<Record<string, ExitCode>> = {
  usage: EXIT.usage,
  row_not_found: EXIT.usage,
  batch_not_found: EXIT.usage,
  report_format_unknown: EXIT.usage,
  sandbox_scenario_unknown: EXIT.usage,
  file_unusable: EXIT.badFile,
  file_missing: EXIT.noFile,
  service_unavailable: EXIT.serviceUnavailable,
  report_unwritable: EXIT.reportUnwritable,
  ledger_busy: EXIT.busy,
  batch_busy: EXIT.busy,
  batch_half_read: EXIT.needsPerson,
  batch_not_named: EXIT.needsPerson,
  not_allowed: EXIT.needsPerson,
  credentials_refused: EXIT.credentials,
  config: EXIT.config,
  setting_refused: EXIT.config,
  readings_unusable: EXIT.config,
  service_address_refused: EXIT.config,
  ledger_missing: EXIT.config,
  ledger_gone: EXIT.config,
  ledger_foreign: EXIT.config,
  ledger_damaged: EXIT.config,
  ledger_rolled_back: EXIT.config,
  ledger_unknown: EXIT.config,
  ledger_login_moved: EXIT.config,
  ledger_moved: EXIT.config,
  ledger_unsupported: EXIT.config,
  ledger_unwritable: EXIT.config,
  ledger_unreachable: EXIT.serviceUnavailable,
  ledger_present: EXIT.reportUnwritable,
  backup_missing: EXIT.noFile,
  backup_unusable: EXIT.badFile,
  backup_unwritable: EXIT.reportUnwritable,
  book_damaged: EXIT.config,
  book_unwritable: EXIT.config,
  port_taken: EXIT.config,
};

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** undefined: the error is a bug. */
export function exitCodeOfError(error: unknown): ExitCode | undefined {
  return CODES[codeOf(error) ?? ''];
}
