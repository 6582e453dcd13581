/**
 * One row's whole story: what was asked, everything that happened in order, and the evidence collected.
 */
import type { Payout } from '../../domain/payouts/payout.ts';
import type { JournalEntry } from '../../ports/ledger/payouts.ts';
import { notedIncidents } from '../settle/raise-incident.ts';
import type { World } from '../world.ts';

export interface Story {
  readonly payout: Payout;
  readonly entries: readonly JournalEntry[];
  /** Instructions of the same row before this one, oldest first, each with its entries. */
  readonly earlier: readonly { readonly payout: Payout; readonly entries: readonly JournalEntry[] }[];
  /** Instructions that pay it again, in any batch, oldest first. */
  readonly replacedBy: readonly Payout[];
  /** What showed that one of these instructions was paid although it was called unpaid. */
  readonly incidents: readonly string[];
}

const EARLIER_MAX = 50;

export async function explainPayout(payout: Payout, world: Pick<World, 'ledger'>): Promise<Story> {
  const { ledger } = world;
  const earlier: { payout: Payout; entries: readonly JournalEntry[] }[] = [];
  let replaced = payout.instruction?.replaces;
  while (replaced !== undefined && earlier.length < EARLIER_MAX) {
    const before = await ledger.payout(replaced);
    if (before === undefined) break;
    earlier.unshift({ payout: before, entries: await ledger.journalOf(before.id) });
    replaced = before.instruction?.replaces;
  }
  const noted = await notedIncidents(payout.batchId, { ledger });
  const incidents = [...earlier.map((before) => before.payout), payout].flatMap(
    ({ id }) => noted.get(id) ?? [],
  );
  const entries = await ledger.journalOf(payout.id);
  return { payout, entries, earlier, replacedBy: await ledger.replacementsOf(payout.id), incidents };
}
