/**
 * All batches of a ledger, a page of them, each with what it came to. Changes nothing; may be asked while a run is going.
 */
import {
  type Batch,
  type BatchOutcome,
  type BatchStatus,
  batchOutcome,
  batchStatus,
  type StatusCounts,
} from '../../domain/batches/batch.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { OpenDoubts } from '../../ports/ledger/batches.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { besideStatusOf } from './beside-status.ts';
import { incidentsIn } from './look-at-batch.ts';
import { type PaidAgain, paidAgainCounts, paidAgainEverywhere } from './paid-again.ts';

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

interface BatchLine {
  readonly batch: Batch;
  readonly counts: StatusCounts;
  readonly status: BatchStatus;
  readonly outcome: BatchOutcome;
}

const BATCHES_MAX = 50;

export async function overviewOf(
  { ledger }: { readonly ledger: Ledger },
  { after, limit = BATCHES_MAX }: BatchesPage = {},
): Promise<Overview> {
  const { environment, path: ledgerPath } = ledger.identity;
  const { batches: shown, next, count } = await ledger.batchPage({ after, limit });
  const paidAgain = await paidAgainEverywhere(ledger);
  const batches = await Promise.all(shown.map((batch) => lineOf(batch, paidAgain.get(batch.id), ledger)));
  return { environment, ledgerPath, batches, next, count, doubts: await ledger.openDoubts() };
}

async function lineOf(batch: Batch, paidAgain: PaidAgain | undefined, ledger: Ledger): Promise<BatchLine> {
  const counts = await ledger.counts(batch.id);
  const again = paidAgain && paidAgainCounts(paidAgain);
  const { rows } = await incidentsIn(batch.id, ledger);
  const alarms = { ...(await besideStatusOf(batch.id, { ledger })), incidents: rows };
  return { batch, counts, status: batchStatus(batch, counts), outcome: batchOutcome(counts, alarms, again) };
}
