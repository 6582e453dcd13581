/** The result of one look at a transfer. */
import type { Status } from '../../domain/payouts/payout.ts';

export interface LookResult {
  /** `none`: no usable answer. `cut`: none before the waiting ended. */
  readonly answer: 'shown' | 'not_found' | 'none' | 'cut';
  /** Of a final payment: the service has not found it for a day. */
  readonly isMissing?: boolean;
  /** A person has to look, for a reason that the look before did not show. */
  readonly hasNewConcern?: boolean;
  /**
   * `unknown`: the service gave no usable answer, or showed the payment of another row. `unclear`: it no longer calls the
   * payment unpaid.
   */
  readonly kind: 'incident' | 'looked' | 'unknown' | 'unclear';
  readonly status: Status;
  /** Of what is unclear: a sentence with the transfer and what was seen of it. */
  readonly why?: string;
  /** Differences from what was asked, where this look changed them; empty: the row no longer differs. */
  readonly differs?: readonly string[];
  /** After Finished: a word that no setting explains, and that this look showed first. */
  readonly unknownWord?: string;
}
