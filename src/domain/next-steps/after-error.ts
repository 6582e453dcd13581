/** The commands to type after an error, by its code. */
import { type Command, command, guideOn, type NextSteps, nextSteps } from './command.ts';

const NEXT: Readonly<Record<string, Command>> = {
  batch_not_found: command('status'),
  config: command('doctor'),
  credentials_refused: command('doctor'),
  service_unavailable: command('doctor'),
  setting_refused: command('countries'),
  ledger_missing: command('doctor'),
  ledger_gone: command('doctor'),
  ledger_damaged: command('verify'),
  ledger_rolled_back: command('verify'),
  ledger_unknown: command('verify'),
  ledger_login_moved: command('verify'),
  ledger_foreign: command('doctor'),
  ledger_unwritable: command('doctor'),
  ledger_unreachable: command('doctor'),
  ledger_unsupported: command('doctor'),
  ledger_busy: command('status'),
  batch_busy: command('status'),
  readings_unusable: command('status', [], [['--readings']]),
};

/**
 * A person decides these only after looking, so they are never the next command. A new ledger knows no payment: it would
 * pay a file again that another ledger paid.
 */
const AND_THEN: Readonly<Record<string, Command>> = {
  ledger_missing: command('init'),
  ledger_rolled_back: command('verify', [], [['--accept-rollback']]),
  ledger_unknown: command('verify', [], [['--accept-ledger']]),
  ledger_login_moved: command('verify', [], [['--accept-auth-url']]),
};

export function stepsAfterError(error: unknown): NextSteps {
  if (!(error instanceof Error)) return {};
  if ('movedTo' in error && typeof error.movedTo === 'string')
    return nextSteps({ ...command('status'), ledger: error.movedTo });
  if ('guide' in error && typeof error.guide === 'string') return nextSteps(guideOn(error.guide));
  const code = 'code' in error ? String(error.code) : '';
  return nextSteps(NEXT[code], AND_THEN[code]);
}
