/**
 * What went wrong, for the person: an exit code, a whole sentence, and the next command to type.
 *
 * Errors are known by their stable `code`, so that nothing has to be loaded to recognise them. An error
 * without one is a bug of ours: exit code 1, its stack only at --log-level debug.
 */
import { counted } from '../domain/counted.ts';
import { type Call, type Steps, stepsOf, typed } from './call.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { typedForFile } from './file-words.ts';
import { UsageError } from './usage-error.ts';

export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly next: string | undefined;
  readonly andThen: string | undefined;
}

const CODES: Readonly<Record<string, ExitCode>> = {
  usage: EXIT.usage,
  row_not_found: EXIT.usage,
  report_format_unknown: EXIT.usage,
  sandbox_scenario_unknown: EXIT.usage,
  batch_name_taken: EXIT.usage,
  file_unusable: EXIT.badFile,
  file_missing: EXIT.noFile,
  service_unavailable: EXIT.serviceUnavailable,
  report_unwritable: EXIT.reportUnwritable,
  ledger_busy: EXIT.busy,
  book_in_use: EXIT.busy,
  batch_busy: EXIT.busy,
  credentials_refused: EXIT.credentials,
  config: EXIT.config,
  setting_refused: EXIT.config,
  mappings_unusable: EXIT.config,
  service_address_refused: EXIT.config,
  ledger_missing: EXIT.config,
  ledger_gone: EXIT.config,
  ledger_foreign: EXIT.config,
  ledger_damaged: EXIT.config,
  ledger_rolled_back: EXIT.config,
  ledger_unknown: EXIT.config,
  ledger_login_moved: EXIT.config,
  ledger_unsupported: EXIT.config,
  ledger_unwritable: EXIT.config,
  ledger_present: EXIT.reportUnwritable,
  backup_missing: EXIT.noFile,
  backup_unusable: EXIT.badFile,
  backup_unwritable: EXIT.reportUnwritable,
  book_damaged: EXIT.config,
  book_unwritable: EXIT.config,
};

const NEXT: Readonly<Record<string, string>> = {
  config: 'doctor',
  credentials_refused: 'doctor',
  service_unavailable: 'doctor',
  setting_refused: 'countries',
  ledger_missing: 'init',
  ledger_gone: 'doctor',
  ledger_damaged: 'verify',
  ledger_rolled_back: 'verify',
  ledger_unknown: 'verify',
  ledger_login_moved: 'verify',
  ledger_foreign: 'doctor',
  ledger_unwritable: 'doctor',
  ledger_unsupported: 'doctor',
  ledger_busy: 'status',
  batch_busy: 'status',
  mappings_unusable: 'mapping list',
};

/** What a person says only after looking: never ready to be pasted as the next command. */
const THEN: Readonly<Record<string, string>> = {
  ledger_rolled_back: 'verify --accept-rollback',
  ledger_unknown: 'verify --accept-ledger',
  ledger_login_moved: 'verify --accept-auth-url',
};

/** Whoever was about to send is told what became of the money, as far as this command knows. */
export function moneySentence(call: Call | undefined): string | undefined {
  if (call === undefined || (call.command !== 'run' && call.command !== 'send')) return undefined;
  const begun = call.stopping.begun();
  if (begun === 0) return 'Nothing was sent.';
  return `${counted(begun, 'transfer was', 'transfers were')} begun before that; the ledger says what became of ${begun === 1 ? 'it' : 'them'}, and none is begun again by itself.`;
}

/** A mistake in the words or in the file stops everything before it begins, and needs no such sentence. */
export function withMoney({ message, exitCode }: Failure, money: string | undefined): string {
  const isSaid = money === undefined || message.includes(money) || BEFORE_ANYTHING.includes(exitCode);
  if (isSaid) return message;
  // A command at the end of a message stays as it can be typed.
  return `${message}${/[.!?…]$/.test(message) ? ' ' : '\n'}${money}`;
}

const BEFORE_ANYTHING: readonly ExitCode[] = [EXIT.usage, EXIT.badFile, EXIT.noFile, EXIT.busy];

export function failureOf(error: unknown, call: Call | undefined): Failure {
  const stopped = call?.stopping.exitCode();
  const code = codeOf(error);
  const exitCode = code === undefined ? undefined : CODES[code];
  if (exitCode !== undefined && code !== undefined) {
    const message = error instanceof Error ? error.message : String(error);
    return { exitCode, code, message, ...NO_STEPS, ...nextOf(error, code, call) };
  }
  if (stopped !== undefined) {
    const message = 'Stopped before anything more was sent.';
    return { exitCode: stopped, code: 'interrupted', message, ...NO_STEPS };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    exitCode: EXIT.bug,
    code: 'bug',
    message: `This is a bug of payfile: ${message}`,
    ...NO_STEPS,
  };
}

const NO_STEPS = { next: undefined, andThen: undefined } as const;

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function nextOf(error: unknown, code: string, call: Call | undefined): Steps {
  if (error instanceof UsageError) {
    const { next, andThen } = error;
    const isNamed = next !== undefined || andThen !== undefined;
    return isNamed ? stepsOf(next, andThen) : stepsOf(call && `payfile ${call.command} --help`);
  }
  if (code === 'file_missing') return stepsOf(sameWithFile(call));
  const [next, andThen] = [NEXT[code], THEN[code]].map(
    (words) => words && typed(call ?? { flags: {} }, words),
  );
  return next === undefined ? NO_STEPS : stepsOf(next, andThen);
}

/** The same call once more, with the place of the file to be filled in. */
function sameWithFile(call: Call | undefined): string | undefined {
  const { command } = call ?? {};
  if (call === undefined || (command !== 'run' && command !== 'plan' && command !== 'check'))
    return undefined;
  return typedForFile({ ...call, args: ['FILE'] }, command);
}
