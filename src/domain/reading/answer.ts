/**
 * One thing that a person said about a file: which column counts, what a word means, which rows stay out.
 *
 * A `Reading` is a list of these, each with who said it and when.
 */
import type { Field } from '../rows/row.ts';

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
      readonly field: 'institution' | 'currency' | 'country';
      readonly written: string;
      readonly means: string;
    }
  /** Rows with one of these words in the column are not paid. Asked again for each file. */
  | { readonly kind: 'leave_out'; readonly header: string; readonly words: readonly string[] }
  /** The words of this column do not stop a payment. */
  | { readonly kind: 'pay_anyway'; readonly header: string }
  /** The column is not used, whatever it holds. */
  | { readonly kind: 'ignore'; readonly header: string }
  /** An empty cell of these fields means the text above it. */
  | { readonly kind: 'fill_down'; readonly fields: readonly Field[] }
  /** Rows with an amount of zero are no payments. */
  | { readonly kind: 'skip_zero' }
  /** Digits of other scripts are read as 0 to 9. */
  | { readonly kind: 'latin_digits' }
  /** Amounts of this column are in thousands (`1000`) or as written (`1`). */
  | { readonly kind: 'scale'; readonly header: string; readonly factor: 1 | 1000 }
  /** The employee number in each name is no part of the name. */
  | { readonly kind: 'names_without_numbers' };
