/** What payfile must do with files as people have them: expected.json, and what is counted of it. */
import { readFileSync } from 'node:fs';

/** Row, account, amount and currency of a transfer that settled. */
export type Paid = readonly [row: number, account: string, amount: string, currency: string];
/** Row and amount. */
type RowAmount = readonly [row: number, amount: string];
export type FirstAnswer = 'accept' | 'ask' | 'rows' | 'held';

export interface Exact {
  readonly first_check: FirstAnswer | readonly FirstAnswer[];
  readonly must_name?: readonly string[];
  /** One of `must_name` is enough. */
  readonly any_name?: boolean;
  readonly never_says?: readonly string[];
  /** Named by the next answer, after the flags of `never_paid_with`. */
  readonly then_ask?: readonly string[];
  readonly wrong_rows?: readonly number[];
  readonly wrong_rows_at_least?: readonly number[];
  readonly never_eaten_as_header?: boolean;
  /** While nobody named a column or released a row. */
  readonly never_paid?: readonly RowAmount[];
  readonly never_paid_rows?: readonly number[];
  readonly never_paid_with?: { readonly flags: readonly string[]; readonly rows?: readonly RowAmount[] };
  /** While nobody answered anything, no other rows settle. */
  readonly may_pay?: readonly Paid[];
  /** Whom the account belongs to that a row was paid to, if it was. */
  readonly holder_if_settled?: readonly (readonly [row: number, holder: string])[];
  readonly values_if_read?: readonly RowAmount[];
  readonly paid_after?: PaidAfter;
}

export interface PaidAfter {
  readonly flags?: readonly string[];
  /** In words, where there was no flag yet. */
  readonly steps?: string;
  readonly rows?: readonly Paid[];
  readonly rows_if_read?: readonly Paid[];
  readonly row_issue?: readonly number[];
  readonly held?: readonly number[];
  readonly total_agrees?: string;
}

export interface Case {
  readonly n: number;
  readonly file: string;
  readonly expected: string;
  readonly exact: Exact;
}

const EXPECTED = new URL('./expected.json', import.meta.url);

export const CASES: readonly Case[] = JSON.parse(readFileSync(EXPECTED, 'utf8')).cases;
