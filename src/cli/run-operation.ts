/** Does an operation that was typed: shows its result as text or JSON, and what to do next. */

import { once } from 'node:events';
import type { Command } from '../domain/next-steps/command.ts';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { CallSummary } from '../operations/call-summary.ts';
import { exitCodeOf, fieldsOf, type Operation } from '../operations/operation.ts';
import { type Call, type Opened, placeOf, tellSteps, typedSteps } from './call.ts';
import { failureOf, tellFailure } from './failure.ts';
import { openParts } from './open-parts.ts';
import { type RunCommand, wordsOf } from './parse/command-spec.ts';
import { draw, wordingIn } from './show/blocks.ts';
import { askerFor } from './terminal/questions.ts';

export const runOperation =
  (operation: Operation): RunCommand =>
  async (call) => {
    const given = givenBy(call, operation);
    refuseWorkbookOnScreen(given, call, operation);
    try {
      return await done(operation, given, call);
    } catch (error) {
      const { withoutSettings } = operation;
      if (withoutSettings === undefined || !(error instanceof Error) || error.name !== 'ConfigError')
        throw error;
      const result = withoutSettings(error, call.flags.sandbox === true ? 'sandbox' : 'live');
      return show({ ...operation, given, result }, call);
    }
  };

async function done(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<ExitCode> {
  const { signal } = call.stopping;
  const opened = await openParts(call);
  let shown: Shown = { ...operation, given, result: undefined };
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
    return endOfBroken(error, { ...shown, again }, { opened, call });
  }
}

type Shown = Pick<
  Operation,
  'view' | 'json' | 'next' | 'exit' | 'summarize' | 'changesData' | 'isQuietOnSuccess'
> & {
  readonly given: Readonly<Record<string, unknown>>;
  readonly result: unknown;
};

function show(shown: Shown, call: Call): ExitCode {
  const { given, result, changesData, isQuietOnSuccess, view, next, summarize, json } = shown;
  const { terminal } = call;
  const place = placeOf(call);
  const wording = wordingIn(place);
  const exitCode = exitCodeOf(shown, result);
  // The file itself went to standard output.
  if (given['output'] === '-') return exitCode;
  const write = changesData === true || isQuietOnSuccess === true ? 'result' : 'print';
  const blocks = view?.(result) ?? [];
  for (const block of blocks) draw(block, place, write, terminal);
  const commands = next?.(result) ?? {};
  const steps = typedSteps(call, commands);
  // Steps that the view lists are not said twice.
  if (!blocks.some((block) => block.kind === 'steps' && block.steps.length > 0)) tellSteps(steps, terminal);
  const document: { readonly batch?: CallSummary['batch'] } = json(result, wording);
  // A quiet call that says much tells what became of its batch in a few lines.
  const summary = summarize?.(result, wording) ?? (document.batch && { batch: document.batch });
  terminal.answer(
    { command: call.command, exitCode, ...document, ...steps },
    summary && { ...summary, steps: commands },
  );
  return exitCode;
}

type Broken = Shown & { readonly again: Command };

/** Work on a batch that an error stopped: the message says what became of the money. */
async function endOfBroken(
  error: unknown,
  { again, given, result }: Broken,
  { opened, call }: { readonly opened: Opened; readonly call: Call },
): Promise<ExitCode> {
  const { presentFailedBatch, moneyText, moneyAfterFailure } = await import('../operations/after-failure.ts');
  const said = failureOf(error, call);
  const { batch: worked } = (result ?? {}) as Readonly<Record<string, never>>;
  const { report, fullAccounts } = given as { readonly report?: string[]; readonly fullAccounts?: boolean };
  const asked = { error, failure: { ...said, again, worked }, report, fullAccounts };
  const after = await opened.payfile.call(moneyAfterFailure, asked);
  if (after?.kind !== 'ended') return tellFailure(error, call, call, after && moneyText(after));
  return show(
    { ...presentFailedBatch, given, changesData: true, result: { batchEnd: after.end, failure: said } },
    call,
  );
}

/** A terminal shows a workbook as signs that mean nothing, and some of them change how it works. */
function refuseWorkbookOnScreen(
  { output, format }: Readonly<Record<string, unknown>>,
  { context: { stdout } }: Pick<Call, 'context'>,
  { name }: Pick<Operation, 'name'>,
): void {
  if (output !== '-' || stdout.isTTY !== true) return;
  if (format === 'xlsx' || name === 'template')
    throw new RequestRefused('A terminal cannot show a workbook. Write it to a file: -o FILE.xlsx.');
}

/** What was typed, by the names of the inputs. */
function givenBy(
  { args, flags }: Pick<Call, 'args' | 'flags'>,
  operation: Operation,
): Record<string, unknown> {
  const fields = fieldsOf(operation);
  const left = [...args];
  const { verb, action } = wordsOf(operation);
  if (action !== undefined && left.shift() !== action)
    throw new RequestRefused(`“${printable(args[0] ?? '')}” is no action of ${verb}; expected ${action}.`);
  const typed = fields.map(({ name, kind, isPositional }) => {
    if (isPositional !== true) return [name, (flags as Readonly<Record<string, unknown>>)[name]];
    return [name, kind === 'list' ? left.splice(0) : left.shift()];
  });
  const given: Record<string, unknown> = Object.fromEntries(typed.filter(([, value]) => value !== undefined));
  // A format without a file is for standard output.
  return given['format'] === undefined ? given : { output: '-', ...given };
}
