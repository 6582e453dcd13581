/** Blocks describe how a result looks. Each host draws them. */
import type { Step } from '../domain/next-steps/command.ts';
import type { Message, Piece } from '../domain/text/message.ts';

export type Tone = 'good' | 'doubt' | 'bad' | 'strong' | 'quiet';

export interface Line {
  readonly kind: 'line';
  readonly pieces: readonly Piece[];
  readonly tone?: Tone;
  /** Needs no action. A quiet host leaves it out. */
  readonly isExpected?: true;
  /** Not part of the result. The terminal prints it on stderr. */
  readonly isAside?: true;
  /** A quiet call shows it too. */
  readonly isAlways?: true;
}

export interface Column {
  readonly title: string;
  readonly isNumber?: true;
}

export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Piece | readonly Piece[])[])[];
}

/** Marks the result as sandbox or live. */
export interface EnvironmentBlock {
  readonly kind: 'environment';
  readonly environment: 'live' | 'sandbox';
}

export interface List {
  readonly kind: 'list';
  readonly lines: readonly (readonly Piece[])[];
}

/** Names with their values. */
export interface Facts {
  readonly kind: 'facts';
  readonly label?: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** The user's next steps, each with its command. The terminal prints them on stderr. */
export interface StepsBlock {
  readonly kind: 'steps';
  readonly steps: readonly Step[];
}

export type Block = Line | Table | EnvironmentBlock | List | Facts | StepsBlock;

export const line = (...pieces: readonly Piece[]): Line => ({ kind: 'line', pieces });
export const toned = (tone: Tone, ...pieces: readonly Piece[]): Line => ({ kind: 'line', pieces, tone });
export const aside = (...pieces: readonly Piece[]): Line => ({ kind: 'line', pieces, isAside: true });
export const asideOf = ({ pieces }: Message): Line => aside(...pieces);

/** An empty line between blocks. */
export const BLANK = line();

/** A column of numbers. */
export const number = (title: string): Column => ({ title, isNumber: true });
/** A title without `number` heads a column of text. */
export function table(titles: readonly (string | Column)[], rows: Table['rows']): Table {
  const columns = titles.map((column) => (typeof column === 'string' ? { title: column } : column));
  return { kind: 'table', columns, rows };
}

/** `Look at the fee: payfile release …; otherwise: payfile cancel …` as one sentence. */
export const stepPieces = (steps: readonly Step[]): readonly Piece[] =>
  steps.flatMap(({ text, command, note }, at) => [
    at === 0 ? text : `; ${text}`,
    ...(command === undefined ? [] : [': ', command, note === undefined ? '' : ` (${note})`]),
  ]);

/** Joins the texts that are present. */
export const joinTexts = (texts: readonly (string | false | undefined)[], between = ' '): string =>
  texts.filter((text) => text !== undefined && text !== false && text !== '').join(between);

/** The blocks for a value; none if it is absent. */
export const when = <Value>(
  value: Value | undefined | false,
  blocks: (value: Value) => readonly Block[],
): readonly Block[] => (value === undefined || value === false ? [] : blocks(value));
