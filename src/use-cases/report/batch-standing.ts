/**
 * How a batch stands, from the sums and indexes of the ledger: as fast for a million rows as for ten. Every view of a batch
 * is made from it. Reports count all rows anew, as a proof.
 */
import {
  type AlarmCounts,
  type Batch,
  type BatchOutcome,
  type BatchStatus,
  batchOutcome,
  batchStatus,
  type StatusCounts,
} from '../../domain/batches/batch.ts';
import { type BatchNeed, batchNeed } from '../../domain/next-steps/batch-need.ts';
import { cameBackAfter } from '../../domain/payouts/incident.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { CurrencyCounter } from '../../domain/reporting/currency-totals.ts';
import { TO_LOOK_AT } from '../../domain/reporting/exceptions.ts';
import { addAlarms, isLoud, isStuck, isToLookAt, marksOf } from '../../domain/reporting/marks.ts';
import { notedOf } from '../../domain/reporting/report-line.ts';
import type { LeaseBusy } from '../../ports/ledger/leases.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { type PaidAgain, paidAgainCounts, paidAgainIn } from './paid-again.ts';

export interface Standing {
  readonly counts: StatusCounts;
  readonly status: BatchStatus;
  readonly outcome: BatchOutcome;
  readonly need: BatchNeed;
  /** The process that works on the batch now; undefined: none. */
  readonly atWork: Omit<LeaseBusy, 'kind'> | undefined;
  readonly paidAgain: PaidAgain;
  /** Payments that were called failed, or ruled not paid, and are paid; the first few. */
  readonly incidents: readonly IncidentRow[];
  readonly beside: BesideStatus;
  /** Rows to look at that `counts` does not show as such. */
  readonly besideStatus: number;
}

interface IncidentRow {
  readonly rowNumber: number;
  readonly payout: Payout;
  /** What was noted of it; undefined when its own state says so. */
  readonly noted: string | undefined;
  /** It came back after that. */
  readonly isOver: boolean;
}

const KEPT_MAX = 20;

/** What is `known` is not asked once more. */
export async function standingOf(
  batch: Batch,
  ledger: Ledger,
  known: { readonly counts?: StatusCounts | undefined; readonly paidAgain?: PaidAgain | undefined } = {},
): Promise<Standing> {
  const { id } = batch;
  const counts = known.counts ?? (await ledger.counts(id));
  const paidAgain = known.paidAgain ?? (await paidAgainIn(id, ledger));
  const noted = await notedIncidents(id, { ledger });
  const found = await ledger.incidents(id, [...noted.keys()]);
  const beside = await besideStatusOf(id, { ledger });
  const isKnown = ({ payout, isCurrent }: (typeof found)[number]) =>
    TO_LOOK_AT.includes(payout.state.status) || (isCurrent && isToLookAt(marksOf(payout)));
  const rows = new Set(found.map(({ rowNumber }) => rowNumber)).size;
  const outcome = batchOutcome(counts, { ...beside, incidents: rows }, paidAgainCounts(paidAgain));
  const atWork = await ledger.holderOf(id);
  const facts = { batch, counts, outcome, elsewhere: paidAgain.size, isAtWork: atWork !== undefined };
  return {
    ...{ counts, paidAgain, beside, status: batchStatus(batch, counts), outcome },
    need: batchNeed(facts),
    atWork: atWork && { holder: atWork.holder, since: atWork.since },
    incidents: found.slice(0, KEPT_MAX).map(({ payout, rowNumber }) => ({
      ...{ rowNumber, payout, noted: notedOf(payout, noted) },
      isOver: cameBackAfter(payout, noted.get(payout.id)),
    })),
    besideStatus: beside.count + found.filter((each) => !isKnown(each)).length,
  };
}

/** Rows on their way or settled that somebody has to look at. */
export interface BesideStatus extends Omit<AlarmCounts, 'incidents'> {
  readonly count: number;
  /** The first few: they end a batch with 5, are stuck, were called failed once, or have a difference that nobody accepted. */
  readonly rows: readonly Payout[];
  /** What the amounts that the service shows change of the sums. */
  readonly moves: CurrencyCounter;
}

const PAGE_ROWS = 500;

export async function besideStatusOf(
  id: BatchId,
  { ledger }: { readonly ledger: Pick<Ledger, 'besideStatus'> },
): Promise<BesideStatus> {
  const alarms = { missing: 0, differing: 0, over: 0 };
  const byGravity = [0, 1, 2, 3].map((): Payout[] => []);
  const moves = new CurrencyCounter();
  let count = 0;
  let after: number | undefined;
  do {
    const page = await ledger.besideStatus(id, { after, limit: PAGE_ROWS });
    for (const payout of page.payouts) {
      const marks = marksOf(payout);
      addAlarms(alarms, marks);
      if (payout.instruction !== undefined) moves.addMoved(payout.instruction.amount.currency, marks.moved);
      // The others are counted by their status.
      if (!isToLookAt(marks) || TO_LOOK_AT.includes(payout.state.status)) continue;
      count += 1;
      const kept = byGravity[(isLoud(marks) ? 0 : 2) + (isStuck(marks) ? 0 : 1)];
      if (kept !== undefined && kept.length < KEPT_MAX) kept.push(payout);
    }
    after = page.next;
  } while (after !== undefined);
  return { ...alarms, count, rows: byGravity.flat(), moves };
}
