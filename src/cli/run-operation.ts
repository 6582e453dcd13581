/** Does an operation that was typed: shows its result as text or JSON, and what to do next. */

import { printable } from '../domain/text/printable.ts';
import { type AnyOperation, exitCodeOf, fieldsOf, type Operation } from '../operations/operation.ts';
import { type Call, placeOf, tellSteps, typedSteps, UsageError } from './call.ts';
import { refuseSameOutputs } from './check-outputs.ts';
import type { Summary } from './monitoring/run-facts.ts';
import { openParts } from './open-parts.ts';
import { wordsOf } from './operation-command.ts';
import type { RunCommand } from './parse/command-spec.ts';
import { draw, wordingIn } from './show/blocks.ts';
import { askerFor } from './terminal/questions.ts';

export const runOperation =
  (declared: AnyOperation): RunCommand =>
  async (call) => {
    // The host gives each operation its own results and nothing else.
    const operation = declared as Operation;
    const { verb } = wordsOf(operation);
    const given = givenBy(call, operation);
    const opened = await openParts(call);
    const { payfile, progress } = opened;
    await refuseSameOutputs(opened, call);
    const { terminal, stopping } = call;
    const result = await payfile.call(operation, given, { signal: stopping.signal, ask: askerFor(call) });
    progress.clear();
    const place = placeOf(call);
    const exitCode = exitCodeOf(operation, result);
    // The file itself went to standard output.
    if (given['output'] === '-') return exitCode;
    const write = operation.acts === true || operation.isWork === true ? 'result' : 'print';
    const blocks = operation.view(result);
    for (const block of blocks) draw(block, place, write, terminal);
    const commands = operation.next?.(result) ?? {};
    const steps = typedSteps(call, commands);
    // Steps that the view lists are not said twice.
    if (!blocks.some((block) => block.kind === 'steps' && block.steps.length > 0)) tellSteps(steps, terminal);
    const json: { readonly batch?: Summary['batch'] } = operation.json(result, wordingIn(place));
    // A quiet call that says much tells what became of its batch in a few lines.
    const short = operation.short?.(result) ?? (json.batch && { batch: json.batch });
    const summary = short && { ...short, steps: commands };
    terminal.answer({ command: verb, exitCode, ...json, ...steps }, summary);
    return exitCode;
  };

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
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined));
}
