/** Runs a typed operation and prints its result as text or JSON, with the next steps. */

import { once } from 'node:events';
import type { Command } from '../domain/next-steps/command.ts';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { CallSummary } from '../operations/call-summary.ts';
import { exitCodeOf, fieldsOf, type Operation } from '../operations/operation.ts';
import { type Call, type OpenedParts, placeOf, printSteps, stepsAsTyped } from './call.ts';
import { failureOf, printFailure } from './failure.ts';
import { openParts } from './open-parts.ts';
import { type RunCommand, wordsOf } from './parse/command-spec.ts';
import { draw, wordingIn } from './show/blocks.ts';
import { askerFor } from './terminal/questions.ts';

export const runOperation =
  (operation: Operation): RunCommand =>
  async (call) => {
    const given = typedValuesOf(call, operation);
    refuseWorkbookOnScreen(given, call, operation);
    try {
      return await runAndShow(operation, given, call);
    } catch (error) {
      const { withoutSettings } = operation;
      if (withoutSettings === undefined || !(error instanceof Error) || error.name !== 'ConfigError')
        throw error;
      const result = withoutSettings(error, call.flags.sandbox === true ? 'sandbox' : 'live');
      return show({ ...operation, given, result }, call);
    }
  };

async function runAndShow(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<ExitCode> {
  const { signal } = call.stopping;
  const opened = await openParts(call);
  let shown: ShownOperation = { ...operation, given, result: undefined };
  const again = operation.again?.(given);
  try {
    shown = {
      ...shown,
      result: await opened.payfile.call(operation, given, { signal, ask: askerFor(call) }),
    };
    opened.progress.clear();
    const exitCode = show(shown, call);
    if (operation.keepsRunning?.(shown.result) === true && !signal.aborted) await once(signal, 'abort');
    return exitCode;
  } catch (error) {
    opened.progress.clear();
    if (again === undefined) throw error;
    return showFailedWork(error, { ...shown, again }, { opened, call });
  }
}

type ShownOperation = Pick<
  Operation,
  'view' | 'json' | 'next' | 'exit' | 'summarize' | 'changesData' | 'isQuietOnSuccess'
> & {
  readonly given: Readonly<Record<string, unknown>>;
  readonly result: unknown;
};

function show(shown: ShownOperation, call: Call): ExitCode {
  const { given, result, changesData, isQuietOnSuccess, view, next, summarize, json } = shown;
  const { terminal } = call;
  const place = placeOf(call);
  const wording = wordingIn(place);
  const exitCode = exitCodeOf(shown, result);
  // The output itself went to standard output.
  if (given['output'] === '-') return exitCode;
  const write = changesData === true || isQuietOnSuccess === true ? 'result' : 'print';
  const blocks = view?.(result) ?? [];
  for (const block of blocks) draw(block, place, write, terminal);
  const commands = next?.(result) ?? {};
  const steps = stepsAsTyped(call, commands);
  // Do not repeat steps that the view lists.
  if (!blocks.some((block) => block.kind === 'steps' && block.steps.length > 0)) printSteps(steps, terminal);
  const document: { readonly batch?: CallSummary['batch'] } = json(result, wording);
  // The summary replaces long output of a quiet call.
  const summary = summarize?.(result, wording) ?? (document.batch && { batch: document.batch });
  terminal.answer(
    { command: call.command, exitCode, ...document, ...steps },
    summary && { ...summary, steps: commands },
  );
  return exitCode;
}

type FailedOperation = ShownOperation & { readonly again: Command };

/** Shows work on a batch that an error stopped. The message states what happened to the money. */
async function showFailedWork(
  error: unknown,
  { again, given, result }: FailedOperation,
  { opened, call }: { readonly opened: OpenedParts; readonly call: Call },
): Promise<ExitCode> {
  const { presentFailedBatch, moneyText, moneyAfterFailure } = await import('../operations/after-failure.ts');
  const said = failureOf(error, call);
  const { batch } = (result ?? {}) as Readonly<Record<string, never>>;
  const { report, fullAccounts } = given as { readonly report?: string[]; readonly fullAccounts?: boolean };
  const asked = { error, failure: { ...said, again, batch }, report, fullAccounts };
  const after = await opened.payfile.call(moneyAfterFailure, asked);
  if (after?.kind !== 'ended') return printFailure(error, call, call, after && moneyText(after));
  return show(
    { ...presentFailedBatch, given, changesData: true, result: { batchEnd: after.end, failure: said } },
    call,
  );
}

/** A workbook is binary. On a terminal it is unreadable, and may change the settings of the terminal. */
function refuseWorkbookOnScreen(
  { output, format }: Readonly<Record<string, unknown>>,
  { context: { stdout } }: Pick<Call, 'context'>,
  { name }: Pick<Operation, 'name'>,
): void {
  if (output !== '-' || stdout.isTTY !== true) return;
  if (format === 'xlsx' || name === 'template')
    throw new RequestRefused('A terminal cannot show a workbook. Write it to a file: -o FILE.xlsx.');
}

/** The typed values by input name. */
function typedValuesOf(
  { args, flags }: Pick<Call, 'args' | 'flags'>,
  operation: Operation,
): Record<string, unknown> {
  const fields = fieldsOf(operation);
  const left = [...args];
  const { verb, action } = wordsOf(operation);
  if (action !== undefined && left.shift() !== action)
    throw new RequestRefused(
      `“${printable(args[0] ?? '')}” is not an action of ${verb}; expected ${action}.`,
    );
  const typed = fields.map(({ name, kind, isPositional }) => {
    if (isPositional !== true) return [name, (flags as Readonly<Record<string, unknown>>)[name]];
    return [name, kind === 'list' ? left.splice(0) : left.shift()];
  });
  const given: Record<string, unknown> = Object.fromEntries(typed.filter(([, value]) => value !== undefined));
  // A format without a file writes to standard output.
  return given['format'] === undefined ? given : { output: '-', ...given };
}
