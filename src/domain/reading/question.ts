/**
 * A question about a file that only its owner can answer. payfile pays a column only when no other could be meant.
 */

import type { Field } from '../rows/row.ts';
import type { Message } from '../text/message.ts';
import type { Answer } from './answer.ts';
import type { Look } from './look.ts';

export interface Question {
  /** A stable word for machines: `which_amount`. */
  readonly code: string;
  /** What was seen, with both headers and two example values each; accounts masked. */
  readonly text: Message;
  /** The columns that it is about, for machines and pages. */
  readonly headers: readonly string[];
  /** What the person can choose. The flag of each follows from its answers (`answer-flags.ts`). */
  readonly choices: readonly Choice[];
  /** Rows that it is about are issues or held without an answer, so the file can be read without one. */
  readonly isOffer?: boolean;
  /** Fields that one of its choices settles together: no other question is about them in this round. */
  readonly settles?: readonly Field[];
}

export interface Choice {
  /** “Pay “Net Pay””, for a button or a line of a menu. */
  readonly label: Message;
  /** Empty: the person has to change the file. */
  readonly answers: readonly Answer[];
  /** The person types the text of this field, which then is the text of its `set`. */
  readonly asksFor?: Field;
}

/** Looks at a file and asks; nothing where the answer is known (`SeenColumn.isSaid`) or nothing can be meant wrongly. */
export type Asks = (look: Look, said: readonly Answer[]) => readonly Question[];
