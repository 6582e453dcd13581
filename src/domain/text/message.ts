/**
 * Messages as data: a code for programs, and pieces of text. A piece may name an input of an operation; each host shows
 * it its own way: `--reason` on the terminal, “Why?” on a page, `reason` in the library.
 */
import { type Command, commandText, type NextSteps, type Steps, stepsIn } from '../next-steps/command.ts';

/** An input of an operation, with a value where one is meant. */
export interface InputName {
  readonly input: string;
  readonly value?: string;
}

export type Piece = string | number | InputName | Command;

export interface Message {
  readonly code: string;
  readonly pieces: readonly Piece[];
}

/** message('reason_missing')`Say why (${input('reason')}).` */
export const message =
  (code: string) =>
  (texts: TemplateStringsArray, ...pieces: readonly (Piece | readonly Piece[])[]): Message => ({
    code,
    pieces: texts.flatMap((text, at) => [text, ...[pieces[at] ?? []].flat()]),
  });

export const input = (name: string, value?: string): InputName =>
  value === undefined ? { input: name } : { input: name, value };

export const isInputName = (piece: Piece): piece is InputName =>
  typeof piece === 'object' && 'input' in piece;

/** How a host shows what is not plain text. */
export interface Wording {
  input(name: InputName): string;
  command(shown: Command): string;
  steps(steps: NextSteps): Steps;
}

/** For programs: an input has the name that it has in the library. */
export const IN_A_PROGRAM: Wording = {
  input: ({ input: name, value }) => (value === undefined ? name : `${name}: ${value}`),
  command: (shown) => commandText(shown, {}),
  steps: (steps) => stepsIn({}, steps),
};

export function textOf(pieces: readonly Piece[], wording: Wording): string {
  return pieces
    .map((piece) => {
      if (typeof piece !== 'object') return String(piece);
      return isInputName(piece) ? wording.input(piece) : wording.command(piece);
    })
    .join('');
}

export const piecesOf = (text: string | Message): readonly Piece[] =>
  typeof text === 'string' ? [text] : text.pieces;

/** What an error says: its class has the code. */
export const said = message('');

/**
 * The base of all errors that payfile documents. `code` stays the same; a message may change. An error of another class is
 * a bug, or comes from the program that calls payfile.
 */
export abstract class PayfileError extends Error {
  abstract readonly code: string;
}

/** The message of an error, which may name inputs. `said`: for a host that names them its own way. */
export abstract class SaidError extends PayfileError {
  readonly said: Message | undefined;
  constructor(text: string | Message, options?: ErrorOptions) {
    super(typeof text === 'string' ? text : textOf(text.pieces, IN_A_PROGRAM), options);
    this.said = typeof text === 'string' ? undefined : text;
  }
}

/** What an error says, for a host that names inputs its own way. */
export function saidBy(error: unknown): string | Message {
  if (error instanceof SaidError && error.said !== undefined) return error.said;
  return error instanceof Error ? error.message : String(error);
}

export const wordedIn = (text: string | Message, wording: Wording) => textOf(piecesOf(text), wording);
