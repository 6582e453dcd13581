/**
 * What all rows of a file show of its columns, as far as a question needs it. Collected in the one pass over the
 * rows, bounded whatever the file holds.
 */
import type { Field } from '../rows/row.ts';

/** At most so many different texts of a column are counted. */
export const MOST_WORDS = 24;

export interface SeenColumn {
  /** Index into the headers. */
  readonly at: number;
  readonly header: string;
  /** What payfile uses the column for; undefined: nothing. */
  readonly field: Field | undefined;
  /** A person said so, now or in a remembered reading. */
  readonly isSaid: boolean;
  /** Rows with text in it. */
  readonly filled: number;
  /** The first different texts as written, at most three. Mask accounts before you show them. */
  readonly examples: readonly string[];
  /** Each different text as written, with the number of rows; undefined: more than MOST_WORDS, or a long text. */
  readonly words: ReadonlyMap<string, number> | undefined;
  /** Rows whose cell can be read as a number. */
  readonly numbers: number;
}

export interface Look {
  /** Rows below the header that may be payments. */
  readonly rows: number;
  readonly columns: readonly SeenColumn[];
  /** Currencies that the rows pay in, by column text: rows of this currency that have this word in column `at`. */
  readonly currencies: ReadonlyMap<string, number>;
  /**
   * For columns that may hold a currency: how often a word stands in a row of each currency. Column index → word →
   * currency of the row → rows.
   */
  readonly besideCurrency: ReadonlyMap<number, ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** `2026-11-27`, in the person's time zone. */
  readonly today: string;
}
