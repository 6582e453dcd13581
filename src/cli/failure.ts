/**
 * What went wrong, for the person: an exit code, a whole sentence, and the next command to type.
 *
 * Errors are known by their stable `code`, so that nothing has to be loaded to recognise them. An error
 * without one is a bug of ours: exit code 1, its stack only at --log-level debug.
 */

import type { Batch } from '../domain/batches/batch.ts';
import { stepsAfterError } from '../domain/next-steps/after-error.ts';
import { type Command, type Flag, helpOn, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { codeOf, exitCodeOfError } from '../domain/reporting/error-codes.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import { type Message, textOf } from '../domain/text/message.ts';
import { counted, rowsText } from '../domain/text/printable.ts';
import type { AfterFailure, MoneySent } from '../payfile.ts';
import {
  type Call,
  type Opened,
  placeOf,
  type Typist,
  tellSteps,
  typed,
  typedSteps,
  type UsageError,
} from './call.ts';
import { fileCommand } from './parse/file-flags.ts';
import { showEnded } from './show/batch.ts';
import { wordingIn } from './show/blocks.ts';

export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly steps: NextSteps;
}

/** Where no call is known, a command is shown as the installed program takes it. */
const NOBODY: Typist = { flags: {}, context: { env: {} } };

/** A batch or row that was named wrong is a usage error (64). */
const SAID_AS: Readonly<Record<string, string>> = { batch_not_found: 'usage' };

export function failureOf(error: unknown, call: Call | undefined, by: Typist = call ?? NOBODY): Failure {
  const stopped = call?.stopping.exitCode();
  const code = codeOf(error);
  const exitCode = exitCodeOfError(error);
  if (exitCode !== undefined && code !== undefined) {
    return {
      exitCode,
      code: SAID_AS[code] ?? code,
      message: messageOf(error, by),
      steps: nextOf(error, code, call),
    };
  }
  if (stopped !== undefined && isStop(error)) {
    const message = 'Stopped before anything more was sent.';
    return { exitCode: stopped, code: 'interrupted', message, steps: {} };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    exitCode: EXIT.bug,
    code: 'bug',
    message: `This is a bug of payfile: ${message}`,
    steps: {},
  };
}

function messageOf(error: unknown, by: Typist): string {
  const said = error instanceof Error && 'said' in error ? (error.said as Message | undefined) : undefined;
  const plain = error instanceof Error ? error.message : String(error);
  const message = said === undefined ? plain : textOf(said.pieces, wordingIn(placeOf(by)));
  const ending = isRefused(error) ? error.ending : undefined;
  return ending === undefined ? message : `${message}: ${typed(by, ending)}`;
}

/** Work that a stop ended; any other error after a signal is still a bug. */
function isStop(error: unknown): boolean {
  return error instanceof Error && ['Interrupted', 'AbortError'].includes(error.name);
}

/** A request that cannot be meant, whether the words or the work found that out. */
function isRefused(error: unknown): error is UsageError & { readonly ending?: Command } {
  return codeOf(error) === 'usage' && namesSteps(error);
}

/** An error that says itself what to do. */
function namesSteps(error: unknown): error is Partial<Pick<UsageError, 'next' | 'andThen'>> {
  return error instanceof Error && 'andThen' in error;
}

function nextOf(error: unknown, code: string, call: Call | undefined): NextSteps {
  if (namesSteps(error)) {
    const { next, andThen } = error;
    if (next !== undefined || andThen !== undefined) return nextSteps(next, andThen);
    if (isRefused(error)) return nextSteps(call && helpOn(call.command));
  }
  if (code === 'file_unusable') return nextSteps(undefined, sameWithColumns(error, call));
  if (code === 'file_missing') return nextSteps(sameWithFile(call));
  return stepsAfterError(error);
}

/** The same call once more, with the place of the file to be filled in. */
function sameWithFile(call: Call | undefined): Command | undefined {
  const verb = readingVerb(call);
  return verb && call && fileCommand({ flags: call.flags, args: [{ fillIn: 'FILE' }] }, verb);
}

/** – with the headers of columns that no word of ours names. */
function sameWithColumns(error: unknown, call: Call | undefined): Command | undefined {
  const verb = readingVerb(call);
  const unmapped = error instanceof Error && 'unmapped' in error ? (error.unmapped as readonly string[]) : [];
  if (verb === undefined || call === undefined || unmapped.length === 0) return undefined;
  const more = unmapped.map((field): Flag => ['--map', { before: `${field}=`, fillIn: 'HEADER' }]);
  return fileCommand(call, verb, { more });
}

function readingVerb(call: Call | undefined): 'run' | 'plan' | 'check' | undefined {
  const verb = call?.command;
  return verb === 'run' || verb === 'plan' || verb === 'check' ? verb : undefined;
}

/** What went wrong, said to the person and to programs. */
export function tellFailure(
  error: unknown,
  call: Call | undefined,
  { terminal, context }: Pick<Call, 'terminal' | 'context'>,
  money = '',
): ExitCode {
  const by = call ?? { flags: {}, context };
  const failure = failureOf(error, call, by);
  const { code, exitCode } = failure;
  // A command at the end of a message stays as it can be typed.
  const between = money === '' ? '' : /[.!?…]$/.test(failure.message) ? ' ' : '\n';
  const message = failure.message + between + money;
  terminal.talk(message);
  if (code === 'bug' && call?.flags.logLevel === 'debug' && error instanceof Error) {
    terminal.talk(String(error.stack));
  }
  const steps = typedSteps(by, failure.steps);
  tellSteps(steps, terminal);
  const document = {
    command: call?.command,
    environment: call === undefined ? undefined : call.flags.sandbox === true ? 'sandbox' : 'live',
    exitCode,
    error: { code, message, ...steps },
  };
  terminal.answer(document, { error: { code, message }, steps: failure.steps });
  return exitCode;
}

/**
 * The end of a command that an error stopped while it worked on a batch: first what became of the money, then the error,
 * then what to do next. A short mail has the same order.
 */

export interface Working {
  readonly opened: Opened;
  readonly call: Call;
  /** The same call once more. */
  readonly again: Command;
}

/** Does the work and shows the result. After an error in either, the message says what became of the money. */
export async function endOfWork<Result extends { readonly batch: Batch }>(
  work: () => Promise<Result>,
  show: (result: Result) => ExitCode,
  { opened, call, again }: Working,
): Promise<ExitCode> {
  let worked: Batch | undefined;
  try {
    const result = await work();
    worked = result.batch;
    opened.progress.clear();
    return show(result);
  } catch (error) {
    opened.progress.clear();
    const failure = { ...failureOf(error, call), again, worked };
    const { report: reports, fullAccounts } = call.flags;
    const after = await opened.payfile.endAfterFailure(error, failure, { reports, fullAccounts });
    if (after?.kind !== 'ended') return tellFailure(error, call, call, after && moneyOf(after));
    const { code, message, steps } = failure;
    const sentence = `${moneySentence(after.end.money)} ${message}`;
    const broken = { code, message, steps: typedSteps(call, steps) };
    return showEnded(after.end, { sentence, error: broken }, { opened, call });
  }
}

function moneyOf(after: Exclude<AfterFailure, { kind: 'ended' }>): string {
  switch (after.kind) {
    case 'nothing_sent':
      return 'Nothing was sent.';
    case 'sent_before':
      return moneySentence(after.money);
    case 'untold': {
      const { begun, mayBeMore } = after;
      if (mayBeMore)
        return 'Workers may have sent rows. The ledger says what became of each, and none is sent again by itself.';
      if (begun === 0) return 'This command sent nothing.';
      return `${counted(begun, 'transfer was', 'transfers were')} begun before that; the ledger says what became of ${begun === 1 ? 'it' : 'them'}, and none is begun again by itself.`;
    }
  }
}

/** What the ledger says about a batch's money, whatever the error was. */
function moneySentence({ sent, perhapsSent: unknown, notSent, begun }: MoneySent): string {
  const sentBefore =
    begun === 0
      ? `Commands before it sent ${rowsText(sent)}.`
      : `${counted(sent, 'row was', 'rows were')} sent.`;
  return [
    begun === 0 ? 'This command sent nothing.' : '',
    sent === 0 ? '' : sentBefore,
    unknown === 0
      ? ''
      : `${counted(unknown, 'row', 'rows')} may have been paid: the ledger has no outcome of ${unknown === 1 ? 'it' : 'them'} yet, and does not send ${unknown === 1 ? 'it' : 'them'} again.`,
    notSent === 0 ? '' : `${counted(notSent, 'row was', 'rows were')} not sent.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}
