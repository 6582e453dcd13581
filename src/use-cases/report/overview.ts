/**
 * All batches of a ledger, a page of them, each with what it came to. Changes nothing; may be asked while a run is going.
 */
import { type Batch, countsIn } from '../../domain/batches/batch.ts';
import { type Money, MoneySums } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LedgerTotal } from '../../domain/reporting/currency-totals.ts';
import type { OpenDoubts } from '../../ports/ledger/batches.ts';
import { whyNotApprove } from '../approve/four-eyes.ts';
import type { LookingPorts } from '../ports.ts';
import { type Standing, standingOf } from './batch-standing.ts';
import { paidAgainEverywhere } from './paid-again.ts';

export interface BatchesPage {
  /** The `next` of the page before. */
  readonly after?: BatchId | undefined;
  /** Fifty, unless told; at most 200. */
  readonly limit?: number | undefined;
}

export interface Overview {
  readonly environment: 'live' | 'sandbox';
  readonly ledgerPath: string;
  /** Newest first; the first fifty, unless told. */
  readonly batches: readonly BatchLine[];
  /** `after` of the next page; undefined at the end. */
  readonly next: BatchId | undefined;
  /** How many there are in all. */
  readonly count: number;
  /** Of all batches. */
  readonly doubts: readonly OpenDoubts[];
}

export interface BatchLine extends Pick<Standing, 'counts' | 'status' | 'outcome' | 'need'> {
  readonly batch: Batch;
  /** What its rows ask for, by currency, without canceled rows. */
  readonly amounts: readonly Money[];
  /** It waits for an approval that whoever asks may not give. */
  readonly mayNotApprove: boolean;
}

const BATCHES_MAX = 50;

/** `user`: who asks. */
export async function overviewOf(
  { user, ...ports }: Pick<LookingPorts, 'ledger' | 'policy' | 'cameWith'> & { readonly user?: string },
  { after, limit = BATCHES_MAX }: BatchesPage = {},
): Promise<Overview> {
  const { ledger } = ports;
  const { environment, path: ledgerPath } = ledger.identity;
  const { batches: shown, next, count } = await ledger.batchPage({ after, limit });
  const paidAgain = await paidAgainEverywhere(ledger);
  const batches = await Promise.all(
    shown.map(async (batch) => {
      const sums = await ledger.totals(batch.id);
      const known = { counts: countsIn(sums), paidAgain: paidAgain.get(batch.id) ?? new Map() };
      const standing = await standingOf(batch, ledger, known);
      const isAsked = user !== undefined && standing.need.kind === 'approve';
      const mayNotApprove = isAsked && (await whyNotApprove(batch, user, ports)) !== undefined;
      return { batch, amounts: amountsIn(sums), mayNotApprove, ...standing };
    }),
  );
  return { environment, ledgerPath, batches, next, count, doubts: await ledger.openDoubts() };
}

function amountsIn(sums: readonly LedgerTotal[]): readonly Money[] {
  const amounts = new MoneySums();
  for (const { status, currency, minor } of sums)
    if (currency !== undefined && status !== 'canceled') amounts.add({ currency, minor });
  return amounts.all();
}
