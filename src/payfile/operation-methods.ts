/** Operations as methods of a program: `payfile.rows.release({ batch: 'may', rows: ['4'], reason: '…' })`. */
import type { z } from 'zod';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import { IN_A_PROGRAM } from '../domain/text/message.ts';
import type { ListedOperation } from '../operations/listed.ts';
import { exitCodeOf, type Operation } from '../operations/operation.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import type { CallOperation } from './call-operation.ts';

/** An operation that needs no input is called without one. */
type GivenTo<Given> =
  Record<never, never> extends Given
    ? [given?: Given, dialogue?: Dialogue]
    : [given: Given, dialogue?: Dialogue];

/** What `--json` answers, with the exit code that the command would have. */
type MethodOf<Each> =
  Each extends ListedOperation<Operation<infer Given, infer _Result, infer Json>>
    ? (...given: GivenTo<z.input<Given>>) => Promise<Json & { readonly exitCode: ExitCode }>
    : never;

export type OperationMethods<Operations> = {
  readonly [Name in keyof Operations]: MethodOf<Operations[Name]>;
};

/** Work that closing waits for. */
export type AsWork = <Result>(
  name: string,
  dialogue: Dialogue,
  work: (stopped: Dialogue) => Promise<Result>,
) => Promise<Result>;

/** `group`: of `payfile.GROUP.METHOD`; errors name the method so. Empty for methods without a group. */
export function methodsOf<Operations extends Readonly<Record<string, ListedOperation>>>(
  operations: Operations,
  { group, asWork, call }: { readonly group: string; readonly asWork: AsWork; readonly call: CallOperation },
): OperationMethods<Operations> {
  const methods = Object.entries(operations).map(([name, listed]) => {
    const calledAs = group === '' ? name : `${group}.${name}`;
    const method = async (given: Record<string, unknown> = {}, dialogue: Dialogue = {}) =>
      asWork(calledAs, dialogue, async (stopped) => {
        const operation = await listed.load();
        const result = await call(operation, given, stopped, calledAs);
        return { ...operation.json(result, IN_A_PROGRAM), exitCode: exitCodeOf(operation, result) };
      });
    return [name, method];
  });
  return Object.fromEntries(methods) as OperationMethods<Operations>;
}
