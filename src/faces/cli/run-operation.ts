/** Does an operation that was typed: shows its result as text or JSON, and what to do next. */
import { type AnyOperation, exitCodeOf, fieldsOf, type Operation } from '../../operations/operation.ts';
import { type Call, placeOf, tellSteps, typedSteps } from './call.ts';
import type { Summary } from './monitoring/run-facts.ts';
import { openParts } from './open-parts.ts';
import type { RunCommand } from './parse/command-spec.ts';
import { draw } from './show/blocks.ts';
import { askerFor } from './terminal/questions.ts';

export const runOperation =
  (declared: AnyOperation): RunCommand =>
  async (call) => {
    // The host gives each operation its own results and nothing else.
    const operation = declared as Operation;
    const { payfile, progress } = await openParts(call);
    const { signal } = call.stopping;
    const result = await payfile.call(operation, givenBy(call, operation), { ask: askerFor(call), signal });
    progress.clear();
    const { terminal } = call;
    const write = operation.acts === true ? 'result' : 'print';
    for (const block of operation.view(result)) draw(block, placeOf(call), write, terminal);
    const commands = operation.next?.(result) ?? {};
    const steps = typedSteps(call, commands);
    tellSteps(steps, terminal);
    const exitCode = exitCodeOf(operation, result);
    const json: { readonly batch?: Summary['batch'] } = operation.json(result);
    // A quiet call that says much tells what became of its batch in a few lines.
    const summary = json.batch && { batch: json.batch, steps: commands };
    terminal.answer({ command: operation.name, exitCode, ...json, ...steps }, summary);
    return exitCode;
  };

/** What was typed, by the names of the inputs. */
function givenBy(
  { args, flags }: Pick<Call, 'args' | 'flags'>,
  operation: AnyOperation,
): Record<string, unknown> {
  const fields = fieldsOf(operation);
  const left = [...args];
  const typed = fields.map(({ name, kind, isWord }) => {
    if (isWord !== true) return [name, (flags as Readonly<Record<string, unknown>>)[name]];
    return [name, kind === 'list' ? left.splice(0) : left.shift()];
  });
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined));
}
