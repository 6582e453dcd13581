/**
 * A quote: what the service says one payout will cost and how long it takes.
 *
 * Units:   `rate` is units of destination currency per unit of source currency; `fee` is in the source
 *          currency; `speedSeconds` in seconds. Rate and fee are exact decimal text as the service wrote them.
 * Source:  service interface 2.7; the debit rule is design §7 (amount ÷ rate + fee).
 */
import type { CurrencyCode } from './currency.ts';
import type { Timestamp } from './timestamp.ts';

export interface Quote {
  readonly rate: string;
  readonly fee: string;
  readonly speedSeconds: number;
  /** undefined when the source country is not in our own country table: the debit is then not computed. */
  readonly sourceCurrency: CurrencyCode | undefined;
  readonly quotedAt: Timestamp;
}
