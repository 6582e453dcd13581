/**
 * A question about a file that only its owner can answer. payfile pays a column only when no other could be meant.
 */

import type { Directory } from '../rows/directory.ts';
import type { Field } from '../rows/row.ts';
import { type Message, type Piece, said } from '../text/message.ts';
import { counted, printable } from '../text/printable.ts';
import type { Answer } from './answer.ts';
import type { Look } from './look.ts';

export interface Question {
  /** A stable word for machines: `which_amount`. */
  readonly code: string;
  /** What was seen, with both headers and two example values each; accounts masked. */
  readonly text: Message;
  /** How to say a choice that no short list shows. For hosts without menus. */
  readonly furtherBy?: Message;
  /** The columns that it is about, for machines and pages. */
  readonly headers: readonly string[];
  /** What the person can choose. The flag of each follows from its answers (`answer-flags.ts`). */
  readonly choices: readonly Choice[];
  /** Rows that it is about are issues or held without an answer, so the file can be read without one. */
  readonly isOffer?: boolean;
  /** None of its choices is plainly meant, so a person has to move to one. */
  readonly isGuess?: boolean;
  /** Fields that one of its choices settles together: no other question is about them in this round. */
  readonly settles?: readonly Field[];
}

export interface Choice {
  /** “Pay “Net Pay””, for a button or a line of a menu. */
  readonly label: Message;
  /** Empty: the person has to change the file. */
  readonly answers: readonly Answer[];
  /** One of many: a menu lists it, and texts say how to name it. */
  readonly isFurther?: boolean;
  /** The person types the text of this field, which then is the text of its `set`. */
  readonly asksFor?: Field;
}

/** Looks at a file and asks; nothing where the answer is known (`SeenColumn.isSaid`) or nothing can be meant wrongly. */
export type Asks = (look: Look, said: readonly Answer[], directory: Directory) => readonly Question[];

/** For programs, which show no choices: each question behind the other. */
export function questionsText(questions: readonly Question[], file: string): Message {
  const pieces = questions.flatMap((question) => [' ', ...wholeText(question)]);
  return said`${leadOf(questions, file)}${pieces}`;
}

/** For hosts that show no long list of choices. */
export const wholeText = ({ text, furtherBy }: Question): readonly Piece[] =>
  furtherBy === undefined ? text.pieces : [...text.pieces, ' ', ...furtherBy.pieces];

/** `may.csv has 2 questions that only you can answer. Nothing was sent. Choose an answer to each.` */
export const leadOf = (questions: readonly Question[], file: string) =>
  `${printable(file)} has ${counted(questions.length, 'question')} that only you can answer. Nothing was sent. Choose an answer to each.`;

/** The answers of the choice, with what the person typed for it; undefined: nothing was typed that is needed. */
export function withText({ answers, asksFor }: Choice, typed = ''): readonly Answer[] | undefined {
  if (asksFor === undefined) return answers;
  const text = typed.trim();
  return text === ''
    ? undefined
    : answers.map((answer) => (answer.kind === 'set' ? { ...answer, text } : answer));
}
