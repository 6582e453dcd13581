/**
 * An operation: one thing that can be done, declared once. The hosts make a command, a page and a method of it.
 *
 * `run` calls one use case. `view` shows what `json` holds and nothing else. Both are pure. Pages draw the result
 * themselves, so an operation without a command has no view.
 */
import { z } from 'zod';
import type { Command, NextSteps } from '../domain/next-steps/command.ts';
import type { Deed } from '../domain/people/person.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import type { Wording } from '../domain/text/message.ts';
import type { Block } from './block.ts';
import type { Context } from './context.ts';
import type { Told } from './told.ts';

/** What the command line says about an input. */
export interface About {
  /** One line. A word has none. */
  readonly help?: string;
  /** What stands for its value: `--reason <text>`. None: it is said or not. */
  readonly value?: string;
  /** On the command line its value may be left out, and is this then. */
  readonly alone?: string | true;
  /** On the command line a word without a flag. */
  readonly isWord?: true;
  /** One letter that is typed in place of its flag. */
  readonly letter?: string;
  /**
   * A value from typed text; undefined: the text is none. Of a list: one member or several. `before`: the value from an
   * earlier use of the same input.
   */
  readonly read?: (text: string, before?: unknown) => unknown;
  /** Two different values are refused. */
  readonly isOnce?: true;
  /** The rest of “… is X; expected”. */
  readonly expected?: string;
}

const ABOUT = z.registry<About>();

/** An input of the command line; others are for pages and programs. A copy, because several may be made of one schema. */
export function field<Schema extends z.ZodType>(schema: Schema, about: About): Schema {
  const own = schema.clone();
  ABOUT.add(own, about);
  return own;
}

export type Input = z.ZodObject;

/** A method, so that each operation is an `Operation`: the host gives each its own input and results. */
type DeedsFor<Given> = { of(given: Given): readonly Deed[] }['of'];

export interface Operation<Given extends Input = Input, Result = unknown, Json extends object = object> {
  /** Its command, as in the list of all operations. */
  readonly name: string;
  readonly needs: readonly Deed[] | DeedsFor<z.output<Given>>;
  readonly input: Given;
  /** It changes something: a page asks before it does it. */
  readonly acts?: true;
  /** Its text says no more than that all is well, if all is well: kept back when quiet. */
  readonly isWork?: true;
  run(given: z.output<Given>, context: Context): Promise<Result>;
  /** What the command line shows. */
  view?(result: Result): readonly Block[];
  /** `wording`: how the host shows a command inside a value. */
  json(result: Result, wording: Wording): Json;
  next?(result: Result): NextSteps;
  exit?(result: Result): ExitCode;
  /** The work goes on behind the result until payfile is closed: the command line waits for its user to stop it. */
  goesOn?(result: Result): boolean;
  /** What it comes to where the settings cannot be read. Without it that is an error. */
  withoutSettings?(fault: Error, environment: 'live' | 'sandbox'): Result;
  /** For monitors and short mails. Else they are told the batch of the JSON. */
  told?(result: Result, wording: Wording): Told;
  /**
   * Of work that moves money or asks what became of it: the same request once more. Monitors are told how the work ended,
   * and after an error people are told what became of the money.
   */
  again?(given: z.input<Given>): Command;
}

/** What a host gives an operation. */
export type InputOf<Of extends Pick<Operation, 'input'>> = z.input<Of['input']>;

export function operation<Given extends Input, Result, Json extends object>(
  declared: Operation<Given, Result, Json>,
): Operation<Given, Result, Json> {
  return declared;
}

/** What a host reads from words. */
export type Declared = Pick<Operation, 'name' | 'input'>;

export function exitCodeOf<Result>(done: Pick<Operation<Input, Result>, 'exit'>, result: Result): ExitCode {
  return done.exit?.(result) ?? EXIT.done;
}

/** An input as a host needs it. */
export interface InputField extends About {
  readonly name: string;
  /** Only for pages and programs. */
  readonly isHidden: boolean;
  readonly kind: 'text' | 'list' | 'choice';
  readonly isNeeded: boolean;
}

export function fieldsOf({ input }: Pick<Declared, 'input'>): readonly InputField[] {
  return Object.entries(input.shape).map(([name, schema]) => {
    const inside = bare(schema);
    const kind = inside instanceof z.ZodBoolean ? 'choice' : inside instanceof z.ZodArray ? 'list' : 'text';
    const about = ABOUT.get(schema as z.ZodType);
    const isNeeded = !(schema as z.ZodType).safeParse(undefined).success;
    return { ...about, name, kind, isNeeded, isHidden: about === undefined };
  });
}

function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? bare(schema.unwrap()) : schema;
}
