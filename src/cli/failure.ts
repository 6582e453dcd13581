/**
 * What went wrong, for the person: an exit code, a whole sentence, and the next command to type.
 *
 * Errors are known by their stable `code`, so that nothing has to be loaded to recognise them. An error
 * without one is a bug of ours: exit code 1, its stack only at --log-level debug.
 */

import { stepsAfterError } from '../domain/next-steps/after-error.ts';
import { type Command, type Flag, helpOn, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { codeOf, exitCodeOfError } from '../domain/reporting/error-codes.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import { type Message, textOf } from '../domain/text/message.ts';
import type { RequestRefused } from '../domain/text/request-refused.ts';
import type { Failure } from '../operations/after-failure.ts';
import { fileCommand } from '../operations/file-commands.ts';
import { type Call, placeOf, type Typist, tellSteps, typed, typedSteps } from './call.ts';
import { wordingIn } from './show/blocks.ts';

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
function isRefused(error: unknown): error is RequestRefused {
  return codeOf(error) === 'usage' && namesSteps(error);
}

/** An error that says itself what to do. */
function namesSteps(error: unknown): error is Partial<Pick<RequestRefused, 'next' | 'andThen'>> {
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
  return verb && call && fileCommand({ ...call.flags, file: { fillIn: 'FILE' } }, verb);
}

/** – with the headers of columns that no word of ours names. */
function sameWithColumns(error: unknown, call: Call | undefined): Command | undefined {
  const verb = readingVerb(call);
  const unmapped = error instanceof Error && 'unmapped' in error ? (error.unmapped as readonly string[]) : [];
  if (verb === undefined || call === undefined || unmapped.length === 0) return undefined;
  const more = unmapped.map((field): Flag => ['--map', { before: `${field}=`, fillIn: 'HEADER' }]);
  const [file] = call.args;
  return fileCommand({ ...call.flags, file }, verb, { more });
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
