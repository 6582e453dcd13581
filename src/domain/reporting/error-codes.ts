/** Errors are known by their stable `code`, so that nothing has to be loaded to recognise them. */
import { type Command, command, guideOn, type NextSteps, nextSteps } from '../next-steps/command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

interface Known {
  readonly exit: ExitCode;
  /** To type next. */
  readonly next?: Command;
  /**
   * What a person decides only after looking, so it is never the next one. A new ledger knows no payment: it would pay a
   * file again that another ledger paid.
   */
  readonly andThen?: Command;
}

const [doctor, status, verify] = [command('doctor'), command('status'), command('verify')];
const CONFIG = { exit: EXIT.config, next: doctor };
const accepting = (flag: string) => ({
  ...{ exit: EXIT.config, next: verify },
  andThen: command('verify', [], [[flag]]),
});

const OF_LEDGERS = {
  ledger_missing: { ...CONFIG, andThen: command('init') },
  ledger_gone: CONFIG,
  ledger_foreign: CONFIG,
  ledger_busy: { exit: EXIT.busy, next: status },
  ledger_damaged: { exit: EXIT.config, next: verify },
  ledger_rolled_back: accepting('--accept-rollback'),
  ledger_unknown: accepting('--accept-ledger'),
  ledger_login_moved: accepting('--accept-auth-url'),
  ledger_moved: { exit: EXIT.config },
  ledger_unsupported: CONFIG,
  ledger_unwritable: CONFIG,
  ledger_unreachable: { exit: EXIT.serviceUnavailable, next: doctor },
  ledger_present: { exit: EXIT.reportUnwritable },
  backup_missing: { exit: EXIT.noFile },
  backup_unusable: { exit: EXIT.badFile },
  backup_unwritable: { exit: EXIT.reportUnwritable },
} satisfies Readonly<Record<string, Known>>;

/** What can be wrong with a ledger or its backup. */
export type LedgerCode = keyof typeof OF_LEDGERS;

const KNOWN: Readonly<Record<string, Known>> = {
  ...OF_LEDGERS,
  usage: { exit: EXIT.usage },
  row_not_found: { exit: EXIT.usage },
  batch_not_found: { exit: EXIT.usage, next: status },
  report_format_unknown: { exit: EXIT.usage },
  sandbox_scenario_unknown: { exit: EXIT.usage },
  file_unusable: { exit: EXIT.badFile },
  file_missing: { exit: EXIT.noFile },
  service_unavailable: { exit: EXIT.serviceUnavailable, next: doctor },
  report_unwritable: { exit: EXIT.reportUnwritable },
  batch_busy: { exit: EXIT.busy, next: status },
  batch_half_read: { exit: EXIT.needsPerson },
  batch_not_named: { exit: EXIT.needsPerson },
  not_allowed: { exit: EXIT.needsPerson },
  credentials_refused: { exit: EXIT.credentials, next: doctor },
  config: CONFIG,
  setting_refused: { exit: EXIT.config, next: command('countries') },
  readings_unusable: { exit: EXIT.config, next: command('status', [], [['--readings']]) },
  service_address_refused: { exit: EXIT.config },
  book_damaged: { exit: EXIT.config },
  book_unwritable: { exit: EXIT.config },
  port_taken: { exit: EXIT.config },
};

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** undefined: the error is a bug. */
export function exitCodeOfError(error: unknown): ExitCode | undefined {
  return KNOWN[codeOf(error) ?? '']?.exit;
}

export function stepsAfterError(error: unknown): NextSteps {
  if (!(error instanceof Error)) return {};
  if ('movedTo' in error && typeof error.movedTo === 'string')
    return nextSteps({ ...status, ledger: error.movedTo });
  if ('guide' in error && typeof error.guide === 'string') return nextSteps(guideOn(error.guide));
  const known = KNOWN[codeOf(error) ?? ''];
  return nextSteps(known?.next, known?.andThen);
}
