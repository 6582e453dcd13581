/** What one look at a transfer came to, for whoever asked. */
import type { Status } from '../../domain/payouts/payout.ts';

/**
 * What a look came to. `unknown`: the service gave no usable answer. `unclear`: it answered, but no longer calls
 * unpaid what it had called so.
 */
export interface Looked {
  /** `none`: no usable answer. `cut`: none before the waiting ended. */
  readonly answer: 'shown' | 'not_found' | 'none' | 'cut';
  /** Of a final payment: the service has not found it for a day. */
  readonly isMissing?: boolean;
  /** There is a reason to look at it that the look before did not show. */
  readonly hasNewConcern?: boolean;
  readonly kind: 'incident' | 'looked' | 'unknown' | 'unclear';
  readonly status: Status;
  /** Of what is unclear: a sentence with the transfer and what was seen of it. */
  readonly why?: string;
  /** Differences from what was asked that this look found first; empty: it found that the row differs no longer. */
  readonly differs?: readonly string[];
  /** After Finished: a word that no setting explains, and that this look showed first. */
  readonly unknownWord?: string;
}
