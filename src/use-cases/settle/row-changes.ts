/**
 * The rows that a settle changed: the first thousand by name, all of them by number, and how many of them a person has to
 * look at.
 */
import type { Payout, Status } from '../../domain/payouts/payout.ts';

export interface Change {
  readonly rowNumber: number;
  readonly from: Status;
  readonly to: Status;
  /** New differences from what was asked; empty: it differs no longer. */
  readonly differs?: readonly string[];
}

interface Found {
  readonly status: Status;
  readonly differs?: readonly string[];
}

const CHANGES_MAX = 1_000;

export class RowChanges {
  readonly #changes: Change[] = [];
  #changed = 0;
  #newExceptions = 0;

  found() {
    return { changes: this.#changes, changed: this.#changed, newExceptions: this.#newExceptions };
  }

  add({ rowNumber, state }: Payout, { status: to, differs }: Found): void {
    const from = state.status;
    const isUnpaid = from !== to && (to === 'failed' || to === 'returned');
    if (isUnpaid || (differs !== undefined && differs.length > 0)) this.#newExceptions += 1;
    if (from === to && differs === undefined) return;
    this.#changed += 1;
    if (this.#changes.length < CHANGES_MAX)
      this.#changes.push({ rowNumber, from, to, ...(differs === undefined ? {} : { differs }) });
  }
}
