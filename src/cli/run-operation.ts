/** Does an operation that was typed: shows its result as text or JSON, and what to do next. */

import { once } from 'node:events';
import { printable } from '../domain/text/printable.ts';
import { type AnyOperation, exitCodeOf, fieldsOf, type Operation } from '../operations/operation.ts';
import { type Call, placeOf, tellSteps, typedSteps, UsageError } from './call.ts';
import type { Summary } from './monitoring/run-facts.ts';
import { openParts } from './open-parts.ts';
import { type RunCommand, wordsOf } from './parse/command-spec.ts';
import { draw, wordingIn } from './show/blocks.ts';
import { askerFor } from './terminal/questions.ts';

export const runOperation =
  (declared: AnyOperation): RunCommand =>
  async (call) => {
    // The host gives each operation its own results and nothing else.
    const operation = declared as Operation;
    const { verb } = wordsOf(operation);
    const given = givenBy(call, operation);
    const { terminal } = call;
    const result = await resultOf(operation, given, call);
    const place = placeOf(call);
    const exitCode = exitCodeOf(operation, result);
    // The file itself went to standard output.
    if (given['output'] === '-') return exitCode;
    const write = operation.acts === true ? 'result' : 'print';
    for (const block of operation.view(result)) draw(block, place, write, terminal);
    const commands = operation.next?.(result) ?? {};
    const steps = typedSteps(call, commands);
    tellSteps(steps, terminal);
    const json: { readonly batch?: Summary['batch'] } = operation.json(result, wordingIn(place));
    // A quiet call that says much tells what became of its batch in a few lines.
    const summary = json.batch && { batch: json.batch, steps: commands };
    terminal.answer({ command: verb, exitCode, ...json, ...steps }, summary);
    const { signal } = call.stopping;
    if (operation.goesOn?.(result) === true && !signal.aborted) await once(signal, 'abort');
    return exitCode;
  };

async function resultOf(operation: Operation, given: Record<string, unknown>, call: Call): Promise<unknown> {
  try {
    const { payfile, progress } = await openParts(call);
    const { signal } = call.stopping;
    const result = await payfile.call(operation, given, { signal, ask: askerFor(call) });
    progress.clear();
    return result;
  } catch (error) {
    const { withoutSettings } = operation;
    if (withoutSettings === undefined || !(error instanceof Error) || error.name !== 'ConfigError')
      throw error;
    return withoutSettings(error, call.flags.sandbox === true ? 'sandbox' : 'live');
  }
}

/** What was typed, by the names of the inputs. */
function givenBy(
  { args, flags }: Pick<Call, 'args' | 'flags'>,
  operation: AnyOperation,
): Record<string, unknown> {
  const fields = fieldsOf(operation);
  const left = [...args];
  const { verb, action } = wordsOf(operation);
  if (action !== undefined && left.shift() !== action)
    throw new UsageError(`“${printable(args[0] ?? '')}” is no action of ${verb}; expected ${action}.`);
  const typed = fields.map(({ name, kind, isWord }) => {
    if (isWord !== true) return [name, (flags as Readonly<Record<string, unknown>>)[name]];
    return [name, kind === 'list' ? left.splice(0) : left.shift()];
  });
  const given: Record<string, unknown> = Object.fromEntries(typed.filter(([, value]) => value !== undefined));
  // A format without a file is for standard output.
  return given['format'] === undefined ? given : { output: '-', ...given };
}
