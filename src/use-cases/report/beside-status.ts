/**
 * Rows on their way or settled that somebody has to look at: called failed once, stuck, or different from what was asked.
 * A report notes them while it reads all rows; pages and sums read only these.
 */
import type { AlarmCounts } from '../../domain/batches/batch.ts';
import { isOpenDifference } from '../../domain/payouts/difference.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { type CurrencyMoves, MoveCounter } from '../../domain/reporting/currency-totals.ts';
import { TO_LOOK_AT } from '../../domain/reporting/exceptions.ts';
import { addAlarms, isLoud, isStuck, isToLookAt, type Marks, marksOf } from '../../domain/reporting/marks.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

/** The first few of each; those that end a batch with 5 before all others. */
export interface Beside {
  /** They were called failed once, or the service has to be asked about them. */
  readonly stuck: readonly Payout[];
  /** They differ from what was asked, and nobody accepted that. */
  readonly discrepant: readonly Payout[];
}

export interface BesideStatus extends Beside, Omit<AlarmCounts, 'incidents'> {
  readonly count: number;
  readonly moves: readonly CurrencyMoves[];
}

const PAGE_ROWS = 500;
const KEPT_MAX = 20;

export async function besideStatusOf(
  id: BatchId,
  { ledger }: { readonly ledger: Pick<Ledger, 'besideStatus'> },
): Promise<BesideStatus> {
  const alarms = { missing: 0, differing: 0, over: 0 };
  const kept = new KeptRows();
  const moves = new MoveCounter();
  let count = 0;
  let after: number | undefined;
  do {
    const page = await ledger.besideStatus(id, { after, limit: PAGE_ROWS });
    for (const payout of page.payouts) {
      const marks = marksOf(payout);
      addAlarms(alarms, marks);
      // The others are counted by their status.
      if (isToLookAt(marks) && !TO_LOOK_AT.includes(payout.state.status)) count += 1;
      kept.add(payout, marks);
      if (payout.instruction !== undefined) moves.add(payout.instruction.amount.currency, marks.moved);
    }
    after = page.next;
  } while (after !== undefined);
  return { ...alarms, ...kept.rows(), count, moves: moves.result() };
}

/** In the order seen. */
export class KeptRows {
  readonly #stuck = newList();
  readonly #discrepant = newList();

  add(payout: Payout, marks: Marks): void {
    if (isStuck(marks)) keep(this.#stuck, payout, marks);
    if (isOpenDifference(marks.difference)) keep(this.#discrepant, payout, marks);
  }

  rows(): Beside {
    const [stuck, discrepant] = [this.#stuck, this.#discrepant].map(({ loud, others }) =>
      [...loud, ...others].slice(0, KEPT_MAX),
    );
    return { stuck: stuck ?? [], discrepant: discrepant ?? [] };
  }
}

const newList = () => ({ loud: [] as Payout[], others: [] as Payout[] });

function keep({ loud, others }: ReturnType<typeof newList>, payout: Payout, marks: Marks): void {
  const list = isLoud(marks) ? loud : others;
  if (list.length < KEPT_MAX) list.push(payout);
}
