/**
 * Counts transfers from the moves of payouts: how many are on the wire now, and how many were begun.
 */
import type { Status } from './payout.ts';

export interface Transfers {
  moved(from: Status, to: Status): void;
  onTheWire(): number;
  /** Without those that are proven not to have left. */
  begun(): number;
}

export function countTransfers(): Transfers {
  let flying = 0;
  let begun = 0;
  return {
    moved(from, to) {
      if (to === 'sending') {
        flying += 1;
        begun += 1;
      }
      // What an earlier process left on the wire was never counted here.
      if (from !== 'sending' || flying === 0) return;
      flying -= 1;
      if (to === 'approved') begun -= 1;
    },
    onTheWire: () => flying,
    begun: () => begun,
  };
}
