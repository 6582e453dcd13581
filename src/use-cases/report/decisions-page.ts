/** What people decided about a batch, a page at a time, the newest first. */
import { type BatchDecision, decisionsOf } from '../../domain/batches/decisions.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

export interface HistoryPage {
  /** The `next` of the page before. */
  readonly after?: number | undefined;
  /** A hundred entries, unless told; at most 200. */
  readonly limit?: number | undefined;
}

export interface DecisionsPage {
  /** Newest first. Neighbours that say the same about different rows are one, with its rows. */
  readonly decisions: readonly BatchDecision[];
  /** `after` of the next page; undefined at the end. */
  readonly next: number | undefined;
  /** The head of the batch's chain (`payfile verify` proves it). */
  readonly head: string;
}

const PAGE_MAX = 100;

export async function decisionsPage(
  id: BatchId,
  { ledger }: { readonly ledger: Pick<Ledger, 'decisionsBefore'> },
  { after, limit = PAGE_MAX }: HistoryPage = {},
): Promise<DecisionsPage> {
  const { entries, next, head } = await ledger.decisionsBefore(id, { before: after, limit });
  return { decisions: decisionsOf(entries.toReversed()).toReversed(), next, head };
}
