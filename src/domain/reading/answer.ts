/**
 * One thing that a person said about a file: which column counts, what a word means, which rows stay out.
 *
 * A `Reading` is a list of these, each with who said it and when.
 */

import type { DecimalMark } from '../money/read-amount.ts';
import type { Field } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import type { Timestamp } from '../timestamp.ts';

/** Fields whose words may stand for something else. */
export const WORD_FIELDS = ['institution', 'currency', 'country'] as const;

/** One thing that a person said about a file. `kind` says what. */
export type Answer =
  /** The column `header` holds the field. Several headers: their cells are joined in this order. */
  | { readonly kind: 'map'; readonly field: Field; readonly headers: readonly string[] }
  /** Where the cell of the first column is empty, the next column holds the field: bank account, else mobile number. */
  | { readonly kind: 'first_filled'; readonly field: Field; readonly headers: readonly string[] }
  /** Every row has this text in the field. */
  | { readonly kind: 'set'; readonly field: Field; readonly text: string }
  /** In this field, `written` stands for `means`: an institution's name or id, or a currency code. */
  | {
      readonly kind: 'value';
      readonly field: (typeof WORD_FIELDS)[number];
      readonly written: string;
      readonly means: string;
      /** In rows of this country alone; undefined: in all rows. */
      readonly country?: string | undefined;
    }
  /** Rows with one of these words in the column are not paid. Asked again for each file. */
  | { readonly kind: 'leave_out'; readonly header: string; readonly words: readonly string[] }
  /** This row of the file is not paid. The answer is of one file and is never kept. */
  | { readonly kind: 'leave_out_row'; readonly row: number }
  /** The words of this column do not stop a payment. Asked again for each file. */
  | { readonly kind: 'pay_anyway'; readonly header: string }
  /** The column is not used, whatever it holds. */
  | { readonly kind: 'ignore'; readonly header: string }
  /** An empty cell of these fields means the text above it. */
  | { readonly kind: 'fill_down'; readonly fields: readonly Field[] }
  /** Rows with an amount of zero are no payments. Asked again for each file. */
  | { readonly kind: 'skip_zero' }
  /** Digits of other scripts are read as 0 to 9. */
  | { readonly kind: 'latin_digits' }
  /** Amounts of this column are in thousands (`1000`) or as written (`1`). */
  | { readonly kind: 'scale'; readonly header: string; readonly factor: 1 | 1000 }
  /** The employee number in each name is no part of the name. */
  | { readonly kind: 'names_without_numbers' }
  /** The decimal mark of the amounts. */
  | { readonly kind: 'decimal'; readonly mark: DecimalMark }
  /** Of a text that is no UTF-8. */
  | { readonly kind: 'encoding'; readonly name: string };

/** An answer with who gave it, and when. */
export type Said = Answer & SaidBy;

export interface SaidBy {
  readonly by: string;
  /** The passkey that this person came in with. */
  readonly cameWith?: string | undefined;
  readonly at: Timestamp;
}

/** The answer alone. */
export function withoutPerson<One extends Answer>(said: One & Partial<SaidBy>): One {
  const { by: _, cameWith: _cameWith, at: _at, ...answer } = said;
  return answer as One;
}

/** Of the columns that it names. */
export function headersOf(answer: Answer): readonly string[] {
  if ('headers' in answer) return answer.headers;
  return 'header' in answer ? [answer.header] : [];
}

const ROWS_ALONE: ReadonlySet<Answer['kind']> = new Set<Answer['kind']>([
  ...(['leave_out', 'leave_out_row', 'pay_anyway', 'skip_zero'] as const),
]);

/** Rows that are not paid are a new decision for each file, so these are never applied from memory. */
export function isAskedEachTime({ kind }: Answer): boolean {
  return ROWS_ALONE.has(kind);
}

/** The newer answers, and those of before that say something else. */
export function withNewer<One extends Answer>(before: readonly One[], newer: readonly One[]): readonly One[] {
  const said = new Set(newer.map(subjectOf));
  return [...before.filter((answer) => !said.has(subjectOf(answer))), ...newer];
}

/** Two answers with one subject cannot both count. */
function subjectOf(answer: Answer): string {
  switch (answer.kind) {
    case 'map':
    case 'first_filled':
    case 'set':
      return `field ${answer.field}`;
    case 'value':
      return `value ${answer.field} ${answer.country ?? ''} ${wordKey(answer.written)}`;
    case 'leave_out':
    case 'pay_anyway':
      return `rows ${wordKey(answer.header)}`;
    case 'leave_out_row':
      return `row ${answer.row}`;
    case 'ignore':
    case 'scale':
      return `${answer.kind} ${wordKey(answer.header)}`;
    default:
      return answer.kind;
  }
}

/** Two words are the same to a person if this is equal. */
export function wordKey(written: string): string {
  return foldText(written) || written.trim();
}
