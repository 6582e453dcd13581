/**
 * The rows that a settle changed: the first thousand by name, all of them by number, and whether a person has to look at
 * one.
 */
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import type { LookResult } from './look-result.ts';

export interface Change {
  readonly rowNumber: number;
  readonly from: Status;
  readonly to: Status;
  /** Differences from what was asked, where they changed; empty: the row no longer differs. */
  readonly differs?: readonly string[];
}

type Found = Pick<LookResult, 'answer' | 'differs' | 'hasNewConcern' | 'status'>;

const CHANGES_MAX = 1_000;

export class RowChanges {
  readonly #changes: Change[] = [];
  #changed = 0;
  #hasNewExceptions = false;
  #isWayAsBefore = true;

  found() {
    return {
      changes: this.#changes,
      changed: this.#changed,
      hasNewExceptions: this.#hasNewExceptions,
      isWayAsBefore: this.#isWayAsBefore,
    };
  }

  add({ rowNumber, state }: Payout, { answer, status: to, differs, hasNewConcern = false }: Found): void {
    const from = state.status;
    if (from === 'accepted' && (answer !== 'shown' || hasNewConcern)) this.#isWayAsBefore = false;
    const isUnpaid = from !== to && (to === 'failed' || to === 'returned');
    if (isUnpaid || (differs !== undefined && differs.length > 0)) this.#hasNewExceptions = true;
    if (from === to && differs === undefined) return;
    this.#changed += 1;
    if (this.#changes.length < CHANGES_MAX)
      this.#changes.push({ rowNumber, from, to, ...(differs === undefined ? {} : { differs }) });
  }
}
