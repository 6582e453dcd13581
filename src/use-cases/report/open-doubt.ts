/** The rows of a batch that are in doubt, and what to do about them; undefined when there are none. */
import type { Batch, StatusCounts } from '../../domain/batches/batch.ts';
import { MoneySums } from '../../domain/money/money.ts';
import { type DoubtGuide, doubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import { windowOf } from '../../domain/payouts/attempt.ts';
import { isTagged } from '../../domain/payouts/narration.ts';
import { isIn } from '../../domain/payouts/payout.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { reportHeader } from './report-batch.ts';

interface DoubtPorts {
  readonly ledger: Pick<Ledger, 'identity' | 'batchLike' | 'payouts' | 'counts'>;
  readonly clock: Clock;
  readonly policy: Policy;
}

/** `known`: how many rows there are of each status, where that was asked before. */
export async function openDoubt(
  batch: Batch,
  ports: DoubtPorts,
  known?: StatusCounts,
): Promise<DoubtGuide | undefined> {
  const { ledger, policy } = ports;
  const { in_doubt: count, approved: waiting } = known ?? (await ledger.counts(batch.id));
  if (count === 0) return undefined;
  const rows: number[] = [];
  const sums = new MoneySums();
  let [from, until] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let tag: DoubtGuide['facts']['tag'];
  for await (const page of ledger.payouts(batch.id, { statuses: ['in_doubt'] })) {
    for (const payout of page) {
      if (!isIn(payout, 'in_doubt')) continue;
      const { rowNumber, instruction, state } = payout;
      const sent = windowOf(state.evidence);
      rows.push(rowNumber);
      sums.add(instruction.amount);
      from = Math.min(from, sent.from);
      until = Math.max(until, sent.until);
      tag ??= isTagged(policy) ? state.tag : undefined;
    }
  }
  if (rows.length === 0) return undefined;
  const facts = { rows, sums: sums.all(), from: from as Timestamp, until: until as Timestamp, tag, waiting };
  return doubtGuide(facts, await reportHeader(batch, ports));
}
