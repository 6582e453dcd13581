/**
 * Turns an error into an exit code, a sentence and the next command.
 *
 * Recognises errors by their stable `code`, without loading their classes. An error without a code is a bug of payfile:
 * exit code 1. Its stack shows only with --log-level debug.
 */

import { type Command, type Flag, helpOn, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { leadOf } from '../domain/reading/question.ts';
import { codeOf, exitCodeOfError, stepsAfterError } from '../domain/reporting/error-codes.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import { type Message, textOf } from '../domain/text/message.ts';
import type { RequestRefused } from '../domain/text/request-refused.ts';
import type { Failure } from '../operations/after-failure.ts';
import { fileCommand } from '../operations/file-commands.ts';
import { askedBlocks, askedJson } from '../operations/question-blocks.ts';
import type { FileHasQuestions } from '../payfile.ts';
import { type Call, commandAsTyped, type PartialCall, placeOf, printSteps, stepsAsTyped } from './call.ts';
import { draw, wordingIn } from './show/blocks.ts';

/** Without a call, commands show as for the installed program. */
const NO_CALL: PartialCall = { flags: {}, context: { env: {} } };

/** Public codes. A wrong batch or row name is a usage error (64). */
const PUBLIC_CODES: Readonly<Record<string, string>> = { batch_not_found: 'usage' };

/** `shownFor`: the call whose flags the commands in the message take. */
export function failureOf(
  error: unknown,
  call: Call | undefined,
  shownFor: PartialCall = call ?? NO_CALL,
): Failure {
  const stopped = call?.stopping.exitCode();
  const code = codeOf(error);
  const exitCode = exitCodeOfError(error);
  if (exitCode !== undefined && code !== undefined) {
    return {
      exitCode,
      code: PUBLIC_CODES[code] ?? code,
      message: messageOf(error, shownFor),
      steps: nextOf(error, code, call),
    };
  }
  if (stopped !== undefined && isStop(error)) {
    const message = 'Stopped. Nothing more was sent.';
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

function messageOf(error: unknown, shownFor: PartialCall): string {
  const said = error instanceof Error && 'said' in error ? (error.said as Message | undefined) : undefined;
  const plain = error instanceof Error ? error.message : String(error);
  const message = said === undefined ? plain : textOf(said.pieces, wordingIn(placeOf(shownFor)));
  const ending = isRefused(error) ? error.ending : undefined;
  return ending === undefined ? message : `${message}: ${commandAsTyped(shownFor, ending)}`;
}

/** The stop of the user ended the work. Any other error after a signal is still a bug. */
function isStop(error: unknown): boolean {
  return error instanceof Error && ['Interrupted', 'AbortError'].includes(error.name);
}

/** A refused request, from the parser or from an operation. */
function isRefused(error: unknown): error is RequestRefused {
  return codeOf(error) === 'usage' && hasSteps(error);
}

/** The error has its own next steps. */
function hasSteps(error: unknown): error is Partial<Pick<RequestRefused, 'next' | 'andThen'>> {
  return error instanceof Error && 'andThen' in error;
}

function nextOf(error: unknown, code: string, call: Call | undefined): NextSteps {
  if (hasSteps(error)) {
    const { next, andThen } = error;
    if (next !== undefined || andThen !== undefined) return nextSteps(next, andThen);
    if (isRefused(error)) return nextSteps(call && helpOn(call.command));
  }
  if (code === 'file_unusable') return nextSteps(undefined, commandWithColumns(error, call));
  if (code === 'file_missing') return nextSteps(commandWithFile(call));
  return stepsAfterError(error);
}

/** The same command with a placeholder for the file. */
function commandWithFile(call: Call | undefined): Command | undefined {
  const verb = readingVerb(call);
  return verb && call && fileCommand({ ...call.flags, file: { fillIn: 'FILE' } }, verb, { isUnsaved: true });
}

/** The same command with placeholders for the columns that payfile did not recognise. */
function commandWithColumns(error: unknown, call: Call | undefined): Command | undefined {
  const verb = readingVerb(call);
  const unmapped = error instanceof Error && 'unmapped' in error ? (error.unmapped as readonly string[]) : [];
  if (verb === undefined || call === undefined || unmapped.length === 0) return undefined;
  const more = unmapped.map(
    (field): Flag =>
      isInNoColumn(field, error)
        ? ['--set', { before: `${field}=`, fillIn: 'TEXT' }]
        : ['--map', { before: `${field}=`, fillIn: 'HEADER' }],
  );
  const [file] = call.args;
  return fileCommand({ ...call.flags, file }, verb, { more, isUnsaved: true });
}

/** No choice of its question is a column. */
function isInNoColumn(field: string, error: unknown): boolean {
  const { questions = [] } = error as Partial<FileHasQuestions>;
  const question = questions.find(({ code }) => code === `no_${field}`);
  return question?.choices.every(({ answers }) => answers.every(({ kind }) => kind !== 'map')) === true;
}

function readingVerb(call: Call | undefined): 'run' | 'plan' | 'check' | undefined {
  const verb = call?.command;
  return verb === 'run' || verb === 'plan' || verb === 'check' ? verb : undefined;
}

/** Prints the failure as text and as JSON. */
export function printFailure(
  error: unknown,
  call: Call | undefined,
  { terminal, context }: Pick<Call, 'terminal' | 'context'>,
  moneySentence = '',
): ExitCode {
  const shownFor = call ?? { flags: {}, context };
  const asked = error instanceof Error && 'questions' in error ? (error as FileHasQuestions) : undefined;
  const failure = failureOf(error, call, shownFor);
  const { code, exitCode } = failure;
  // Keeps a command at the end of a message on its own line.
  const between = moneySentence === '' ? '' : /[.!?…]$/.test(failure.message) ? ' ' : '\n';
  const message = failure.message + between + moneySentence;
  terminal.talk(asked === undefined ? message : leadOf(asked.questions, asked.file));
  if (code === 'bug' && call?.flags.logLevel === 'debug' && error instanceof Error) {
    terminal.talk(String(error.stack));
  }
  if (asked !== undefined)
    for (const block of askedBlocks(asked)) draw(block, placeOf(shownFor), 'talk', terminal);
  const steps = stepsAsTyped(shownFor, failure.steps);
  printSteps(steps, terminal);
  const document = {
    command: call?.command,
    environment: call === undefined ? undefined : call.flags.sandbox === true ? 'sandbox' : 'live',
    exitCode,
    error: { code, message, ...steps },
    ...(asked === undefined ? {} : askedJson(asked, wordingIn(placeOf(shownFor)))),
  };
  terminal.answer(document, { error: { code, message }, steps: failure.steps });
  return exitCode;
}
