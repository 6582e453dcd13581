/**
 * An operation is one thing that a user can do. The hosts turn it into a command, a page and a method.
 *
 * `run` calls one use case. `view` and `json` are pure, and show the same facts. Pages draw the result themselves. So
 * an operation without a command has no view.
 */
import { z } from 'zod';
import type { Command, NextSteps } from '../domain/next-steps/command.ts';
import type { Deed } from '../domain/people/person.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import type { Wording } from '../domain/text/message.ts';
import type { Block } from './block.ts';
import type { CallSummary } from './call-summary.ts';
import type { Context } from './context.ts';

/** How the command line reads and describes an input. */
export interface InputSyntax {
  /** One line. A positional word has none. */
  readonly help?: string;
  /** Placeholder of its value, as in `--reason <text>`. None: the flag takes no value. */
  readonly value?: string;
  /** The value of a flag that is typed without one. */
  readonly valueIfBare?: string | true;
  /** A word of the command line, not a flag. */
  readonly isPositional?: true;
  /** Short form of the flag: one letter. */
  readonly letter?: string;
  /**
   * Reads a value from typed text; undefined if the text is not valid. For a list, it returns one member or several. `before`:
   * the value from an earlier use of the same flag.
   */
  readonly read?: (text: string, before?: unknown) => unknown;
  /** A second, different value is an error. */
  readonly isSingleValue?: true;
  /** Completes the error “… is X; expected …”. */
  readonly expected?: string;
}

const INPUT_SYNTAX = z.registry<InputSyntax>();

/** An input of the command line. Copies the schema, because several inputs may share one. */
export function field<Schema extends z.ZodType>(schema: Schema, about: InputSyntax): Schema {
  const own = schema.clone();
  INPUT_SYNTAX.add(own, about);
  return own;
}

export type Input = z.ZodObject;

/** Declared as a method, so that every operation is assignable to `Operation`. */
type DeedsFor<Given> = { of(given: Given): readonly Deed[] }['of'];

export interface Operation<Given extends Input = Input, Result = unknown, Json extends object = object> {
  /** The command, as `all.ts` lists it. */
  readonly name: string;
  readonly needs: readonly Deed[] | DeedsFor<z.output<Given>>;
  readonly input: Given;
  /** It changes data. Pages ask for confirmation first. */
  readonly changesData?: true;
  /** `--quiet` hides its text on success. */
  readonly isQuietOnSuccess?: true;
  run(given: z.output<Given>, context: Context): Promise<Result>;
  /** What the command line shows. */
  view?(result: Result): readonly Block[];
  /** `wording`: how the host prints commands inside values. */
  json(result: Result, wording: Wording): Json;
  next?(result: Result): NextSteps;
  exit?(result: Result): ExitCode;
  /** The work continues after the result. The command line waits until the user stops it. */
  keepsRunning?(result: Result): boolean;
  /** The result if the settings cannot be read. Without it, that is an error. */
  withoutSettings?(fault: Error, environment: 'live' | 'sandbox'): Result;
  /** Summary for monitors and short mails. Default: the batch of the JSON. */
  summarize?(result: Result, wording: Wording): CallSummary;
  /**
   * The command that repeats the request. Set it for work that moves money or looks up payments. After an error the
   * host then reports the state of the money.
   */
  again?(given: z.input<Given>): Command;
}

/** The input that a host passes to an operation. */
export type InputOf<Of extends Pick<Operation, 'input'>> = z.input<Of['input']>;

export function operation<Given extends Input, Result, Json extends object>(
  declared: Operation<Given, Result, Json>,
): Operation<Given, Result, Json> {
  return declared;
}

/** The part of an operation that describes its command. */
export type DeclaredCommand = Pick<Operation, 'name' | 'input'>;

export function exitCodeOf<Result>(done: Pick<Operation<Input, Result>, 'exit'>, result: Result): ExitCode {
  return done.exit?.(result) ?? EXIT.done;
}

/** An input, as a host reads it. */
export interface InputField extends InputSyntax {
  readonly name: string;
  /** Only pages and programs set it. */
  readonly isHidden: boolean;
  readonly kind: 'text' | 'list' | 'choice';
  readonly isNeeded: boolean;
}

export function fieldsOf({ input }: Pick<DeclaredCommand, 'input'>): readonly InputField[] {
  return Object.entries(input.shape).map(([name, schema]) => {
    const inside = unwrapped(schema);
    const kind = inside instanceof z.ZodBoolean ? 'choice' : inside instanceof z.ZodArray ? 'list' : 'text';
    const about = INPUT_SYNTAX.get(schema as z.ZodType);
    const isNeeded = !(schema as z.ZodType).safeParse(undefined).success;
    return { ...about, name, kind, isNeeded, isHidden: about === undefined };
  });
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap())
    : schema;
}
