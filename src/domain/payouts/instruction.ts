/**
 * An instruction: a validated, unchanging order to pay one row. Paying again is a new instruction that names
 * the one it replaces.
 *
 * Ids are derived, never random: the same row of the same batch in the same ledger has the same id for ever.
 */
import type { Branded } from '../branded.ts';
import type { CurrencyCode } from '../money/currency.ts';
import type { Money } from '../money/money.ts';
import type { CountryId, InstitutionId } from '../rows/directory.ts';
import type { Sensitive } from '../text/sensitive.ts';
import type { Timestamp } from '../timestamp.ts';

export type BatchId = Branded<string, 'BatchId'>;
export type PayoutId = Branded<string, 'PayoutId'>;
export type Tag = Branded<string, 'Tag'>;
export type TransferId = Branded<string, 'TransferId'>;
export type Digest = Branded<string, 'Digest'>;

export interface Instruction {
  /** Where the money comes from; the service's country id. */
  readonly sourceId: CountryId;
  readonly sourceName: string;
  readonly destinationId: CountryId;
  /** Two letters; for phone and account rules, and for display. */
  readonly destinationIso: string;
  readonly destinationName: string;
  readonly institutionId: InstitutionId;
  readonly institutionName: string;
  readonly account: Sensitive;
  /** In the destination currency. */
  readonly amount: Money;
  /** In NFC, outer space removed; undefined when the cell was empty. */
  readonly reference: string | undefined;
  readonly name: string | undefined;
  readonly phone: string | undefined;
  readonly note: string | undefined;
  /** The payout this one replaces, when it pays a failed row again. */
  readonly replaces: PayoutId | undefined;
}

export const asBatchId = (text: string): BatchId => text as BatchId;
export const asPayoutId = (text: string): PayoutId => text as PayoutId;
export const asTransferId = (text: string): TransferId => text as TransferId;
export const asDigest = (text: string): Digest => text as Digest;
export const asTag = (text: string): Tag => text as Tag;

/**
 * A quote: what the service says one payout will cost and how long it takes.
 *
 * Units:   `rate` is units of destination currency per unit of source currency; `fee` is in the source
 *          currency; `speedSeconds` in seconds. Rate and fee are exact decimal text as the service wrote them.
 * Source:  service interface 2.7; debit = amount ÷ rate + fee.
 */

export interface Quote {
  readonly rate: string;
  readonly fee: string;
  readonly speedSeconds: number;
  /** undefined when the source country is not in our own country table: the debit is then not computed. */
  readonly sourceCurrency: CurrencyCode | undefined;
  readonly quotedAt: Timestamp;
}
